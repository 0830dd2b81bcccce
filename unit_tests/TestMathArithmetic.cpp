// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of Math.hpp: add to clip, on special values of every type, against references on wide integers and plain formulas.
#include "TestMath.hpp"

namespace {

using namespace KastTest;

template <class T>
bool is_nan(const T& a) {
  if constexpr (is_complex_v<T>) return std::isnan(a.real()) || std::isnan(a.imag());
  else if constexpr (std::is_floating_point_v<T>) return std::isnan(a);
  else return false;
}
// Lexicographic for complex numbers; false where a part that is looked at is NaN.
template <class T>
bool before(const T& a, const T& b) {
  if constexpr (!is_complex_v<T>) return a < b;
  else if (is_nan(a.imag()) || is_nan(b.imag())) return false;
  else return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
}
template <class T>
T smaller(T a, T b) {
  if (is_nan(a)) return a;
  return before(a, b) ? a : b;
}
template <class T>
T larger(T a, T b) {
  if (is_nan(a)) return a;
  return before(b, a) ? a : b;
}

TEST(Math, Integers) {
  for_types(IntegerTypes{}, []<class T>(std::type_identity<T>) {
    using R = result_t<T>;
    expect_everywhere<T, T>(Kast::add, [](T a, T b) { return wrap<R>(Wide(a) + Wide(b)); });
    expect_everywhere<T, T>(Kast::subtract, [](T a, T b) { return wrap<R>(Wide(a) - Wide(b)); });
    expect_everywhere<T, T>(Kast::multiply, [](T a, T b) {
      return wrap<R>(static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b)));
    });
    expect_everywhere<T, T>(Kast::divide, [](T a, T b) { return b == 0 ? R(0) : wrap<R>(Wide(a) / Wide(b)); });
    expect_everywhere<T, T>(Kast::minimum, [](T a, T b) { return R(std::min(a, b)); });
    expect_everywhere<T, T>(Kast::maximum, [](T a, T b) { return R(std::max(a, b)); });
    expect_everywhere<T>(Kast::negative, [](T a) { return wrap<R>(-Wide(a)); });
    expect_everywhere<T>(Kast::absolute, [](T a) { return wrap<T>(is_negative(a) ? -Wide(a) : Wide(a)); });
    expect_everywhere<T, T, T>(Kast::fma, [](T a, T b, T c) {
      return wrap<R>(static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b)) +
                     Wide(c));
    });
    expect_everywhere<T, T, T>(Kast::clip, [](T a, T low, T high) { return R(std::min(std::max(a, low), high)); });
  });
}

TEST(Math, IntegersOfTwoTypes) {
  expect_everywhere<std::int32_t, std::uint32_t>(Kast::add, [](std::int32_t a, std::uint32_t b) {
    return wrap<std::uint32_t>(Wide(a) + b);
  });
  expect_everywhere<std::int8_t, std::uint64_t>(Kast::multiply, [](std::int8_t a, std::uint64_t b) {
    return std::uint64_t(std::int64_t(a)) * b;
  });
  expect_everywhere<std::uint8_t, std::uint8_t>(Kast::subtract,
                                                [](std::uint8_t a, std::uint8_t b) { return int(a) - int(b); });
  expect_everywhere<std::int64_t, std::int32_t>(Kast::divide, [](std::int64_t a, std::int32_t b) {
    return b == 0 ? std::int64_t(0) : wrap<std::int64_t>(Wide(a) / b);
  });
  expect_everywhere<std::int32_t, std::uint32_t>(Kast::minimum, [](std::int32_t a, std::uint32_t b) {
    return std::min(std::uint32_t(a), b);
  });
}

// a^e by the definition: wrapped products; 1/a^|e| truncated towards zero for negative e, and 0 for a = 0.
template <class R>
R power_of(R a, Wide e) {
  if (e < 0) {
    if (a == 1) return 1;
    if (std::is_signed_v<R> && a == R(-1)) return e % 2 == 0 ? R(1) : R(-1);
    return 0;
  }
  using U = std::make_unsigned_t<R>;
  if (e == 0) return 1;
  const U root = static_cast<U>(power_of<R>(a, e / 2));
  return static_cast<R>(e % 2 == 0 ? root * root : root * root * static_cast<U>(a));
}

TEST(Math, IntegerPowers) {
  for_types(IntegerTypes{}, []<class T>(std::type_identity<T>) {
    expect_everywhere<T, T>(Kast::power, [](T a, T b) { return power_of<result_t<T>>(a, b); });
  });
  expect_everywhere<std::int32_t, std::int8_t>(Kast::power, [](std::int32_t a, std::int8_t b) {
    return power_of<std::int32_t>(a, b);
  });
  expect_everywhere<std::uint32_t, std::int32_t>(Kast::power, [](std::uint32_t a, std::int32_t b) {
    return power_of<std::uint32_t>(a, b);
  });
  expect_everywhere<std::int8_t, std::uint64_t>(Kast::power, [](std::int8_t a, std::uint64_t b) {
    return power_of<std::uint64_t>(std::uint64_t(std::int64_t(a)), Wide(b));
  });
}

TEST(Math, RealNumbers) {
  for_types(RealTypes{}, []<class T>(std::type_identity<T>) {
    expect_everywhere<T, T>(Kast::add, [](T a, T b) { return a + b; });
    expect_everywhere<T, T>(Kast::subtract, [](T a, T b) { return a - b; });
    expect_everywhere<T, T>(Kast::multiply, [](T a, T b) { return a * b; });
    expect_everywhere<T, T>(Kast::divide, [](T a, T b) { return a / b; });
    expect_everywhere<T, T>(Kast::minimum, [](T a, T b) { return smaller(a, b); });
    expect_everywhere<T, T>(Kast::maximum, [](T a, T b) { return larger(a, b); });
    expect_everywhere<T>(Kast::negative, [](T a) { return -a; });
    expect_everywhere<T>(Kast::absolute, [](T a) { return std::fabs(a); });
    expect_everywhere<T, T, T>(Kast::fma, [](T a, T b, T c) { return std::fma(a, b, c); });
    expect_everywhere<T, T, T>(Kast::clip, [](T a, T low, T high) { return smaller(larger(a, low), high); });
    expect_everywhere<T, T>(
        Kast::power, [](T a, T b) { return std::pow(a, b); }, transcendental);
  });
}

TEST(Math, RealNumbersWithIntegers) {
  expect_everywhere<float, std::int32_t>(Kast::multiply,
                                         [](float a, std::int32_t b) { return a * static_cast<float>(b); });
  expect_everywhere<std::int8_t, double>(Kast::subtract, [](std::int8_t a, double b) { return a - b; });
  expect_everywhere<float, double>(Kast::divide, [](float a, double b) { return a / b; });
  expect_everywhere<double, std::int32_t>(
      Kast::power, [](double a, std::int32_t b) { return std::pow(a, b); }, transcendental);
  expect_everywhere<float, float, double>(Kast::fma,
                                          [](float a, float b, double c) { return std::fma(double(a), double(b), c); });
}

// R. L. Smith's division: scaled by the larger part of the divisor.
Complex quotient(const Complex& x, const Complex& y) {
  const double c = y.real(), d = y.imag();
  if (std::fabs(c) >= std::fabs(d)) {
    if (c == 0 && d == 0) return Complex(x.real() / std::fabs(c), x.imag() / std::fabs(c));
    const double ratio = d / c, scale = 1 / (c + d * ratio);
    return Complex((x.real() + x.imag() * ratio) * scale, (x.imag() - x.real() * ratio) * scale);
  }
  const double ratio = c / d, scale = 1 / (d + c * ratio);
  return Complex((x.real() * ratio + x.imag()) * scale, (x.imag() * ratio - x.real()) * scale);
}
Complex product(const Complex& a, const Complex& b) {
  return Complex(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}
Complex sum(const Complex& a, const Complex& b) { return Complex(a.real() + b.real(), a.imag() + b.imag()); }

TEST(Math, ComplexNumbers) {
  using T = Complex;
  expect_everywhere<T, T>(Kast::add, sum);
  expect_everywhere<T, T>(Kast::subtract, [](T a, T b) { return T(a.real() - b.real(), a.imag() - b.imag()); });
  expect_everywhere<T, T>(Kast::multiply, product);
  expect_everywhere<T, T>(Kast::divide, quotient);
  expect_everywhere<T, T>(Kast::minimum, [](T a, T b) { return smaller(a, b); });
  expect_everywhere<T, T>(Kast::maximum, [](T a, T b) { return larger(a, b); });
  expect_everywhere<T>(Kast::negative, [](T a) { return T(-a.real(), -a.imag()); });
  expect_everywhere<T>(
      Kast::absolute, [](T a) { return std::hypot(a.real(), a.imag()); }, transcendental);
  expect_reference(
      Kast::fma, 0, [](T a, T b, T c) { return sum(product(a, b), c); }, special_values<T>(), plain_values<T>(),
      plain_values<T>());
  expect_reference(
      Kast::clip, 0, [](T a, T low, T high) { return smaller(larger(a, low), high); }, special_values<T>(),
      plain_values<T>(), plain_values<T>());
  expect_everywhere<T, double>(Kast::multiply, [](T a, double b) { return product(a, T(b, 0)); });
  expect_everywhere<float, T>(Kast::add, [](float a, T b) { return sum(T(double(a), 0), b); });
  expect_reference(
      Kast::power, 256,
      [](T a, T b) {
        const auto value = std::pow(std::complex<double>(a.real(), a.imag()), std::complex<double>(b.real(), b.imag()));
        return T(value.real(), value.imag());
      },
      plain_values<T>(), plain_values<T>());
}

}  // namespace
