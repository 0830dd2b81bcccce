// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Value types: what is computed with what is stored, which results an output accepts, and how a result becomes an element.
#pragma once

#include <Kokkos_Core.hpp>

#include <complex>
#include <type_traits>

#include <Kast/Operand.hpp>

namespace Kast::Impl {

template <class... T>
struct TypeList {
  static constexpr int size = int(sizeof...(T));
};

/// What a function is called with for an element of type T: half precision is storage only.
template <class T>
struct ComputeType {
  using type = T;
};
template <class T>
requires(dtype_of<T>() == DType::f2) struct ComputeType<T> {
  using type = float;
};
#if !(defined(KOKKOS_BHALF_T_IS_FLOAT) && KOKKOS_BHALF_T_IS_FLOAT)
template <>
struct ComputeType<Kokkos::Experimental::bhalf_t> {
  using type = float;
};
#endif
template <class T>
using compute_t = typename ComputeType<std::remove_cv_t<T>>::type;

/// NumPy's kinds, in the order in which same-kind casts may go.
enum class Kind { boolean, unsigned_integer, signed_integer, real, complex, other };

template <class T>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<T, bool>) return Kind::boolean;
  else if constexpr (std::is_integral_v<T>) return std::is_signed_v<T> ? Kind::signed_integer : Kind::unsigned_integer;
  else if constexpr (std::is_floating_point_v<T> || !std::is_same_v<compute_t<T>, T>) return Kind::real;
  else if constexpr (is_complex_v<T>) return Kind::complex;
  else return Kind::other;
}

/// Whether an output of type To accepts a result of type Result. The results of C++ operators on narrow unsigned integers
/// are `int` by promotion; `AllUnsigned` says that every argument was unsigned, so that such a result counts as unsigned.
template <class Result, class To, bool AllUnsigned>
constexpr bool accepts() {
  constexpr Kind to = kind_of<To>();
  constexpr Kind from =
      AllUnsigned && kind_of<Result>() == Kind::signed_integer ? Kind::unsigned_integer : kind_of<Result>();
  if constexpr (to == Kind::other || from == Kind::other) return std::is_convertible_v<Result, To>;
  else return from <= to;
}

/// The element for a result: as C++ converts; complex to real takes the real part, anything to bool asks for not zero.
template <class To, class From>
KOKKOS_FORCEINLINE_FUNCTION constexpr To element_from(const From& value) {
  if constexpr (std::is_same_v<To, From>) return value;
  else if constexpr (std::is_same_v<To, bool> && is_number_v<From>) return value != From(0);
  else if constexpr (is_complex_v<From> && is_complex_v<To>)
    return To(static_cast<typename To::value_type>(value.real()), static_cast<typename To::value_type>(value.imag()));
  else if constexpr (is_complex_v<From>) return static_cast<To>(value.real());
  else if constexpr (is_complex_v<To>) return To(static_cast<typename To::value_type>(value));
  else return static_cast<To>(value);
}

/// The argument for an element.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr compute_t<T> argument_from(const T& value) {
  return static_cast<compute_t<T>>(value);
}

}  // namespace Kast::Impl
