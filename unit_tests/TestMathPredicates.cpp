// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons, logic and bits of Math.hpp, against wide integers.
#include "TestMath.hpp"

namespace {

using namespace KastTest;

// -1, 0 or 1 by mathematical value; 2 where there is no order. Complex numbers lexicographically.
template <class A, class B>
int compare(const A& a, const B& b) {
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
    return Wide(a) < Wide(b) ? -1 : Wide(a) > Wide(b);
  } else if constexpr (is_complex_v<A>) {
    if (a.real() != a.real() || a.imag() != a.imag() || b.real() != b.real() || b.imag() != b.imag()) return 2;
    return a.real() != b.real() ? compare(a.real(), b.real()) : compare(a.imag(), b.imag());
  } else {
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2;
  }
}

template <class A, class B>
void expect_comparisons() {
  expect_everywhere<A, B>(Kast::equal, [](A a, B b) { return compare(a, b) == 0; });
  expect_everywhere<A, B>(Kast::not_equal, [](A a, B b) { return compare(a, b) != 0; });
  expect_everywhere<A, B>(Kast::less, [](A a, B b) { return compare(a, b) == -1; });
  expect_everywhere<A, B>(Kast::less_equal, [](A a, B b) { return compare(a, b) == -1 || compare(a, b) == 0; });
  expect_everywhere<A, B>(Kast::greater, [](A a, B b) { return compare(a, b) == 1; });
  expect_everywhere<A, B>(Kast::greater_equal, [](A a, B b) { return compare(a, b) == 1 || compare(a, b) == 0; });
}
TEST(Math, Comparisons) {
  for_types(decltype(IntegerTypes{} + RealTypes{} + List<Complex>{}){},
            []<class T>(std::type_identity<T>) { expect_comparisons<T, T>(); });
}
TEST(Math, ComparisonsOfDifferentSignednessAreByValue) {
  expect_comparisons<std::int32_t, std::uint32_t>();
  expect_comparisons<std::uint64_t, std::int8_t>();
  expect_comparisons<float, double>();
}

template <class T>
bool holds(const T& a) {
  if constexpr (is_complex_v<T>) return a.real() != 0 || a.imag() != 0;
  else return a != 0;
}
TEST(Math, Logic) {
  for_types(List<bool, std::int8_t, double, Complex>{}, []<class T>(std::type_identity<T>) {
    expect_everywhere<T, T>(Kast::logical_and, [](T a, T b) { return holds(a) && holds(b); });
    expect_everywhere<T, T>(Kast::logical_or, [](T a, T b) { return holds(a) || holds(b); });
    expect_everywhere<T, T>(Kast::logical_xor, [](T a, T b) { return holds(a) != holds(b); });
    expect_everywhere<T>(Kast::logical_not, [](T a) { return !holds(a); });
  });
  expect_everywhere<double, std::int32_t>(Kast::logical_and,
                                          [](double a, std::int32_t b) { return holds(a) && holds(b); });
}

TEST(Math, Bits) {
  for_types(IntegerTypes{}, []<class T>(std::type_identity<T>) {
    using R = result_t<T>;
    expect_everywhere<T, T>(Kast::bitwise_and, [](T a, T b) { return wrap<R>(Wide(a) & Wide(b)); });
    expect_everywhere<T, T>(Kast::bitwise_or, [](T a, T b) { return wrap<R>(Wide(a) | Wide(b)); });
    expect_everywhere<T, T>(Kast::bitwise_xor, [](T a, T b) { return wrap<R>(Wide(a) ^ Wide(b)); });
    expect_everywhere<T>(Kast::invert, [](T a) { return wrap<T>(-1 - Wide(a)); });
  });
  expect_everywhere<bool, bool>(Kast::bitwise_and, [](bool a, bool b) { return a && b; });
  expect_everywhere<bool, bool>(Kast::bitwise_or, [](bool a, bool b) { return a || b; });
  expect_everywhere<bool, bool>(Kast::bitwise_xor, [](bool a, bool b) { return a != b; });
  expect_everywhere<bool>(Kast::invert, [](bool a) { return !a; });
}

// Shifts as products and floored quotients; all bits leave for counts outside [0, bits).
template <class A, class B>
void expect_shifts() {
  const auto outside = [](B b) { return Wide(b) < 0 || Wide(b) >= Wide(8 * sizeof(A)); };
  expect_everywhere<A, B>(Kast::left_shift, [=](A a, B b) {
    return outside(b) ? A(0) : wrap<A>(Wide(static_cast<unsigned __int128>(Wide(a)) << int(b)));
  });
  expect_everywhere<A, B>(Kast::right_shift, [=](A a, B b) {
    if (outside(b)) return A(is_negative(a) ? -1 : 0);
    const Wide divisor = Wide(1) << int(b);
    return wrap<A>((Wide(a) - (is_negative(a) ? divisor - 1 : 0)) / divisor);
  });
}
TEST(Math, Shifts) {
  for_types(IntegerTypes{}, []<class T>(std::type_identity<T>) { expect_shifts<T, T>(); });
  expect_shifts<std::int8_t, std::int32_t>();
  expect_shifts<std::int32_t, std::uint64_t>();
  expect_shifts<std::uint64_t, std::int8_t>();
}

}  // namespace
