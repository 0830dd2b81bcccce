// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions, rounding, selection, copies and casts of Math.hpp, against the C++ library.
#include "TestMath.hpp"

namespace {

using namespace KastTest;

template <class T>
std::complex<double> standard(const T& z) {
  return {z.real(), z.imag()};
}
Complex kokkos(const std::complex<double>& z) { return Complex(z.real(), z.imag()); }

TEST(Math, FunctionsOfRealNumbers) {
  for_types(RealTypes{}, []<class T>(std::type_identity<T>) {
    expect_everywhere<T>(Kast::sqrt, [](T a) { return std::sqrt(a); });
    expect_everywhere<T>(
        Kast::exp, [](T a) { return std::exp(a); }, transcendental);
    expect_everywhere<T>(
        Kast::log, [](T a) { return std::log(a); }, transcendental);
    expect_everywhere<T>(
        Kast::sin, [](T a) { return std::sin(a); }, transcendental);
    expect_everywhere<T>(
        Kast::cos, [](T a) { return std::cos(a); }, transcendental);
    expect_everywhere<T>(
        Kast::tanh, [](T a) { return std::tanh(a); }, transcendental);
    expect_everywhere<T>(Kast::floor, [](T a) { return std::floor(a); });
    expect_everywhere<T>(Kast::ceil, [](T a) { return std::ceil(a); });
  });
}

TEST(Math, FunctionsTakeIntegersAsDouble) {
  for_types(IntegerTypes{}, []<class T>(std::type_identity<T>) {
    expect_everywhere<T>(Kast::sqrt, [](T a) { return std::sqrt(double(a)); });
    expect_everywhere<T>(
        Kast::exp, [](T a) { return std::exp(double(a)); }, transcendental);
    expect_everywhere<T>(
        Kast::log, [](T a) { return std::log(double(a)); }, transcendental);
    expect_everywhere<T>(
        Kast::sin, [](T a) { return std::sin(double(a)); }, transcendental);
    expect_everywhere<T>(
        Kast::cos, [](T a) { return std::cos(double(a)); }, transcendental);
    expect_everywhere<T>(
        Kast::tanh, [](T a) { return std::tanh(double(a)); }, transcendental);
    expect_everywhere<T>(Kast::floor, [](T a) { return a; });
    expect_everywhere<T>(Kast::ceil, [](T a) { return a; });
  });
}

// Formulas differ between libraries: close in magnitude, on plain values.
TEST(Math, FunctionsOfComplexNumbers) {
  const auto values = plain_values<Complex>();
  expect_reference(
      Kast::sqrt, 8, [](Complex z) { return kokkos(std::sqrt(standard(z))); }, values);
  expect_reference(
      Kast::exp, 8, [](Complex z) { return kokkos(std::exp(standard(z))); }, values);
  expect_reference(
      Kast::log, 8, [](Complex z) { return kokkos(std::log(standard(z))); }, values);
  expect_reference(
      Kast::sin, 8, [](Complex z) { return kokkos(std::sin(standard(z))); }, values);
  expect_reference(
      Kast::cos, 8, [](Complex z) { return kokkos(std::cos(standard(z))); }, values);
  expect_reference(
      Kast::tanh, 64, [](Complex z) { return kokkos(std::tanh(standard(z))); }, values);
}

TEST(Math, Select) {
  expect_everywhere<bool, double, double>(Kast::select, [](bool c, double a, double b) { return c ? a : b; });
  expect_everywhere<bool, std::int8_t, std::int8_t>(Kast::select,
                                                    [](bool c, std::int8_t a, std::int8_t b) { return c ? a : b; });
  expect_everywhere<double, std::int32_t, float>(Kast::select, [](double c, std::int32_t a, float b) {
    return c != 0 ? float(a) : b;
  });
  expect_everywhere<std::int32_t, Complex, double>(Kast::select, [](std::int32_t c, Complex a, double b) {
    return c != 0 ? a : Complex(b, 0);
  });
}

TEST(Math, Copy) {
  for_types(decltype(IntegerTypes{} + RealTypes{} + List<bool, Complex>{}){},
            []<class T>(std::type_identity<T>) { expect_everywhere<T>(Kast::copy, [](T a) { return a; }); });
}

TEST(Math, Cast) {
  expect_everywhere<double>(Kast::cast<float>, [](double a) { return static_cast<float>(a); });
  expect_everywhere<double>(Kast::cast<bool>, [](double a) { return a != 0; });
  expect_everywhere<Complex>(Kast::cast<bool>, [](Complex a) { return a.real() != 0 || a.imag() != 0; });
  expect_everywhere<Complex>(Kast::cast<float>, [](Complex a) { return static_cast<float>(a.real()); });
  expect_everywhere<std::int32_t>(Kast::cast<std::int8_t>, [](std::int32_t a) { return static_cast<std::int8_t>(a); });
  expect_everywhere<std::int32_t>(Kast::cast<std::uint64_t>,
                                  [](std::int32_t a) { return static_cast<std::uint64_t>(a); });
  expect_everywhere<std::uint64_t>(Kast::cast<float>, [](std::uint64_t a) { return static_cast<float>(a); });
  expect_everywhere<bool>(Kast::cast<double>, [](bool a) { return a ? 1.0 : 0.0; });
  expect_everywhere<float>(Kast::cast<Complex>, [](float a) { return Complex(a, 0); });
  // Towards zero, for values that the target holds; others are undefined in C++.
  expect_reference(
      Kast::cast<std::int32_t>, 0, [](double a) { return static_cast<std::int32_t>(a); }, plain_values<double>());
}

}  // namespace
