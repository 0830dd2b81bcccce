// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways to call a ufunc, on every space: ranks, numbers, rank-0 Views, masks, several outputs, many operands, casts,
// wrappers, allocated results, prepared calls.
#include <gtest/gtest.h>

#include <Kast/Math.hpp>

#include "TestUtils.hpp"

namespace {

using Kast::Extents;
using Kast::Strides;
using KastTest::Array;
using KastTest::dense;
using KastTest::for_each_index;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::LayoutStride;

struct Weighted {
  KOKKOS_FUNCTION double operator()(double a, double b, double c, double d) const { return a + 2 * b + 4 * c + 8 * d; }
};
struct QuotientAndRest {
  KOKKOS_FUNCTION void operator()(int a, int b, int& quotient, int& rest) const {
    quotient = a / b;
    rest     = a % b;
  }
};
struct Scaled {
  double factor;
  KOKKOS_FUNCTION double operator()(double a) const { return factor * a; }
};
struct Generic {
  template <class A, class B>
  KOKKOS_FUNCTION auto operator()(const A& a, const B& b) const {
    return a - b;
  }
};
struct Eleven {
  KOKKOS_FUNCTION double operator()() const { return 11; }
};
// A value type that Kast knows nothing of.
struct Color {
  std::uint8_t red, green, blue;
};
struct Darker {
  KOKKOS_FUNCTION Color operator()(Color c) const {
    return {std::uint8_t(c.red / 2), std::uint8_t(c.green / 2), std::uint8_t(c.blue / 2)};
  }
};

/// The expected array: `function` of the index at every index, the rest of the buffer as `out` began.
template <class T, class Space, class Function>
testing::AssertionResult holds(Array<T, Space>& out, std::uint64_t salt, const Function& function) {
  Array<T, Space> expected(out.place, salt);
  for_each_index(out.place.extents, [&](const Extents& index) { expected.at(index) = function(index); });
  Kokkos::fence();
  out.download();
  return same(out, expected);
}

/// The elements of a View of any layout, on the host, in C order.
template <class View>
auto elements_of(const View& view) {
  using T = typename View::non_const_value_type;
  Kokkos::fence();
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, view);
  std::vector<T> elements;
  const Kast::Operand operand = Kast::describe(mirror);
  for_each_index(operand.extents, [&](const Extents& index) {
    elements.push_back(mirror.data()[KastTest::position({operand.extents, operand.strides, 0, 0}, index)]);
  });
  return elements;
}

template <class SpaceType>
class UfuncCalls : public testing::Test {
 public:
  using Space  = SpaceType;
  using Memory = typename Space::memory_space;
  template <class Data, class Layout>
  using SpaceView = Kokkos::View<Data, Layout, Space>;
};
TYPED_TEST_SUITE(UfuncCalls, KastTest::SpaceTypes, KastTest::Names);

// Every rank of the output, with inputs of every lower or equal rank parity, as real Views.
template <class Space, int Rank>
void add_of_rank() {
  Extents extents;
  for (int axis = 0; axis < Rank; ++axis) extents.push_back(std::size_t(axis % 3 + 1));
  constexpr int low = Rank / 2;
  Extents inner;
  for (int axis = Rank - low; axis < Rank; ++axis) inner.push_back(extents[axis]);
  const Array<double, Space> a(dense(inner), 1), b(dense(extents, Kast::Order::left), 2);
  Array<double, Space> out(dense(extents), 3);
  Kast::add(a.template view<LayoutRight, low>(), b.template view<LayoutLeft, Rank>(),
            out.template view<LayoutRight, Rank>());
  EXPECT_TRUE(holds(out, 3, [&](const Extents& index) { return a.at(index) + b.at(index); })) << "rank " << Rank;
}
TYPED_TEST(UfuncCalls, Ranks) {
  [&]<int... Rank>(std::integer_sequence<int, Rank...>) { (add_of_rank<TypeParam, Rank>(), ...); }
  (std::make_integer_sequence<int, 9>{});
}

TYPED_TEST(UfuncCalls, NumbersAndRankZeroViews) {
  using Doubles = Array<double, TypeParam>;
  const Doubles a(dense({7, 5}), 1), zero(dense({}), 2);
  Doubles out(dense({7, 5}), 3);
  Kast::multiply(2.5, a.template view<LayoutRight, 2>(), out.template view<LayoutRight, 2>());
  EXPECT_TRUE(holds(out, 3, [&](const Extents& i) { return 2.5 * a.at(i); }));
  Kast::multiply(a.template view<LayoutRight, 2>(), zero.template view<LayoutRight, 0>(),
                 out.template view<LayoutRight, 2>());
  EXPECT_TRUE(holds(out, 3, [&](const Extents& i) { return a.at(i) * zero.at(i); }));
  Kast::add(TypeParam{}, 1.0, 2.5f, out.template view<LayoutRight, 2>());
  EXPECT_TRUE(holds(out, 3, [](const Extents&) { return 3.5; }));
  Doubles scalar(dense({}), 4);
  Kast::subtract(zero.template view<LayoutRight, 0>(), 1, scalar.template view<LayoutRight, 0>());
  EXPECT_TRUE(holds(scalar, 4, [&](const Extents& i) { return zero.at(i) - 1; }));
}

TYPED_TEST(UfuncCalls, NumbersOnlyGiveARankZeroView) {
  const auto result = Kast::add(TypeParam{}, 2, 3.5);
  static_assert(decltype(result)::rank() == 0);
  EXPECT_EQ(elements_of(result), std::vector<double>{5.5});
}

TYPED_TEST(UfuncCalls, AnOutputMayBeLargerThanTheInputs) {
  using Doubles = Array<double, TypeParam>;
  const Doubles a(dense({3}), 1);
  Doubles out(dense({5, 3}), 2);
  Kast::negative(a.template view<LayoutRight, 1>(), out.template view<LayoutRight, 2>());
  EXPECT_TRUE(holds(out, 2, [&](const Extents& i) { return -a.at(i); }));
}

TYPED_TEST(UfuncCalls, MasksLeaveTheRestAsItWas) {
  using Doubles = Array<double, TypeParam>;
  const Doubles a(dense({6, 40}), 1);
  const Array<bool, TypeParam> mask(dense({40}), 2);
  Doubles out(dense({6, 40}), 3);
  const Doubles before(dense({6, 40}), 3);
  Kast::negative(a.template view<LayoutRight, 2>(), out.template view<LayoutRight, 2>(),
                 Kast::where(mask.template view<LayoutRight, 1>()));
  EXPECT_TRUE(holds(out, 3, [&](const Extents& i) { return mask.at(i) ? -a.at(i) : before.at(i); }));
}

TYPED_TEST(UfuncCalls, AllocatedResultsHoldZerosWhereTheMaskIsFalse) {
  const Array<int, TypeParam> a(dense({3, 4}), 1);
  const Array<bool, TypeParam> mask(dense({4}), 2);
  const auto result =
      Kast::negative(a.template view<LayoutRight, 2>(), Kast::where(mask.template view<LayoutRight, 1>()));
  std::vector<int> expected;
  for_each_index({3, 4}, [&](const Extents& i) { expected.push_back(mask.at(i) ? int(-unsigned(a.at(i))) : 0); });
  EXPECT_EQ(elements_of(result), expected);
}

TYPED_TEST(UfuncCalls, AMaskEnlargesAnAllocatedResult) {
  const Array<int, TypeParam> a(dense({4}), 1);
  const Array<bool, TypeParam> mask(dense({3, 4}), 2);
  const auto where  = Kast::where(mask.template view<LayoutRight, 2>());
  const auto result = Kast::negative(a.template view<LayoutRight, 1>(), where);
  static_assert(decltype(result)::rank() == 2);
  EXPECT_EQ(Kast::plan(Kast::negative, a.template view<LayoutRight, 1>(), where).extents(), (Extents{3, 4}));
  std::vector<int> expected;
  for_each_index({3, 4}, [&](const Extents& i) { expected.push_back(mask.at(i) ? int(-unsigned(a.at(i))) : 0); });
  EXPECT_EQ(elements_of(result), expected);
}

TYPED_TEST(UfuncCalls, SeveralOutputs) {
  Array<int, TypeParam> a(dense({8, 9}), 1), b(dense({9}), 2), q(dense({8, 9}), 3),
      r(dense({8, 9}, Kast::Order::left), 4);
  for (std::size_t i = 0; i < 9; ++i) b.host(i) = int(i) + 1;
  b.upload();
  const auto divmod = Kast::vectorize<2, 2>(QuotientAndRest{});
  divmod(a.template view<LayoutRight, 2>(), b.template view<LayoutRight, 1>(), q.template view<LayoutRight, 2>(),
         r.template view<LayoutLeft, 2>());
  EXPECT_TRUE(holds(q, 3, [&](const Extents& i) { return a.at(i) / b.at(i); }));
  EXPECT_TRUE(holds(r, 4, [&](const Extents& i) { return a.at(i) % b.at(i); }));

  const auto [quotient, rest] = divmod(a.template view<LayoutRight, 2>(), b.template view<LayoutRight, 1>());
  const auto got_q = elements_of(quotient), got_r = elements_of(rest);
  std::size_t k = 0;
  for_each_index({8, 9}, [&](const Extents& i) {
    EXPECT_EQ(got_q[k], a.at(i) / b.at(i));
    EXPECT_EQ(got_r[k++], a.at(i) % b.at(i));
  });
}

TYPED_TEST(UfuncCalls, SeveralOutputsUnderAMaskInBothForms) {
  Array<int, TypeParam> a(dense({70}), 1), b(dense({70}), 2);
  const Array<bool, TypeParam> mask(dense({70}), 5);
  for (std::size_t i = 0; i < 70; ++i) b.host(i) = int(i) + 1;
  b.upload();
  const auto divmod = Kast::vectorize<2, 2>(QuotientAndRest{});
  const auto check  = [&](const auto&... options) {
    Array<int, TypeParam> q(dense({70}), 3), r(dense({70}), 4);
    const Array<int, TypeParam> old_q(dense({70}), 3), old_r(dense({70}), 4);
    divmod(a.template view<LayoutRight, 1>(), b.template view<LayoutRight, 1>(), q.template view<LayoutRight, 1>(),
            Kast::flip(r.template view<LayoutRight, 1>(), 0), Kast::where(mask.template view<LayoutRight, 1>()),
            options...);
    EXPECT_TRUE(holds(q, 3, [&](const Extents& i) { return mask.at(i) ? a.at(i) / b.at(i) : old_q.at(i); }));
    EXPECT_TRUE(holds(r, 4, [&](const Extents& i) {
      const Extents back{69 - i[0]};
      return mask.at(back) ? a.at(back) % b.at(back) : old_r.at(i);
    }));
  };
  check();
  check(Kast::Experimental::policy::mdrange);
}

TYPED_TEST(UfuncCalls, ThreeAndFiveOperandsAndNone) {
  using Doubles = Array<double, TypeParam>;
  const Doubles a(dense({4, 1, 6}), 1), b(dense({5, 1}), 2), c(dense({6}), 3), d(dense({}), 4);
  Doubles out(dense({4, 5, 6}), 5);
  const auto weighted = Kast::vectorize(Weighted{});
  const auto run      = [&](const auto&... options) {
    weighted(a.template view<LayoutRight, 3>(), b.template view<LayoutRight, 2>(), c.template view<LayoutRight, 1>(),
                  d.template view<LayoutRight, 0>(), out.template view<LayoutRight, 3>(), options...);
    EXPECT_TRUE(holds(out, 5, [&](const Extents& i) { return Weighted{}(a.at(i), b.at(i), c.at(i), d.at(i)); }));
  };
  run();
  run(Kast::Experimental::policy::mdrange);
  Kast::select(true, 3.0, a.template view<LayoutRight, 3>(), out.template view<LayoutRight, 3>());
  EXPECT_TRUE(holds(out, 5, [](const Extents&) { return 3.0; }));
  Kast::vectorize(Eleven{})(out.template view<LayoutRight, 3>());
  EXPECT_TRUE(holds(out, 5, [](const Extents&) { return 11.0; }));
}

TYPED_TEST(UfuncCalls, FunctionsWithStateAndNamedTypes) {
  using Doubles = Array<double, TypeParam>;
  const Doubles a(dense({300}), 1), b(dense({300}), 2);
  Doubles out(dense({300}), 3);
  Kast::vectorize(Scaled{-3})(a.template view<LayoutRight, 1>(), out.template view<LayoutRight, 1>());
  EXPECT_TRUE(holds(out, 3, [&](const Extents& i) { return -3 * a.at(i); }));
  Kast::vectorize(Scaled{7})(a.template view<LayoutRight, 1>(), out.template view<LayoutRight, 1>(),
                             Kast::Experimental::policy::mdrange);
  EXPECT_TRUE(holds(out, 3, [&](const Extents& i) { return 7 * a.at(i); }));
  Kast::vectorize(Generic{}).template types<double(double, double)>()(a.template view<LayoutRight, 1>(),
                                                                      b.template view<LayoutRight, 1>(),
                                                                      out.template view<LayoutRight, 1>());
  EXPECT_TRUE(holds(out, 3, [&](const Extents& i) { return a.at(i) - b.at(i); }));
}

TYPED_TEST(UfuncCalls, ValueTypesWithoutAName) {
  const Kokkos::View<Color*, TypeParam> colors("colors", 100), half("half", 100);
  const auto host = Kokkos::create_mirror_view(colors);
  for (int i = 0; i < 100; ++i) host(i) = {std::uint8_t(2 * i), std::uint8_t(i), 255};
  Kokkos::deep_copy(colors, host);
  Kast::vectorize(Darker{})(colors, half);
  const auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, half);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(int(result(i).red), i);
    EXPECT_EQ(int(result(i).green), i / 2);
    EXPECT_EQ(int(result(i).blue), 127);
  }
}

TYPED_TEST(UfuncCalls, SameKindAndUnsafeCasts) {
  const Array<double, TypeParam> a(dense({90}), 1);
  Array<float, TypeParam> narrow(dense({90}), 2);
  Kast::copy(a.template view<LayoutRight, 1>(), narrow.template view<LayoutRight, 1>());
  EXPECT_TRUE(holds(narrow, 2, [&](const Extents& i) { return static_cast<float>(a.at(i)); }));
  Array<int, TypeParam> whole(dense({90}), 3);
  Kast::copy(a.template view<LayoutRight, 1>(), whole.template view<LayoutRight, 1>(), Kast::unsafe);
  EXPECT_TRUE(holds(whole, 3, [&](const Extents& i) { return static_cast<int>(a.at(i)); }));
  const Array<KastTest::Complex, TypeParam> z(dense({90}), 4);
  Kast::copy(z.template view<LayoutRight, 1>(), narrow.template view<LayoutRight, 1>(), Kast::unsafe);
  EXPECT_TRUE(holds(narrow, 2, [&](const Extents& i) { return static_cast<float>(z.at(i).real()); }));
  Array<bool, TypeParam> truth(dense({90}), 5);
  Kast::floor(whole.template view<LayoutRight, 1>(), truth.template view<LayoutRight, 1>(), Kast::unsafe);
  EXPECT_TRUE(holds(truth, 5, [&](const Extents& i) { return whole.at(i) != 0; }));
}

TYPED_TEST(UfuncCalls, FlippedAndStridedOperands) {
  using Doubles = Array<double, TypeParam>;
  const Doubles a(dense({6, 7}), 1);
  Doubles out(dense({6, 7}), 2);
  const auto in_view = a.template view<LayoutRight, 2>();
  const auto view    = out.template view<LayoutRight, 2>();
  Kast::copy(Kast::flip(in_view, 1), view);
  EXPECT_TRUE(holds(out, 2, [&](const Extents& i) { return a.at(Extents{i[0], 6 - i[1]}); }));
  Kast::copy(Kast::flip(in_view, 0), Kast::flip(view, -1));
  EXPECT_TRUE(holds(out, 2, [&](const Extents& i) { return a.at(Extents{5 - i[0], 6 - i[1]}); }));
  // Transposed, with every column repeated: stride 0.
  const auto source = Kast::strided<typename TestFixture::Memory>(a.data(), {6, 7}, {1, 0});
  Kast::copy(TypeParam{}, source, view);
  EXPECT_TRUE(holds(out, 2, [&](const Extents& i) { return a.at(Extents{0, i[0]}); }));
}

TYPED_TEST(UfuncCalls, AllocatedResultsFollowTheHighestRank) {
  using Fixture = TestFixture;
  const typename Fixture::template SpaceView<double**, LayoutLeft> left("left", 3, 4), left2("left2", 3, 1);
  const typename Fixture::template SpaceView<float*, LayoutRight> right("right", 4);
  const typename Fixture::template SpaceView<const int[3][4], LayoutRight> fixed =
      typename Fixture::template SpaceView<int[3][4], LayoutRight>("fixed");
  const auto a = Kast::add(right, left);
  const auto b = Kast::add(fixed, left);
  const auto c = Kast::add(left2, left);
  const auto d = Kast::add(Kast::flip(left, 0), right);
  static_assert(
      std::is_same_v<std::remove_const_t<decltype(a)>, Kokkos::View<double**, LayoutLeft, typename Fixture::Memory>>);
  static_assert(
      std::is_same_v<std::remove_const_t<decltype(b)>, Kokkos::View<double**, LayoutRight, typename Fixture::Memory>>,
      "the first input of highest rank decides; extents are dynamic");
  static_assert(std::is_same_v<typename decltype(d)::array_layout, typename TypeParam::array_layout>,
                "wrappers have no layout of their own");
  EXPECT_EQ(Kast::describe(a).extents, (Extents{3, 4}));
  EXPECT_EQ(Kast::describe(b).extents, (Extents{3, 4}));
  EXPECT_EQ(Kast::describe(c).strides, (Strides{1, 3}));
  EXPECT_EQ(a.label(), "Kast::add");
  // On every space: what arithmetic gives in C++.
  static_assert(std::is_same_v<typename decltype(Kast::less(right, left))::value_type, bool>);
  static_assert(
      std::is_same_v<typename decltype(Kast::add(std::int8_t(1), Kokkos::View<std::int8_t*, TypeParam>()))::value_type,
                     int>);
}

// The functor and the policy of a prepared call, as a Kokkos graph would take them.
template <class Job>
void run_by_hand(const Job& job) {
  Kokkos::parallel_for("by hand", job.policy(), job.functor());
  Kokkos::fence();
}
TYPED_TEST(UfuncCalls, PreparedCallsRunAgainAndAgain) {
  using Doubles = Array<double, TypeParam>;
  Doubles a(dense({50, 20}), 1);
  const Doubles b(dense({20}), 2);
  Doubles out(dense({50, 20}), 3);
  const auto expected = [&](const Extents& i) { return a.at(i) * b.at(i); };
  const auto job      = Kast::prepare(TypeParam{}, Kast::multiply, a.template view<LayoutRight, 2>(),
                                      b.template view<LayoutRight, 1>(), out.template view<LayoutRight, 2>());
  EXPECT_EQ(job.plan().size(), 1000u);
  job();
  EXPECT_TRUE(holds(out, 3, expected));
  a.fill(7);
  out.fill(3);
  job();
  EXPECT_TRUE(holds(out, 3, expected));
  out.fill(3);
  run_by_hand(job);
  EXPECT_TRUE(holds(out, 3, expected));
}

TYPED_TEST(UfuncCalls, PreparedCallsKeepTheirViewsAlive) {
  using View = Kokkos::View<double*, TypeParam>;
  View out("out", 10);
  const auto job = [&] {
    const View a("a", 10);
    Kokkos::deep_copy(a, 3.0);
    return Kast::prepare(Kast::multiply, a, 2.0, out);
  }();
  const View other("reuses the memory of a, if it was given back", 10);
  Kokkos::deep_copy(other, -1.0);
  job();
  EXPECT_EQ(elements_of(out), std::vector<double>(10, 6.0));
  EXPECT_EQ(out.use_count(), 2 + 1) << "arguments and outputs are kept";
}

TYPED_TEST(UfuncCalls, EmptyLoopsTouchNothing) {
  using Doubles = Array<double, TypeParam>;
  const Doubles a(dense({0, 5}), 1);
  Doubles out(KastTest::Placement{{0, 5}, {5, 1}, 2, 10}, 2);
  Kast::negative(a.template view<LayoutRight, 2>(), out.template argument<2>());
  EXPECT_TRUE(holds(out, 2, [](const Extents&) { return 0.0; }));
  EXPECT_EQ(Kast::describe(Kast::add(a.template view<LayoutRight, 2>(), 1.0)).extents, (Extents{0, 5}));
  run_by_hand(
      Kast::prepare(TypeParam{}, Kast::negative, a.template view<LayoutRight, 2>(), out.template argument<2>()));
  EXPECT_TRUE(holds(out, 2, [](const Extents&) { return 0.0; }));
}

}  // namespace
