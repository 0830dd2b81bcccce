// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kast/impl/Pack.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

#include <Kast/impl/Stream.hpp>

namespace Kast::Impl {
namespace {

template <std::size_t Size>
struct Bytes {
  unsigned char bytes[Size];
};

// Loads and stores that ask no alignment; compilers turn them into plain moves.
template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}
template <class T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

// Copies between two strided blocks of one shape; strides in bytes. Axis 0 is the fastest of the packed side.
template <class T>
void move_run(std::byte* to, std::ptrdiff_t to_step, const std::byte* from, std::ptrdiff_t from_step,
              std::size_t count) {
  constexpr std::ptrdiff_t size = sizeof(T);
  if (to_step == size && from_step == size) {
    std::memcpy(to, from, count * sizeof(T));
  } else if (to_step == size && from_step == 0) {
    const T value = load<T>(from);
    for (std::size_t i = 0; i < count; ++i) store<T>(to + i * sizeof(T), value);
  } else if (to_step == size && from_step == 2 * size) {
    // Steps that compilers can shuffle, once they know them.
    for (std::size_t i = 0; i < count; ++i) store<T>(to + i * sizeof(T), load<T>(from + i * 2 * sizeof(T)));
  } else if (to_step == size && from_step == -size) {
    for (std::size_t i = 0; i < count; ++i) store<T>(to + i * sizeof(T), load<T>(from - i * sizeof(T)));
  } else {
    for (std::size_t i = 0; i < count; ++i)
      store<T>(to + std::ptrdiff_t(i) * to_step, load<T>(from + std::ptrdiff_t(i) * from_step));
  }
}

// Two axes of which each side is fastest along another one: small squares in registers, so that both sides use whole lines.
// The target is dense along axis 0, the source along axis 1.
template <class T>
void move_square(std::byte* to, std::ptrdiff_t to_row, const std::byte* from, std::ptrdiff_t from_column) {
#ifdef KAST_IMPL_HAS_STREAMING_STORES
  if constexpr (sizeof(T) == 8) {
    for (int i = 0; i < 4; i += 2) {
      for (int j = 0; j < 4; j += 2) {
        const auto* source = reinterpret_cast<const double*>(from + i * from_column) + j;
        const __m128d a    = _mm_loadu_pd(source);
        const __m128d b =
            _mm_loadu_pd(reinterpret_cast<const double*>(reinterpret_cast<const std::byte*>(source) + from_column));
        auto* target = reinterpret_cast<double*>(to + j * to_row) + i;
        _mm_storeu_pd(target, _mm_unpacklo_pd(a, b));
        _mm_storeu_pd(reinterpret_cast<double*>(reinterpret_cast<std::byte*>(target) + to_row), _mm_unpackhi_pd(a, b));
      }
    }
    return;
  }
  if constexpr (sizeof(T) == 4) {
    __m128 row[4];
    for (int i = 0; i < 4; ++i) row[i] = _mm_loadu_ps(reinterpret_cast<const float*>(from + i * from_column));
    _MM_TRANSPOSE4_PS(row[0], row[1], row[2], row[3]);
    for (int j = 0; j < 4; ++j) _mm_storeu_ps(reinterpret_cast<float*>(to + j * to_row), row[j]);
    return;
  }
#endif
  T values[4][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) values[j][i] = load<T>(from + i * from_column + j * std::ptrdiff_t(sizeof(T)));
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) store<T>(to + j * to_row + i * std::ptrdiff_t(sizeof(T)), values[j][i]);
}

template <class T>
void move_transposed(std::byte* to, const std::ptrdiff_t* to_step, const std::byte* from,
                     const std::ptrdiff_t* from_step, const std::size_t* extent) {
  constexpr std::size_t side    = 4;
  constexpr std::ptrdiff_t size = sizeof(T);
  const bool dense              = to_step[0] == size && from_step[1] == size;
  const std::size_t whole_i = dense ? extent[0] / side * side : 0, whole_j = dense ? extent[1] / side * side : 0;
  const auto move = [&](std::size_t i, std::size_t j) {
    store<T>(to + std::ptrdiff_t(i) * to_step[0] + std::ptrdiff_t(j) * to_step[1],
             load<T>(from + std::ptrdiff_t(i) * from_step[0] + std::ptrdiff_t(j) * from_step[1]));
  };
  // The block after this one is usually the next along axis 1, too few lines in a row for the processor to foresee.
  const std::ptrdiff_t next = std::ptrdiff_t(extent[1]) * from_step[1];
  for (std::size_t i = 0; i < whole_i; i += side) {
    for (std::size_t line = 0; line < side; ++line)
      for (std::ptrdiff_t at = next; at < 2 * next; at += std::ptrdiff_t(cache_line))
        prefetch_line(from + std::ptrdiff_t(i + line) * from_step[0] + at);
    for (std::size_t j = 0; j < whole_j; j += side)
      move_square<T>(to + std::ptrdiff_t(i) * size + std::ptrdiff_t(j) * to_step[1], to_step[1],
                     from + std::ptrdiff_t(i) * from_step[0] + std::ptrdiff_t(j) * size, from_step[0]);
  }
  for (std::size_t i = 0; i < whole_i; ++i)
    for (std::size_t j = whole_j; j < extent[1]; ++j) move(i, j);
  for (std::size_t i = whole_i; i < extent[0]; ++i)
    for (std::size_t j = 0; j < extent[1]; ++j) move(i, j);
}

// Runs of a few elements, many of them: the length is known to the compiler, so that a run costs a few moves.
template <class T, int Length>
void move_short_runs(std::byte* to, const std::ptrdiff_t* to_step, const std::byte* from,
                     const std::ptrdiff_t* from_step, std::size_t runs) {
  const std::ptrdiff_t to_inner = to_step[0], from_inner = from_step[0];
  for (std::size_t run = 0; run < runs; ++run, to += to_step[1], from += from_step[1]) {
    T values[Length];
    for (int i = 0; i < Length; ++i) values[i] = load<T>(from + i * from_inner);
    for (int i = 0; i < Length; ++i) store<T>(to + i * to_inner, values[i]);
  }
}

struct Move {
  int rank = 0;
  std::size_t extent[max_rank];
  std::ptrdiff_t to_step[max_rank], from_step[max_rank];
};

// Whether the two sides disagree about which of the first two axes is fastest.
bool is_crossed(const Move& m) {
  const auto first_is_faster = [](const std::ptrdiff_t* step) { return std::abs(step[0]) < std::abs(step[1]); };
  return m.from_step[0] != 0 && m.from_step[1] != 0 && first_is_faster(m.to_step) != first_is_faster(m.from_step);
}

template <class T>
void move_block(std::byte* to, const std::byte* from, const Move& m, int axis) {
  if (axis == 0) {
    move_run<T>(to, m.to_step[0], from, m.from_step[0], m.extent[0]);
  } else if (axis == 1 && m.extent[0] <= 8) {
    const auto runs = [&](auto length) {
      move_short_runs<T, decltype(length)::value>(to, m.to_step, from, m.from_step, m.extent[1]);
    };
    switch (m.extent[0]) {
      case 1: return runs(std::integral_constant<int, 1>{});
      case 2: return runs(std::integral_constant<int, 2>{});
      case 3: return runs(std::integral_constant<int, 3>{});
      case 4: return runs(std::integral_constant<int, 4>{});
      case 5: return runs(std::integral_constant<int, 5>{});
      case 6: return runs(std::integral_constant<int, 6>{});
      case 7: return runs(std::integral_constant<int, 7>{});
      default: return runs(std::integral_constant<int, 8>{});
    }
  } else if (axis == 1 && is_crossed(m)) {
    move_transposed<T>(to, m.to_step, from, m.from_step, m.extent);
  } else {
    for (std::size_t i = 0; i < m.extent[axis]; ++i, to += m.to_step[axis], from += m.from_step[axis])
      move_block<T>(to, from, m, axis - 1);
  }
}

template <class T>
void move_all(std::byte* to, const std::byte* from, const Move& m) {
  if (m.rank == 0) store<T>(to, load<T>(from));
  else move_block<T>(to, from, m, m.rank - 1);
}

void move(std::byte* to, const std::byte* from, Move m, std::size_t value_size) {
  switch (value_size) {
    case 1: return move_all<std::uint8_t>(to, from, m);
    case 2: return move_all<std::uint16_t>(to, from, m);
    case 4: return move_all<std::uint32_t>(to, from, m);
    case 8: return move_all<std::uint64_t>(to, from, m);
    case 16: return move_all<Bytes<16>>(to, from, m);
    default: break;
  }
  // A value of any other size is one more axis of bytes.
  if (m.rank == max_rank) {
    for (std::size_t i = 0; i < m.extent[max_rank - 1]; ++i) {
      Move inner = m;
      inner.rank = max_rank - 1;
      move(to + std::ptrdiff_t(i) * m.to_step[max_rank - 1], from + std::ptrdiff_t(i) * m.from_step[max_rank - 1],
           inner, value_size);
    }
    return;
  }
  for (int axis = m.rank; axis > 0; --axis) {
    m.extent[axis]    = m.extent[axis - 1];
    m.to_step[axis]   = m.to_step[axis - 1];
    m.from_step[axis] = m.from_step[axis - 1];
  }
  m.extent[0]  = value_size;
  m.to_step[0] = m.from_step[0] = 1;
  ++m.rank;
  move_all<std::uint8_t>(to, from, m);
}

// The move from a strided block to packed order.
Move packing(const Block& block, std::size_t value_size) {
  Move m;
  m.rank              = block.rank;
  std::ptrdiff_t step = std::ptrdiff_t(value_size);
  for (int axis = 0; axis < block.rank; ++axis) {
    m.extent[axis]    = block.extent[axis];
    m.from_step[axis] = block.stride[axis] * std::ptrdiff_t(value_size);
    m.to_step[axis]   = step;
    step *= std::ptrdiff_t(block.extent[axis]);
  }
  return m;
}

// IEEE binary16, which is storage only.
struct Half {
  std::uint16_t bits;
};

float from_half(Half half) {
  const std::uint32_t sign = std::uint32_t(half.bits & 0x8000u) << 16;
  const std::uint32_t rest = half.bits & 0x7fffu;
  if (rest >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | ((rest & 0x3ffu) << 13));
  if (rest < 0x400u) {  // zero and subnormal: rest * 2^-24 is exact
    const float value = float(rest) * 0x1p-24f;
    return sign ? -value : value;
  }
  return std::bit_cast<float>(sign | ((rest << 13) + (std::uint32_t(127 - 15) << 23)));
}

Half to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign          = std::uint16_t((bits >> 16) & 0x8000u);
  const std::uint32_t rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u) {  // NaN keeps its leading payload bits and stays a NaN
    const auto payload = std::uint16_t((rest >> 13) & 0x3ffu);
    return {std::uint16_t(sign | 0x7c00u | (payload != 0 ? payload : 1u))};
  }
  if (rest >= 0x477ff000u) return {std::uint16_t(sign | 0x7c00u)};  // rounds to infinity
  std::uint32_t mantissa;
  int shift;
  if (rest < 0x38800000u) {  // subnormal in half precision
    const int exponent = int(rest >> 23);
    if (exponent < 102) return {sign};
    mantissa = (rest & 0x7fffffu) | 0x800000u;
    shift    = 126 - exponent;
  } else {
    mantissa = rest - (std::uint32_t(127 - 15) << 23);
    shift    = 13;
  }
  std::uint32_t half       = mantissa >> shift;
  const std::uint32_t lost = mantissa & ((1u << shift) - 1), middle = 1u << (shift - 1);
  if (lost > middle || (lost == middle && (half & 1u))) ++half;
  return {std::uint16_t(sign | half)};
}

// Rounds once: to float by rounding to odd, whose last bit keeps what was lost, and from there to half.
Half to_half(double value) {
  float nearest = float(value);
  if (value != value || double(nearest) == value) return to_half(nearest);
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::abs(double(nearest)) > std::abs(value)) --bits;
  return to_half(std::bit_cast<float>(bits | 1u));
}

template <class To, class From>
To cast(From value) {
  constexpr bool from_complex = std::is_same_v<From, std::complex<float>> || std::is_same_v<From, std::complex<double>>;
  if constexpr (std::is_same_v<From, Half>) {
    return cast<To>(from_half(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_same_v<To, Half>) {
    if constexpr (from_complex) return to_half(value.real());
    else if constexpr (std::is_same_v<From, double>) return to_half(value);
    else return to_half(float(value));
  } else if constexpr (std::is_same_v<To, std::complex<float>> || std::is_same_v<To, std::complex<double>>) {
    using Real = typename To::value_type;
    if constexpr (from_complex) return To(Real(value.real()), Real(value.imag()));
    else return To(Real(value));
  } else if constexpr (from_complex) {
    return static_cast<To>(value.real());
  } else {
    return static_cast<To>(value);
  }
}

template <class To, class From>
void convert_values(void* target, const void* source, std::size_t count) {
  auto* to         = static_cast<To*>(target);
  const auto* from = static_cast<const From*>(source);
  for (std::size_t i = 0; i < count; ++i) to[i] = cast<To>(from[i]);
}

template <class Call>
void with_type(DType dtype, Call&& call) {
  switch (dtype) {
    case DType::boolean: return call(bool{});
    case DType::i1: return call(std::int8_t{});
    case DType::i2: return call(std::int16_t{});
    case DType::i4: return call(std::int32_t{});
    case DType::i8: return call(std::int64_t{});
    case DType::u1: return call(std::uint8_t{});
    case DType::u2: return call(std::uint16_t{});
    case DType::u4: return call(std::uint32_t{});
    case DType::u8: return call(std::uint64_t{});
    case DType::f2: return call(Half{});
    case DType::f4: return call(float{});
    case DType::f8: return call(double{});
    case DType::c8: return call(std::complex<float>{});
    case DType::c16: return call(std::complex<double>{});
    case DType::other: std::abort();  // callers pass named types only
  }
}

}  // namespace

void pack(void* packed, const void* source, const Block& block, std::size_t value_size) noexcept {
  move(static_cast<std::byte*>(packed), static_cast<const std::byte*>(source), packing(block, value_size), value_size);
}

void unpack(void* target, const void* packed, const Block& block, std::size_t value_size) noexcept {
  Move m = packing(block, value_size);
  for (int axis = 0; axis < m.rank; ++axis) std::swap(m.to_step[axis], m.from_step[axis]);
  move(static_cast<std::byte*>(target), static_cast<const std::byte*>(packed), m, value_size);
}

void stream_bytes(void* target, const void* source, std::size_t bytes) noexcept {
  auto* to         = static_cast<std::byte*>(target);
  const auto* from = static_cast<const std::byte*>(source);
  // Whole cache lines are streamed; what stands before and after them is stored plainly.
  const std::size_t head = std::min(bytes, std::size_t(-reinterpret_cast<std::uintptr_t>(to)) % cache_line);
  std::memcpy(to, from, head);
  for (std::size_t at = head; at < bytes; at += cache_line) {
    if (bytes - at < cache_line) {
      std::memcpy(to + at, from + at, bytes - at);
    } else {
      alignas(cache_line) std::byte line[cache_line];
      std::memcpy(line, from + at, cache_line);
      stream_line(to + at, line);
    }
  }
}

void convert(void* target, DType target_dtype, const void* source, DType source_dtype, std::size_t count) noexcept {
  with_type(target_dtype, [&](auto to) {
    with_type(source_dtype, [&](auto from) { convert_values<decltype(to), decltype(from)>(target, source, count); });
  });
}

}  // namespace Kast::Impl
