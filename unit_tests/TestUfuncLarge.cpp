// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes at which kernels cut their work: transposed operands in tiles, rows longer than a block, outputs larger than the last
// level of cache; on every space, against a plain loop.
#include <gtest/gtest.h>

#include <algorithm>

#include <Kast/Math.hpp>

#include "TestUtils.hpp"

namespace {

using Kast::Extents;
using Kast::Strides;
using KastTest::Array;
using KastTest::dense;
using KastTest::Placement;

/// A dense array whose axes lie in memory in this order, slowest first, `padding` elements apart along the fastest.
Placement permuted(const Extents& extents, const std::vector<int>& order, std::ptrdiff_t padding = 0) {
  Placement place{extents, Strides::filled(extents.rank(), 0), 1, 0};  // one element off, so that nothing is aligned
  std::ptrdiff_t step = 1;
  for (int k = int(order.size()) - 1; k >= 0; --k) {
    place.strides[order[std::size_t(k)]] = step;
    step *= std::ptrdiff_t(extents[order[std::size_t(k)]]);
    if (k == int(order.size()) - 1) step += padding;
  }
  place.elements = std::size_t(step) + 2;
  return place;
}

template <class Combination>
class UfuncLarge : public testing::Test {
 public:
  using Space = typename Combination::Space;
  using T     = typename Combination::Value;

  static T product(const T& a, const T& b) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(std::uint64_t(a) * std::uint64_t(b));
    else if constexpr (Kast::Impl::is_complex_v<T>) return T(b.real(), a.imag());  // what the test's functor does
    else return a * b;
  }
  // Exact for complex numbers too: no sums whose contraction would differ.
  struct Product {
    KOKKOS_FUNCTION T operator()(T a, T b) const {
      if constexpr (Kast::Impl::is_complex_v<T>) return T(b.real(), a.imag());
      else return static_cast<T>(Kast::Impl::Multiply{}(a, b));
    }
  };

  template <int Rank>
  void run(const Placement& in_a, const Placement& in_b, const Placement& out_place) {
    const Array<T, Space> a(in_a, 1), b(in_b, 2);
    Array<T, Space> expected(out_place, 3);
    KastTest::for_each_index(out_place.extents,
                             [&](const Extents& index) { expected.at(index) = product(a.at(index), b.at(index)); });
    const auto check = [&](const auto&... options) {
      Array<T, Space> out(out_place, 3);
      Kast::vectorize(Product{})(Space{}, a.template argument<Rank>(), b.template argument<Rank>(),
                                 out.template argument<Rank>(), options...);
      Space{}.fence();
      out.download();
      EXPECT_TRUE(same(out, expected)) << "strides " << Kast::to_string(in_a.strides) << ' '
                                       << Kast::to_string(in_b.strides);
    };
    check();
    if constexpr (KastTest::tests_mdrange<T>) check(Kast::Experimental::policy::mdrange);
  }
};
TYPED_TEST_SUITE(UfuncLarge, KastTest::SpaceValueTypes, KastTest::Names);

TYPED_TEST(UfuncLarge, TransposedOperands) {
  const Extents extents{517, 403};
  this->template run<3>(permuted(extents, {1, 0}), permuted(extents, {0, 1}), permuted(extents, {0, 1}));
  this->template run<3>(permuted(extents, {0, 1}), permuted(extents, {0, 1}), permuted(extents, {1, 0}));
  this->template run<3>(permuted({2100, 9}, {1, 0}), permuted({2100, 9}, {0, 1}), permuted({2100, 9}, {0, 1}, 3));
}

TYPED_TEST(UfuncLarge, EveryOrderOfThreeAxes) {
  const Extents extents{19, 33, 70};
  std::vector<int> order{0, 1, 2};
  do {
    this->template run<3>(permuted(extents, order), permuted(extents, {0, 1, 2}, 1), permuted(extents, {2, 0, 1}));
  } while (std::next_permutation(order.begin(), order.end()));
}

TYPED_TEST(UfuncLarge, RowsLongerThanABlock) {
  const Extents extents{3, 70001};
  this->template run<3>(permuted({70001}, {0}), permuted(extents, {0, 1}), permuted(extents, {0, 1}));
  this->template run<3>(permuted({3, 1}, {0, 1}), permuted(extents, {0, 1}), permuted(extents, {0, 1}, 5));
  this->template run<3>(permuted({70001, 1}, {0, 1}), permuted({3}, {0}), permuted({70001, 3}, {0, 1}));
  this->template run<3>(permuted({2, 1, 9001}, {0, 1, 2}), permuted({5, 9001}, {0, 1}),
                        permuted({2, 5, 9001}, {0, 1, 2}));
}

template <class Space>
class UfuncStreamed : public testing::Test {};
TYPED_TEST_SUITE(UfuncStreamed, KastTest::SpaceTypes, KastTest::Names);

// One output beyond the last level of cache (up to 64 MiB of it), once aligned and once one element off a cache line.
TYPED_TEST(UfuncStreamed, OutputsLargerThanTheCache) {
  const std::size_t bytes =
      std::min<std::size_t>(Kast::Impl::last_level_cache_bytes() + (1 << 20), std::size_t(64) << 20);
  const std::size_t columns = 1013, rows = bytes / (8 * columns) + 1;
  const Array<double, TypeParam> a(dense({columns}), 1), b(dense({rows, 1}), 2);
  Array<double, TypeParam> out(Placement{{rows, columns}, {std::ptrdiff_t(columns), 1}, 1, rows * columns + 9}, 3);
  Array<double, TypeParam> expected(out.place, 3);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) expected.host(1 + i * columns + j) = a.host(j) * b.host(i);
  const auto row    = a.template view<Kokkos::LayoutRight, 1>();
  const auto column = b.template view<Kokkos::LayoutRight, 2>();
  Kast::multiply(TypeParam{}, row, column, out.template argument<2>());
  TypeParam{}.fence();
  out.download();
  EXPECT_EQ(std::memcmp(out.host.data(), expected.host.data(), expected.host.extent(0) * sizeof(double)), 0);
  if (std::getenv("KAST_TEST_FAST") != nullptr) return;
  // Masked, where lines must not be written whole.
  const Array<bool, TypeParam> mask(dense({columns}), 4);
  out.fill(3);
  for (std::size_t i = 0; i < expected.host.extent(0); ++i)
    if (i == 0 || i > rows * columns || !mask.host((i - 1) % columns)) expected.host(i) = out.host(i);
  Kast::multiply(TypeParam{}, row, column, out.template argument<2>(),
                 Kast::where(mask.template view<Kokkos::LayoutRight, 1>()));
  TypeParam{}.fence();
  out.download();
  EXPECT_EQ(std::memcmp(out.host.data(), expected.host.data(), expected.host.extent(0) * sizeof(double)), 0);
}

}  // namespace
