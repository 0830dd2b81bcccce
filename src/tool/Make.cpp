// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kast make`: a .npy file of a given shape. An element's value follows from its index alone, whatever the file's order.
#include <array>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>

#include <Kast/Npy.hpp>
#include <Kast/impl/Pack.hpp>

#include "Output.hpp"
#include "Tool.hpp"
#include "Types.hpp"

namespace Kast::Tool {
namespace {

constexpr std::size_t chunk = 4096;  // elements made at a time

template <class T>
T parse_number(std::string_view text, DType dtype) {
  T value{};
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const auto [end, error]       = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.starts_with('+')) {
    throw UsageError{"--fill '" + std::string(text) + "' is neither random, arange nor a number of type " +
                     std::string(name_of(dtype))};
  }
  return value;
}

/// A number, in a type of its own.
struct Constant {
  DType dtype;
  alignas(16) std::array<std::byte, 16> bytes{};
};

template <class T>
Constant constant_of(T value) {
  Constant constant{dtype_of<T>()};
  std::memcpy(constant.bytes.data(), &value, sizeof value);
  return constant;
}

template <class Wide>
Constant checked_integer(Wide value, DType dtype) {
  const unsigned value_bits = unsigned(8 * size_of(dtype)) - (std::is_signed_v<Wide> ? 1 : 0);
  const Wide highest        = std::numeric_limits<Wide>::max() >> (std::numeric_limits<Wide>::digits - value_bits);
  bool fits                 = value <= highest;
  if constexpr (std::is_signed_v<Wide>) fits = fits && value >= -highest - 1;
  if (!fits) throw UsageError{"--fill " + std::to_string(value) + " does not fit in " + std::string(name_of(dtype))};
  return constant_of(value);
}

Constant parse_constant(std::string_view text, DType dtype) {
  if (dtype == DType::boolean) {
    if (text == "True" || text == "true" || text == "1") return constant_of(true);
    if (text == "False" || text == "false" || text == "0") return constant_of(false);
    throw UsageError{"--fill '" + std::string(text) + "' is neither random, arange, True nor False"};
  }
  if (is_signed_integer(dtype)) return checked_integer(parse_number<std::int64_t>(text, dtype), dtype);
  if (is_integer(dtype)) return checked_integer(parse_number<std::uint64_t>(text, dtype), dtype);
  return constant_of(parse_number<double>(text, dtype));
}

/// A well-mixed number for each (seed, index): SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  z               = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z               = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Bits of a value in [0,1) that a float of this type holds exactly, so that rounding never gives 1.
int mantissa_bits(DType dtype) {
  switch (dtype) {
    case DType::f2: return 11;
    case DType::f4:
    case DType::c8: return 24;
    default: return 53;
  }
}

double unit_interval(std::uint64_t bits, int mantissa) {
  return std::ldexp(double(bits >> (64 - mantissa)), -mantissa);
}

/// What the elements of a file are.
class Fill {
 public:
  Fill(const std::string& text, DType dtype, std::uint64_t seed) : m_dtype(dtype), m_seed(seed) {
    if (text == "random") {
      m_kind = Kind::random;
    } else if (text == "arange") {
      m_kind = Kind::arange;
    } else {
      const Constant constant = parse_constant(text, dtype);
      m_kind                  = Kind::constant;
      Impl::convert(m_element.data(), dtype, constant.bytes.data(), constant.dtype, 1);
    }
  }

  /// Writes the elements of C-order positions `indices` to `target`.
  void write(std::byte* target, const std::int64_t* indices, std::size_t count) const {
    switch (m_kind) {
      case Kind::arange: return Impl::convert(target, m_dtype, indices, DType::i8, count);
      case Kind::random: return write_random(target, indices, count);
      case Kind::constant: break;
    }
    const std::size_t size = size_of(m_dtype);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(target + i * size, m_element.data(), size);
  }

 private:
  enum class Kind { random, arange, constant };

  void write_random(std::byte* target, const std::int64_t* indices, std::size_t count) const {
    const int bits = mantissa_bits(m_dtype);
    if (is_complex(m_dtype)) {
      std::array<std::complex<double>, chunk> values;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t index = 2 * std::uint64_t(indices[i]);
        values[i]                 = {unit_interval(random_bits(m_seed, index), bits),
                                     unit_interval(random_bits(m_seed, index + 1), bits)};
      }
      Impl::convert(target, m_dtype, values.data(), DType::c16, count);
    } else if (is_integer(m_dtype) || m_dtype == DType::boolean) {
      std::array<std::uint64_t, chunk> values;
      for (std::size_t i = 0; i < count; ++i) values[i] = random_bits(m_seed, std::uint64_t(indices[i]));
      if (m_dtype == DType::boolean) {
        for (std::size_t i = 0; i < count; ++i) values[i] &= 1;
      }
      Impl::convert(target, m_dtype, values.data(), DType::u8, count);
    } else {
      std::array<double, chunk> values;
      for (std::size_t i = 0; i < count; ++i) {
        values[i] = unit_interval(random_bits(m_seed, std::uint64_t(indices[i])), bits);
      }
      Impl::convert(target, m_dtype, values.data(), DType::f8, count);
    }
  }

  DType m_dtype;
  std::uint64_t m_seed;
  Kind m_kind = Kind::random;
  alignas(16) std::array<std::byte, 16> m_element{};  // of a constant fill
};

/// Passes through a file in memory order and tells each element's position in C order.
class Positions {
 public:
  explicit Positions(const ArrayRef& array) : m_array(array), m_index(Extents::filled(array.extents.rank(), 0)) {
    m_position_step = dense_strides(array.extents, Order::right);
  }

  std::int64_t next() {
    const std::int64_t position = m_position;
    const int rank              = m_array.extents.rank();
    const bool first_is_fastest = rank > 0 && m_array.strides[0] == 1;
    for (int i = 0; i < rank; ++i) {
      const int axis = first_is_fastest ? i : rank - 1 - i;
      m_position += m_position_step[axis];
      if (++m_index[axis] < m_array.extents[axis]) break;
      m_position -= m_position_step[axis] * std::ptrdiff_t(m_array.extents[axis]);
      m_index[axis] = 0;
    }
    return position;
  }

 private:
  ArrayRef m_array;
  Extents m_index;
  Strides m_position_step;
  std::int64_t m_position = 0;
};

void write_all(const ArrayRef& array, const Fill& fill) {
  Positions positions(array);
  auto* target            = static_cast<std::byte*>(array.data);
  const std::size_t count = size(array.extents);
  std::array<std::int64_t, chunk> indices;
  for (std::size_t done = 0; done < count; done += chunk) {
    const std::size_t now = std::min(chunk, count - done);
    for (std::size_t i = 0; i < now; ++i) indices[i] = positions.next();
    fill.write(target + done * size_of(array.dtype), indices.data(), now);
  }
}

DType parse_dtype(const std::string& name) {
  const DType dtype = dtype_from_name(name);
  if (dtype == DType::other) {
    throw UsageError{"unknown type '" + name + "'; types are bool, i1 to i8, u1 to u8, f2, f4, f8, c8, c16"};
  }
  return dtype;
}

Order parse_order(const std::string& text, const Extents& extents) {
  if (text != "C" && text != "F") throw UsageError{"--order is C or F, not '" + text + "'"};
  // NumPy calls an array that is both, such as one axis alone, C-ordered.
  return Impl::npy_order(extents, dense_strides(extents, text == "F" ? Order::left : Order::right));
}

std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t seed      = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    throw UsageError{"--seed '" + text + "' is no whole number"};
  return seed;
}

}  // namespace

std::string make_usage() {
  return "usage: kast make SHAPE -o FILE.npy [--dtype f64] [--fill random|arange|VALUE] [--order C|F] [--seed N]\n"
         "\n"
         "SHAPE is 100x4000x5, 7, 0x3 or scalar. Types: bool, i1 to i8, u1 to u8, f2, f4, f8, c8, c16, or int32, "
         "float64, ...\n"
         "random (the default) is uniform: [0,1) for floats, all values for integers; the same for the same seed.\n"
         "arange counts the elements in C order, whatever the order of the file.\n";
}

int make(Arguments arguments) {
  const std::string path  = arguments.required("o");
  const DType dtype       = parse_dtype(arguments.option("dtype").value_or("f8"));
  const std::string fill  = arguments.option("fill").value_or("random");
  const std::string order = arguments.option("order").value_or("C");
  const auto seed         = parse_seed(arguments.option("seed").value_or("0"));
  const auto words        = arguments.positionals();
  if (words.size() != 1) throw UsageError{"make takes one SHAPE"};

  const Extents extents = parse_shape(words[0]);
  const Fill elements(fill, dtype, seed);
  size(extents);  // refuses what overflows, before strides are made
  Output file(path, dtype, extents, parse_order(order, extents));
  write_all(file.array(), elements);
  file.commit();
  return 0;
}

}  // namespace Kast::Tool
