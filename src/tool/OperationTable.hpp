// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operation exists for which types: the one list behind the loops of host spaces and the kernels of devices.
// A `Table` says what an entry is and makes one from a ufunc and the types of its result and inputs. The list is cut into
// parts, so that a source file can instantiate one of them; a part gives null for what it does not have.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include <Kast/Math.hpp>

#include "Types.hpp"

namespace Kast::Tool {

/// NumPy's minimum and maximum of complex and of half-precision numbers: of two that compare equal (zeros of both signs) the
/// first. Of other floats it is the second, as Kast's functions have it.
template <class Compare>
struct FirstOfEqual {
  static constexpr std::string_view name = "Kast::run";
  template <class T>
  KOKKOS_FUNCTION T operator()(const T& a, const T& b) const {
    return Compare{}(a, b) || Impl::is_nan(a) ? a : b;
  }
};
inline constexpr Ufunc<FirstOfEqual<Impl::LessEqual>, 2> first_minimum{};
inline constexpr Ufunc<FirstOfEqual<Impl::GreaterEqual>, 2> first_maximum{};

template <class T>
inline constexpr bool is_real_v = std::is_floating_point_v<T>;
template <class T>
inline constexpr bool is_integer_v = std::is_integral_v<T> && !std::is_same_v<T, bool>;

/// Calls `make` with a value of the C++ type of `dtype` where the table takes that type. Nothing computes in f2.
template <class Table, class Make>
typename Table::Entry with_type(DType dtype, const Make& make) {
  const auto made = [&](auto value) -> typename Table::Entry {
    if constexpr (Table::template takes<decltype(value)>) return make(value);
    return nullptr;
  };
  switch (dtype) {
    case DType::boolean: return made(bool{});
    case DType::i1: return made(std::int8_t{});
    case DType::i2: return made(std::int16_t{});
    case DType::i4: return made(std::int32_t{});
    case DType::i8: return made(std::int64_t{});
    case DType::u1: return made(std::uint8_t{});
    case DType::u2: return made(std::uint16_t{});
    case DType::u4: return made(std::uint32_t{});
    case DType::u8: return made(std::uint64_t{});
    case DType::f4: return made(float{});
    case DType::f8: return made(double{});
    case DType::c8: return made(Kokkos::complex<float>{});
    case DType::c16: return made(Kokkos::complex<double>{});
    case DType::f2:
    case DType::other: break;
  }
  return nullptr;
}

/// Several inputs and a result of their type.
template <class Table>
typename Table::Entry arithmetic_entry(Op op, DType dtype) {
  return with_type<Table>(dtype, [op](auto value) -> typename Table::Entry {
    using T                  = decltype(value);
    constexpr bool is_number = !std::is_same_v<T, bool>;
    switch (op) {
      case Op::add: return Table::template make<T, T, T>(Kast::add);
      case Op::multiply: return Table::template make<T, T, T>(Kast::multiply);
      case Op::minimum:
        if constexpr (Impl::is_complex_v<T>) return Table::template make<T, T, T>(first_minimum);
        else return Table::template make<T, T, T>(Kast::minimum);
      case Op::maximum:
        if constexpr (Impl::is_complex_v<T>) return Table::template make<T, T, T>(first_maximum);
        else return Table::template make<T, T, T>(Kast::maximum);
      case Op::clip: return Table::template make<T, T, T, T>(Kast::clip);
      case Op::subtract:
        if constexpr (is_number) return Table::template make<T, T, T>(Kast::subtract);
        break;
      case Op::divide:
        if constexpr (is_number && !is_integer_v<T>) return Table::template make<T, T, T>(Kast::divide);
        break;
      case Op::power:
        if constexpr (is_real_v<T> || is_integer_v<T>) return Table::template make<T, T, T>(Kast::power);
        break;
      case Op::fma:
        if constexpr (is_real_v<T>) return Table::template make<T, T, T, T>(Kast::fma);
        break;
      default: break;
    }
    return nullptr;
  });
}

/// One input: signs, roundings, and the functions of the mathematics library.
template <class Table>
typename Table::Entry math_entry(Op op, DType dtype) {
  return with_type<Table>(dtype, [op](auto value) -> typename Table::Entry {
    using T = decltype(value);
    if constexpr (!std::is_same_v<T, bool>) {
      if (op == Op::negative) return Table::template make<T, T>(Kast::negative);
    }
    if constexpr (Impl::is_complex_v<T>) {
      if (op == Op::absolute) return Table::template make<typename T::value_type, T>(Kast::absolute);
      return Table::template make_complex<T>(op);
    } else {
      if (op == Op::absolute) return Table::template make<T, T>(Kast::absolute);
      if (op == Op::floor) return Table::template make<T, T>(Kast::floor);
      if (op == Op::ceil) return Table::template make<T, T>(Kast::ceil);
    }
    if constexpr (is_real_v<T>) {
      if (op == Op::sqrt) return Table::template make<T, T>(Kast::sqrt);
      if (op == Op::exp) return Table::template make<T, T>(Kast::exp);
      if (op == Op::log) return Table::template make<T, T>(Kast::log);
      if (op == Op::sin) return Table::template make<T, T>(Kast::sin);
      if (op == Op::cos) return Table::template make<T, T>(Kast::cos);
      if (op == Op::tanh) return Table::template make<T, T>(Kast::tanh);
    }
    return nullptr;
  });
}

template <class Table, class A, class B>
typename Table::Entry compare_entry(Op op) {
  switch (op) {
    case Op::equal: return Table::template make<bool, A, B>(Kast::equal);
    case Op::not_equal: return Table::template make<bool, A, B>(Kast::not_equal);
    case Op::less: return Table::template make<bool, A, B>(Kast::less);
    case Op::less_equal: return Table::template make<bool, A, B>(Kast::less_equal);
    case Op::greater: return Table::template make<bool, A, B>(Kast::greater);
    case Op::greater_equal: return Table::template make<bool, A, B>(Kast::greater_equal);
    default: return nullptr;
  }
}

/// A truth value from one input or two. i8 and u8 are the only two types that are compared without being cast to one.
template <class Table>
typename Table::Entry predicate_entry(Op op, DType first, DType second) {
  if constexpr (Table::template takes<std::int64_t> && Table::template takes<std::uint64_t>) {
    if (first == DType::i8 && second == DType::u8) return compare_entry<Table, std::int64_t, std::uint64_t>(op);
    if (first == DType::u8 && second == DType::i8) return compare_entry<Table, std::uint64_t, std::int64_t>(op);
  }
  if (first != second) return nullptr;
  return with_type<Table>(second, [op](auto value) -> typename Table::Entry {
    using T = decltype(value);
    switch (op) {
      case Op::logical_and: return Table::template make<bool, T, T>(Kast::logical_and);
      case Op::logical_or: return Table::template make<bool, T, T>(Kast::logical_or);
      case Op::logical_xor: return Table::template make<bool, T, T>(Kast::logical_xor);
      case Op::logical_not: return Table::template make<bool, T>(Kast::logical_not);
      default: return compare_entry<Table, T, T>(op);
    }
  });
}

/// The bits of integers, and truth values.
template <class Table>
typename Table::Entry bit_entry(Op op, DType dtype) {
  return with_type<Table>(dtype, [op](auto value) -> typename Table::Entry {
    using T = decltype(value);
    if constexpr (std::is_integral_v<T>) {
      if (op == Op::bitwise_and) return Table::template make<T, T, T>(Kast::bitwise_and);
      if (op == Op::bitwise_or) return Table::template make<T, T, T>(Kast::bitwise_or);
      if (op == Op::bitwise_xor) return Table::template make<T, T, T>(Kast::bitwise_xor);
      if (op == Op::invert) return Table::template make<T, T>(Kast::invert);
    }
    if constexpr (is_integer_v<T>) {
      if (op == Op::left_shift) return Table::template make<T, T, T>(Kast::left_shift);
      if (op == Op::right_shift) return Table::template make<T, T, T>(Kast::right_shift);
    }
    return nullptr;
  });
}

/// Values that are moved without being computed with: an entry for each size of a value, whatever its type.
template <class Table>
typename Table::Entry move_entry(Op op, DType dtype) {
  const auto moved = [op](auto value) -> typename Table::Entry {
    using T = decltype(value);
    if (op == Op::select) return Table::template make<T, bool, T, T>(Kast::select);
    if (op == Op::copy || op == Op::cast) return Table::template make<T, T>(Kast::copy);
    return nullptr;
  };
  switch (size_of(dtype)) {
    case 1: return moved(std::uint8_t{});
    case 2: return moved(std::uint16_t{});
    case 4: return moved(std::uint32_t{});
    case 8: return moved(std::uint64_t{});
    case 16: return moved(Kokkos::complex<double>{});
    default: return nullptr;
  }
}

}  // namespace Kast::Tool
