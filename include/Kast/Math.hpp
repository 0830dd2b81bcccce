// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The usual elementwise functions as Ufunc objects. Values are computed in C++'s types for the operator; signed integers wrap
// on overflow, as unsigned ones do, instead of being undefined. Each function says what else is its own.
#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include <Kast/Ufunc.hpp>

namespace Kast::Impl {
KAST_IMPL_FP_BEGIN

template <class T>
concept Integer = std::is_integral_v<T>;
template <class T>
concept Complex = is_complex_v<T>;
template <class T>
concept Real = std::is_arithmetic_v<T>;

/// C++'s type for an arithmetic operator on A and B; complex where one of them is.
template <class A, class B>
struct OperatorType {
  using type = decltype(std::declval<A>() * std::declval<B>());
};
template <class A, class B>
requires(Complex<A> || Complex<B>) struct OperatorType<A, B> {
  template <class T>
  static auto real_of() {
    if constexpr (Complex<T>) return typename T::value_type{};
    else return T{};
  }
  using real = decltype(real_of<A>() * real_of<B>());
  using type =
      std::conditional_t<is_std_complex_v<A> || is_std_complex_v<B>, std::complex<real>, Kokkos::complex<real>>;
};
template <class A, class B>
using operator_t = typename OperatorType<A, B>::type;

/// Calls op on both values in the operator's type; integers as unsigned numbers, so that overflow wraps.
template <class A, class B, class Op>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto wrapped(const A& a, const B& b, const Op& op) {
  using R = operator_t<A, B>;
  if constexpr (Integer<R>) {
    using U = std::make_unsigned_t<R>;
    return static_cast<R>(op(static_cast<U>(a), static_cast<U>(b)));
  } else {
    return static_cast<R>(op(element_from<R>(a), element_from<R>(b)));
  }
}

/// Whether a < b for any two real numbers; integers of different signedness compare by value.
template <class A, class B>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool less_values(const A& a, const B& b) {
  if constexpr (Integer<A> && Integer<B> && std::is_signed_v<A> != std::is_signed_v<B>) {
    if constexpr (std::is_signed_v<A>) return a < 0 || static_cast<std::make_unsigned_t<A>>(a) < b;
    else return b > 0 && a < static_cast<std::make_unsigned_t<B>>(b);
  } else if constexpr (Complex<A> || Complex<B>) {
    // Lexicographic, as in NumPy; nothing is less than a number with a NaN part.
    const auto x = element_from<operator_t<A, B>>(a), y = element_from<operator_t<A, B>>(b);
    return (x.real() < y.real() && x.imag() == x.imag() && y.imag() == y.imag()) ||
           (x.real() == y.real() && x.imag() < y.imag());
  } else {
    return a < b;
  }
}
template <class A, class B>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool equal_values(const A& a, const B& b) {
  if constexpr (Integer<A> && Integer<B> && std::is_signed_v<A> != std::is_signed_v<B>) {
    return !less_values(a, b) && !less_values(b, a);
  } else if constexpr (Complex<A> || Complex<B>) {
    const auto x = element_from<operator_t<A, B>>(a), y = element_from<operator_t<A, B>>(b);
    return x.real() == y.real() && x.imag() == y.imag();
  } else {
    return a == b;
  }
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_nan(const T& a) {
  if constexpr (Complex<T>) return a.real() != a.real() || a.imag() != a.imag();
  else return a != a;
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_true(const T& a) {
  return element_from<bool>(a);
}

struct Add {
  static constexpr std::string_view name = "Kast::add";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a, const B& b) const {
    return wrapped(a, b, [](const auto& x, const auto& y) { return x + y; });
  }
};
struct Subtract {
  static constexpr std::string_view name = "Kast::subtract";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a, const B& b) const {
    return wrapped(a, b, [](const auto& x, const auto& y) { return x - y; });
  }
};
struct Multiply {
  static constexpr std::string_view name = "Kast::multiply";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a, const B& b) const {
    return wrapped(a, b, [](const auto& x, const auto& y) {
      if constexpr (Complex<std::remove_cvref_t<decltype(x)>>)
        return std::remove_cvref_t<decltype(x)>(x.real() * y.real() - x.imag() * y.imag(),
                                                x.real() * y.imag() + x.imag() * y.real());
      else return x * y;
    });
  }
};
struct Divide {
  static constexpr std::string_view name = "Kast::divide";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a, const B& b) const {
    using R      = operator_t<A, B>;
    const auto x = element_from<R>(a), y = element_from<R>(b);
    if constexpr (Integer<R>) {
      if (y == R(0)) return R(0);
      if constexpr (std::is_signed_v<R>) {
        if (y == R(-1)) return wrapped(R(0), x, [](auto p, auto q) { return p - q; });
      }
      return static_cast<R>(x / y);
    } else if constexpr (Complex<R>) {
      return divide_complex(x, y);
    } else {
      return x / y;
    }
  }

 private:
  // R. L. Smith, Algorithm 116: Complex division, CACM 5 (1962); the form that NumPy uses.
  template <class C>
  KOKKOS_FUNCTION static C divide_complex(const C& x, const C& y) {
    using T      = typename C::value_type;
    const T real = Kokkos::fabs(y.real()), imag = Kokkos::fabs(y.imag());
    if (real >= imag) {
      if (real == T(0) && imag == T(0)) return C(x.real() / real, x.imag() / real);
      const T ratio = y.imag() / y.real(), scale = T(1) / (y.real() + y.imag() * ratio);
      return C((x.real() + x.imag() * ratio) * scale, (x.imag() - x.real() * ratio) * scale);
    }
    const T ratio = y.real() / y.imag(), scale = T(1) / (y.imag() + y.real() * ratio);
    return C((x.real() * ratio + x.imag()) * scale, (x.imag() * ratio - x.real()) * scale);
  }
};
struct Minimum {
  static constexpr std::string_view name = "Kast::minimum";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a, const B& b) const {
    using R      = operator_t<A, B>;
    const auto x = element_from<R>(a), y = element_from<R>(b);
    return less_values(x, y) || is_nan(x) ? x : y;
  }
};
struct Maximum {
  static constexpr std::string_view name = "Kast::maximum";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a, const B& b) const {
    using R      = operator_t<A, B>;
    const auto x = element_from<R>(a), y = element_from<R>(b);
    return less_values(y, x) || is_nan(x) ? x : y;
  }
};
struct Power {
  static constexpr std::string_view name = "Kast::power";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a, const B& b) const {
    if constexpr (Integer<A> && Integer<B>) return integer_power(element_from<operator_t<A, B>>(a), b);
    else if constexpr (Complex<A> || Complex<B>)
      return element_from<operator_t<A, B>>(Kokkos::pow(kokkos(a), kokkos(b)));
    else return Kokkos::pow(a, b);
  }

 private:
  template <class T>
  KOKKOS_FUNCTION static constexpr auto kokkos(const T& a) {
    if constexpr (is_std_complex_v<T>) return Kokkos::complex<typename T::value_type>(a.real(), a.imag());
    else return a;
  }
  // By squaring, wrapping on overflow. A negative exponent gives 1/base^|exponent| truncated to an integer; for base 0: 0.
  template <class R, class E>
  KOKKOS_FUNCTION static constexpr R integer_power(R base, E exponent) {
    using U = std::make_unsigned_t<R>;
    if constexpr (std::is_signed_v<E>) {
      if (exponent < E(0)) {
        if (base == R(1)) return R(1);
        if constexpr (std::is_signed_v<R>) {
          if (base == R(-1)) return exponent % E(2) == E(0) ? R(1) : R(-1);
        }
        return R(0);
      }
    }
    U result = 1, square = static_cast<U>(base);
    for (auto rest = exponent; rest != E(0); rest = static_cast<E>(rest / E(2))) {
      if (rest % E(2) != E(0)) result *= square;
      square *= square;
    }
    return static_cast<R>(result);
  }
};
struct Negative {
  static constexpr std::string_view name = "Kast::negative";
  template <class A>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a) const {
    if constexpr (Integer<A>) return wrapped(A(0), a, [](auto x, auto y) { return x - y; });
    else return -a;
  }
};
struct Absolute {
  static constexpr std::string_view name = "Kast::absolute";
  template <class A>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a) const {
    if constexpr (Complex<A>) return Kokkos::hypot(a.real(), a.imag());
    else if constexpr (std::is_unsigned_v<A>) return a;
    else if constexpr (Integer<A>) return a < A(0) ? static_cast<A>(Negative{}(a)) : a;
    else return Kokkos::fabs(a);
  }
};

/// A function of Kokkos' mathematical functions: integers are taken as double.
#define KAST_IMPL_MATH_FUNCTION(Name, function)                                                                \
  struct Name {                                                                                                \
    static constexpr std::string_view name = "Kast::" #function;                                               \
    template <class A>                                                                                         \
    KOKKOS_FUNCTION auto operator()(const A& a) const {                                                        \
      if constexpr (Integer<A>) return Kokkos::function(static_cast<double>(a));                               \
      else if constexpr (is_std_complex_v<A>)                                                                  \
        return element_from<A>(Kokkos::function(Kokkos::complex<typename A::value_type>(a.real(), a.imag()))); \
      else return Kokkos::function(a);                                                                         \
    }                                                                                                          \
  };
KAST_IMPL_MATH_FUNCTION(Sqrt, sqrt)
KAST_IMPL_MATH_FUNCTION(Exp, exp)
KAST_IMPL_MATH_FUNCTION(Log, log)
KAST_IMPL_MATH_FUNCTION(Sin, sin)
KAST_IMPL_MATH_FUNCTION(Cos, cos)
KAST_IMPL_MATH_FUNCTION(Tanh, tanh)
#undef KAST_IMPL_MATH_FUNCTION

struct Floor {
  static constexpr std::string_view name = "Kast::floor";
  template <Real A>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a) const {
    if constexpr (Integer<A>) return a;
    else return Kokkos::floor(a);
  }
};
struct Ceil {
  static constexpr std::string_view name = "Kast::ceil";
  template <Real A>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a) const {
    if constexpr (Integer<A>) return a;
    else return Kokkos::ceil(a);
  }
};

struct Equal {
  static constexpr std::string_view name = "Kast::equal";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr bool operator()(const A& a, const B& b) const {
    return equal_values(a, b);
  }
};
struct NotEqual {
  static constexpr std::string_view name = "Kast::not_equal";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr bool operator()(const A& a, const B& b) const {
    return !equal_values(a, b);
  }
};
struct Less {
  static constexpr std::string_view name = "Kast::less";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr bool operator()(const A& a, const B& b) const {
    return less_values(a, b);
  }
};
struct LessEqual {
  static constexpr std::string_view name = "Kast::less_equal";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr bool operator()(const A& a, const B& b) const {
    return less_values(a, b) || equal_values(a, b);
  }
};
struct Greater {
  static constexpr std::string_view name = "Kast::greater";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr bool operator()(const A& a, const B& b) const {
    return less_values(b, a);
  }
};
struct GreaterEqual {
  static constexpr std::string_view name = "Kast::greater_equal";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr bool operator()(const A& a, const B& b) const {
    return less_values(b, a) || equal_values(a, b);
  }
};

struct LogicalAnd {
  static constexpr std::string_view name = "Kast::logical_and";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr bool operator()(const A& a, const B& b) const {
    return is_true(a) && is_true(b);
  }
};
struct LogicalOr {
  static constexpr std::string_view name = "Kast::logical_or";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr bool operator()(const A& a, const B& b) const {
    return is_true(a) || is_true(b);
  }
};
struct LogicalXor {
  static constexpr std::string_view name = "Kast::logical_xor";
  template <class A, class B>
  KOKKOS_FUNCTION constexpr bool operator()(const A& a, const B& b) const {
    return is_true(a) != is_true(b);
  }
};
struct LogicalNot {
  static constexpr std::string_view name = "Kast::logical_not";
  template <class A>
  KOKKOS_FUNCTION constexpr bool operator()(const A& a) const {
    return !is_true(a);
  }
};

/// The type of a bitwise operator: bool stays bool.
template <class A, class B>
using bitwise_t = std::conditional_t<std::is_same_v<A, bool> && std::is_same_v<B, bool>, bool, operator_t<A, B>>;

struct BitwiseAnd {
  static constexpr std::string_view name = "Kast::bitwise_and";
  template <Integer A, Integer B>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a, const B& b) const {
    return static_cast<bitwise_t<A, B>>(a & b);
  }
};
struct BitwiseOr {
  static constexpr std::string_view name = "Kast::bitwise_or";
  template <Integer A, Integer B>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a, const B& b) const {
    return static_cast<bitwise_t<A, B>>(a | b);
  }
};
struct BitwiseXor {
  static constexpr std::string_view name = "Kast::bitwise_xor";
  template <Integer A, Integer B>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a, const B& b) const {
    return static_cast<bitwise_t<A, B>>(a ^ b);
  }
};
struct Invert {
  static constexpr std::string_view name = "Kast::invert";
  template <Integer A>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a) const {
    if constexpr (std::is_same_v<A, bool>) return !a;
    else return static_cast<A>(~a);
  }
};
/// Shifts stay in the type of the value shifted. A count outside [0, bits) gives what shifting one by one would: 0, or -1 for
/// right shifts of negative values.
struct LeftShift {
  static constexpr std::string_view name = "Kast::left_shift";
  template <Integer A, Integer B>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a, const B& b) const {
    using R = std::conditional_t<std::is_same_v<A, bool>, int, A>;
    using U = std::make_unsigned_t<R>;
    if (less_values(b, 0) || !less_values(b, int(sizeof(R) * 8))) return R(0);
    return static_cast<R>(static_cast<unsigned long long>(static_cast<U>(a)) << b);
  }
};
struct RightShift {
  static constexpr std::string_view name = "Kast::right_shift";
  template <Integer A, Integer B>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a, const B& b) const {
    using R = std::conditional_t<std::is_same_v<A, bool>, int, A>;
    if (less_values(b, 0) || !less_values(b, int(sizeof(R) * 8))) return static_cast<R>(less_values(a, 0) ? -1 : 0);
    return static_cast<R>(a >> b);
  }
};

struct Select {
  static constexpr std::string_view name = "Kast::select";
  template <class C, class A, class B>
  KOKKOS_FUNCTION constexpr auto operator()(const C& condition, const A& a, const B& b) const {
    if constexpr (std::is_same_v<A, B>) return is_true(condition) ? a : b;
    else return is_true(condition) ? element_from<operator_t<A, B>>(a) : element_from<operator_t<A, B>>(b);
  }
};
struct Clip {
  static constexpr std::string_view name = "Kast::clip";
  template <class A, class L, class H>
  KOKKOS_FUNCTION constexpr auto operator()(const A& a, const L& low, const H& high) const {
    return Minimum{}(Maximum{}(a, low), high);
  }
};
struct Fma {
  static constexpr std::string_view name = "Kast::fma";
  template <class A, class B, class C>
  KOKKOS_FUNCTION auto operator()(const A& a, const B& b, const C& c) const {
    using R = operator_t<operator_t<A, B>, C>;
    if constexpr (std::is_floating_point_v<R>)
      return Kokkos::fma(static_cast<R>(a), static_cast<R>(b), static_cast<R>(c));
    else return Add{}(Multiply{}(a, b), c);
  }
};
struct Copy {
  static constexpr std::string_view name = "Kast::copy";
  template <class A>
  KOKKOS_FUNCTION constexpr A operator()(const A& a) const {
    return a;
  }
};
template <class T>
struct Cast {
  static constexpr std::string_view name = "Kast::cast";
  template <class A>
  KOKKOS_FUNCTION constexpr T operator()(const A& a) const {
    return element_from<T>(a);
  }
};

KAST_IMPL_FP_END
}  // namespace Kast::Impl

namespace Kast {
KAST_IMPL_FP_BEGIN

inline constexpr Ufunc<Impl::Add, 2> add{};
inline constexpr Ufunc<Impl::Subtract, 2> subtract{};
inline constexpr Ufunc<Impl::Multiply, 2> multiply{};
/// C++'s division: integers truncate towards zero, x / 0 is 0 and the most negative number / -1 wraps; floating-point as IEEE 754.
inline constexpr Ufunc<Impl::Divide, 2> divide{};
/// A NaN in either argument gives NaN. Complex numbers are ordered lexicographically.
inline constexpr Ufunc<Impl::Minimum, 2> minimum{};
inline constexpr Ufunc<Impl::Maximum, 2> maximum{};
/// Integers: by squaring, wrapping; a negative exponent gives 1/base^|exponent| truncated to an integer, and 0 for base 0.
inline constexpr Ufunc<Impl::Power, 2> power{};
/// Unsigned integers wrap: the negative of x is 2^bits - x.
inline constexpr Ufunc<Impl::Negative, 1> negative{};
/// The magnitude; a real number for complex arguments. The most negative integer stays as it is.
inline constexpr Ufunc<Impl::Absolute, 1> absolute{};
inline constexpr Ufunc<Impl::Sqrt, 1> sqrt{};
inline constexpr Ufunc<Impl::Exp, 1> exp{};
inline constexpr Ufunc<Impl::Log, 1> log{};
inline constexpr Ufunc<Impl::Sin, 1> sin{};
inline constexpr Ufunc<Impl::Cos, 1> cos{};
inline constexpr Ufunc<Impl::Tanh, 1> tanh{};
/// Integers stay as they are.
inline constexpr Ufunc<Impl::Floor, 1> floor{};
inline constexpr Ufunc<Impl::Ceil, 1> ceil{};
/// Comparisons give bool; integers of different signedness compare by value, complex numbers lexicographically.
inline constexpr Ufunc<Impl::Equal, 2> equal{};
inline constexpr Ufunc<Impl::NotEqual, 2> not_equal{};
inline constexpr Ufunc<Impl::Less, 2> less{};
inline constexpr Ufunc<Impl::LessEqual, 2> less_equal{};
inline constexpr Ufunc<Impl::Greater, 2> greater{};
inline constexpr Ufunc<Impl::GreaterEqual, 2> greater_equal{};
/// Logical functions ask whether arguments differ from zero, and give bool.
inline constexpr Ufunc<Impl::LogicalAnd, 2> logical_and{};
inline constexpr Ufunc<Impl::LogicalOr, 2> logical_or{};
inline constexpr Ufunc<Impl::LogicalXor, 2> logical_xor{};
inline constexpr Ufunc<Impl::LogicalNot, 1> logical_not{};
inline constexpr Ufunc<Impl::BitwiseAnd, 2> bitwise_and{};
inline constexpr Ufunc<Impl::BitwiseOr, 2> bitwise_or{};
inline constexpr Ufunc<Impl::BitwiseXor, 2> bitwise_xor{};
/// All bits flipped; for bool: not.
inline constexpr Ufunc<Impl::Invert, 1> invert{};
/// A count outside [0, bits) gives 0, and -1 for right shifts of negative numbers.
inline constexpr Ufunc<Impl::LeftShift, 2> left_shift{};
inline constexpr Ufunc<Impl::RightShift, 2> right_shift{};
/// select(condition, x, y): x where the condition differs from zero, else y.
inline constexpr Ufunc<Impl::Select, 3> select{};
/// clip(x, low, high) = minimum(maximum(x, low), high).
inline constexpr Ufunc<Impl::Clip, 3> clip{};
/// fma(a, b, c) = a * b + c, rounded once for real numbers.
inline constexpr Ufunc<Impl::Fma, 3> fma{};
/// Assigns: copy(source, target).
inline constexpr Ufunc<Impl::Copy, 1> copy{};
/// Converts to T: complex to real takes the real part, anything to bool asks for not zero.
template <class T>
inline constexpr Ufunc<Impl::Cast<T>, 1> cast{};

KAST_IMPL_FP_END
}  // namespace Kast
