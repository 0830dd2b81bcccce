// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the objects of Math.hpp are tested: each runs over every combination of special values of its argument types, and every
// result is held against a reference written out in the test. Reference and result must agree in type, too.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include <Kast/Math.hpp>

#include "TestUtils.hpp"

namespace KastTest {

using Wide = __int128;

template <class T>
inline constexpr bool is_complex_v = Kast::Impl::is_complex_v<T>;

/// C++'s type for an operator on A and B.
template <class A, class B = A>
using result_t = Kast::Impl::operator_t<A, B>;

/// An integer of any size in R, by its lowest bits.
template <class R>
R wrap(Wide value) {
  return static_cast<R>(static_cast<std::uint64_t>(value));
}

/// Values at which functions may go wrong, and a few plain ones.
template <class T>
std::vector<T> special_values() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  } else if constexpr (std::is_integral_v<T>) {
    std::vector<T> values{0,
                          1,
                          2,
                          3,
                          5,
                          7,
                          8,
                          31,
                          32,
                          63,
                          64,
                          100,
                          Limits::min(),
                          Limits::max(),
                          T(Limits::min() + 1),
                          T(Limits::max() - 1)};
    if constexpr (std::is_signed_v<T>) values.insert(values.end(), {T(-1), T(-2), T(-3), T(-8), T(-64), T(-100)});
    return values;
  } else if constexpr (is_complex_v<T>) {
    using R = typename T::value_type;
    std::vector<T> values;
    for (R real : {R(0), -R(0), R(1), R(-2.5), R(0.75), R(INFINITY), R(NAN)})
      for (R imag : {R(0), R(1), R(-2.5), -R(INFINITY), R(NAN)}) values.push_back(T(real, imag));
    return values;
  } else {
    return {T(0),
            -T(0),
            T(1),
            T(-1),
            T(0.5),
            T(-0.5),
            T(2),
            T(-3),
            T(1.5),
            T(2.5),
            T(-2.5),
            T(3.999),
            T(10),
            T(-100.25),
            T(1e10),
            T(-1e-10),
            T(3.14159265358979),
            Limits::infinity(),
            -Limits::infinity(),
            Limits::quiet_NaN(),
            Limits::min(),
            Limits::denorm_min(),
            Limits::max(),
            Limits::lowest(),
            Limits::epsilon()};
  }
}
/// Finite values of moderate size.
template <class T>
std::vector<T> plain_values() {
  std::vector<T> values;
  for (std::uint64_t k = 1; k <= 40; ++k)
    values.push_back(value_from<T>(k * 0x9e3779b97f4a7c15u * 0xd1b54a32d192ed03u));
  return values;
}

/// Representable numbers between a and b.
template <class T>
double ulps_between(const T& a, const T& b) {
  if (same_value(a, b)) return 0;
  if (a != a || b != b || std::isinf(a) || std::isinf(b) || a == b) return INFINITY;  // zeros of different sign differ
  const T step = std::nextafter(std::max(std::fabs(a), std::fabs(b)), std::numeric_limits<T>::infinity()) -
                 std::max(std::fabs(a), std::fabs(b));
  return static_cast<double>(std::fabs(a - b) / step);
}

/// Bit for bit; `ulps` more are allowed where it is not 0. Complex numbers: relative to the magnitude.
template <class T>
bool agrees(const T& got, const T& expected, double ulps) {
  if (same_value(got, expected)) return true;
  if (ulps == 0) return false;
  if constexpr (is_complex_v<T>) {
    using R       = typename T::value_type;
    const R error = std::hypot(got.real() - expected.real(), got.imag() - expected.imag());
    return error <= R(ulps) * std::numeric_limits<R>::epsilon() * std::hypot(expected.real(), expected.imag());
  } else if constexpr (std::is_floating_point_v<T>) {
    return ulps_between(got, expected) <= ulps;
  } else {
    return false;
  }
}

/// Ulps that transcendental functions may be off: none on hosts, where they are the compiler's own.
#if defined(KOKKOS_ENABLE_CUDA)
inline constexpr double transcendental = 4;
#else
inline constexpr double transcendental = 0;
#endif

template <int Rank, int Axis, class T>
auto along(const std::vector<T>& values) {
  Extents extents = Extents::filled(Rank, 1);
  extents[Axis]   = values.size();
  Array<T, Kokkos::DefaultExecutionSpace> array(dense(extents));
  for (std::size_t k = 0; k < values.size(); ++k) array.host(k) = values[k];
  array.upload();
  return array;
}

/// Runs `ufunc` over all combinations of the given values and compares with `reference`.
template <class U, class Reference, class... T>
void expect_reference(const U& ufunc, double ulps, const Reference& reference, const std::vector<T>&... values) {
  constexpr int rank = int(sizeof...(T));
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto arrays = std::tuple(along<rank, int(I)>(values)...);
    // Two kernels an operation on devices: which one computes does not matter here, and nvcc is slow.
    const auto result =
        ufunc(std::get<I>(arrays).template view<Kokkos::LayoutRight, rank>()..., Kast::Experimental::policy::compact);
    using R = typename std::remove_const_t<decltype(result)>::value_type;
    static_assert(std::is_same_v<R, std::remove_cv_t<decltype(reference(values[0]...))>>, "the result's type");
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, result);
    Extents extents;
    (extents.push_back(values.size()), ...);
    std::size_t k = 0;
    int wrong     = 0;
    for_each_index(extents, [&](const Extents& index) {
      const R got = host.data()[k++], expected = reference(values[index[I]]...);
      if (agrees(got, expected, ulps) || ++wrong > 3) return;
      std::string arguments;
      ((arguments += (I > 0 ? ", " : "") + text_of(values[index[I]])), ...);
      ADD_FAILURE() << U::function_type::name << '(' << arguments << ") of type " << value_name<R>() << ": got "
                    << text_of(got) << ", expected " << text_of(expected);
    });
    EXPECT_EQ(wrong, 0) << U::function_type::name << ": wrong results in all";
  }
  (std::index_sequence_for<T...>{});
}

/// The same over the special values of the argument types.
template <class... T, class U, class Reference>
void expect_everywhere(const U& ufunc, const Reference& reference, double ulps = 0) {
  expect_reference(ufunc, ulps, reference, special_values<T>()...);
}

using RealTypes = List<double, float>;
#if defined(KAST_ENABLE_ALL_TYPES)
using IntegerTypes = List<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                          std::uint32_t, std::uint64_t>;
#elif defined(KOKKOS_ENABLE_CUDA)
using IntegerTypes                     = List<std::int8_t, std::uint64_t>;  // nvcc takes minutes for each further one
#else
using IntegerTypes = List<std::int8_t, std::int32_t, std::uint64_t>;
#endif

/// Whether a < 0, for all integers; compilers warn of that comparison for unsigned ones.
template <class T>
bool is_negative(const T& a) {
  if constexpr (std::is_signed_v<T>) return a < 0;
  else return false;
}

/// Calls f(type_identity<T>) for every type of the list.
template <class... T, class F>
void for_types(List<T...>, const F& f) {
  (f(std::type_identity<T>{}), ...);
}

}  // namespace KastTest
