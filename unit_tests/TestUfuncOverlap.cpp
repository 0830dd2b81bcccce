// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs that share memory with other operands: in place, made safe by a temporary, or vouched for.
#include <gtest/gtest.h>

#include <Kast/Math.hpp>

#include "TestUtils.hpp"

namespace {

using Kast::Extents;
using Kast::Strides;
using KastTest::Array;
using KastTest::dense;
using KastTest::for_each_index;
using KastTest::Placement;
using KastTest::position;
using KastTest::Random;
using Kokkos::LayoutRight;

struct SumAndDifference {
  KOKKOS_FUNCTION void operator()(double a, double b, double& sum, double& difference) const {
    sum        = a + b;
    difference = a - b;
  }
};

/// Part of the buffer of `parent` as an operand of rank 3.
template <class Space>
auto part(const Array<double, Space>& parent, const Placement& place) {
  return Kast::StridedArray<double, 3, typename Space::memory_space>{parent.device.data() + place.offset,
                                                                     place.extents,
                                                                     place.strides,
                                                                     {}};
}

template <class Space>
class UfuncOverlap : public testing::Test {};
TYPED_TEST_SUITE(UfuncOverlap, KastTest::SpaceTypes, KastTest::Names);

TYPED_TEST(UfuncOverlap, InPlace) {
  Array<double, TypeParam> a(dense({30, 40}), 1), expected(dense({30, 40}), 1);
  const Array<double, TypeParam> b(dense({40}), 2);
  for_each_index({30, 40}, [&](const Extents& i) { expected.at(i) = 2.0 * (expected.at(i) + b.at(i)); });
  const auto view = a.template view<LayoutRight, 2>();
  Kast::add(TypeParam{}, view, b.template view<LayoutRight, 1>(), view);
  Kast::multiply(TypeParam{}, 2, view, view, Kast::Experimental::policy::mdrange);
  TypeParam{}.fence();
  a.download();
  EXPECT_TRUE(same(a, expected));
  EXPECT_EQ(Kast::plan(TypeParam{}, Kast::multiply, 2, view, view, Kast::overlap::copy).bytes_temporary(), 0u);
}

TYPED_TEST(UfuncOverlap, InPlaceReversedOnBothSides) {
  Array<double, TypeParam> a(dense({501}), 1), expected(dense({501}), 1);
  for_each_index({501}, [&](const Extents& i) { expected.at(i) = -expected.at(i); });
  const auto flipped = Kast::flip(a.template view<LayoutRight, 1>(), 0);
  Kast::negative(flipped, flipped);
  Kokkos::fence();
  a.download();
  EXPECT_TRUE(same(a, expected));
}

TYPED_TEST(UfuncOverlap, CopyMakesATransposeInPlaceSafe) {
  Array<double, TypeParam> a(dense({70, 70}), 1);
  const Array<double, TypeParam> old(dense({70, 70}), 1);
  Array<double, TypeParam> expected(dense({70, 70}), 1);
  for_each_index({70, 70}, [&](const Extents& i) { expected.at(i) = -old.at(Extents{i[1], i[0]}); });
  const auto view       = a.template view<LayoutRight, 2>();
  const auto transposed = Kast::strided<typename TypeParam::memory_space>(a.data(), {70, 70}, {1, 70});
  EXPECT_THROW(Kast::negative(TypeParam{}, transposed, view), Kast::Error);
  const Kast::Plan plan = Kast::plan(TypeParam{}, Kast::negative, transposed, view, Kast::overlap::copy);
  EXPECT_EQ(plan.bytes_temporary(), 70u * 70 * 8);
  EXPECT_TRUE(plan.is_copied(0));
  EXPECT_NE(plan.explain().find(", 39,200 in temporaries (overlap)\n"), std::string::npos) << plan.explain();
  Kast::negative(TypeParam{}, transposed, view, Kast::overlap::copy);
  TypeParam{}.fence();
  a.download();
  EXPECT_TRUE(same(a, expected));
}

// Any input against any output cut from one buffer, with a mask or none, in both forms: as if there were no overlap.
TYPED_TEST(UfuncOverlap, RandomPartsOfOneBuffer) {
  Random random(20);
  int copied = 0;
  for (int run = 0; run < KastTest::cases(2000) && !this->HasFailure(); ++run) {
    const Extents extents{std::size_t(random.between(1, 4)), std::size_t(random.between(1, 9)),
                          std::size_t(random.between(1, 40))};
    const Extents smaller{random.chance(30) ? 1 : extents[0], random.chance(30) ? 1 : extents[1], extents[2]};
    const Placement in = random_placement(random, smaller, true), out = random_placement(random, extents, false);
    const std::size_t elements = std::max(in.elements, out.elements);
    const std::uint64_t salt   = random.bits();
    const Array<bool, TypeParam> mask(random_placement(random, extents, true), random.bits());
    const Array<double, TypeParam> old(dense({elements}), salt);
    Array<double, TypeParam> all(dense({elements}), salt), some(dense({elements}), salt);
    for_each_index(extents, [&](const Extents& i) {
      const double value         = -old.host(position(in, i));
      all.host(position(out, i)) = value;
      if (mask.at(i)) some.host(position(out, i)) = value;
    });
    const auto check = [&](const Array<double, TypeParam>& expected, const auto&... options) {
      Array<double, TypeParam> buffer(dense({elements}), salt);
      Kast::negative(TypeParam{}, part(buffer, in), part(buffer, out), Kast::overlap::copy, options...);
      TypeParam{}.fence();
      buffer.download();
      EXPECT_TRUE(same(buffer, expected)) << Kast::to_string(in.strides) << " at " << in.offset << " to "
                                          << Kast::to_string(out.strides) << " at " << out.offset;
    };
    check(all);
    check(all, Kast::Experimental::policy::mdrange);
    check(some, Kast::where(mask.template argument<3>()));
    check(some, Kast::where(mask.template argument<3>()), Kast::Experimental::policy::mdrange);
    copied +=
        Kast::plan(TypeParam{}, Kast::negative, part(all, in), part(all, out), Kast::overlap::copy).bytes_temporary() >
        0;
  }
  EXPECT_GT(copied, KastTest::cases(2000) / 4);
}

TYPED_TEST(UfuncOverlap, SeveralOutputsOverOneInput) {
  // sum and difference written over the two inputs, crosswise: the first in place, the second shifted.
  Array<double, TypeParam> buffer(dense({300}), 1), expected(dense({300}), 1);
  const Array<double, TypeParam> old(dense({300}), 1);
  for (std::size_t i = 0; i < 100; ++i) {
    expected.host(i)       = old.host(i) + old.host(100 + i);
    expected.host(150 + i) = old.host(i) - old.host(100 + i);
  }
  const auto view      = buffer.template view<LayoutRight, 1>();
  const auto at        = [&](int first) { return Kokkos::subview(view, std::pair(first, first + 100)); };
  const auto butterfly = Kast::vectorize<2, 2>(SumAndDifference{});
  EXPECT_THROW(butterfly(TypeParam{}, at(0), at(100), at(0), at(150)), Kast::Error);
  const auto plan = Kast::plan(TypeParam{}, butterfly, at(0), at(100), at(0), at(150), Kast::overlap::copy);
  EXPECT_FALSE(plan.is_copied(0));
  EXPECT_TRUE(plan.is_copied(1));
  EXPECT_EQ(plan.bytes_temporary(), 800u);
  butterfly(TypeParam{}, at(0), at(100), at(0), at(150), Kast::overlap::copy);
  TypeParam{}.fence();
  buffer.download();
  EXPECT_TRUE(same(buffer, expected));
}

TYPED_TEST(UfuncOverlap, MasksThatShareTheOutput) {
  Array<bool, TypeParam> a(dense({64}), 1);
  const Array<bool, TypeParam> old(dense({64}), 1);
  Array<bool, TypeParam> expected(dense({64}), 1);
  for (std::size_t i = 0; i < 63; ++i)
    if (old.host(i)) expected.host(i + 1) = !old.host(i);
  const auto view = a.template view<LayoutRight, 1>();
  const auto low = Kokkos::subview(view, std::pair(0, 63)), high = Kokkos::subview(view, std::pair(1, 64));
  EXPECT_THROW(Kast::logical_not(TypeParam{}, low, high, Kast::where(low)), Kast::Error);
  Kast::logical_not(TypeParam{}, low, high, Kast::where(low), Kast::overlap::copy);
  TypeParam{}.fence();
  a.download();
  EXPECT_TRUE(same(a, expected));
}

TYPED_TEST(UfuncOverlap, NoneTakesTheCallersWord) {
  // Every element becomes the first one: the order of work does not matter.
  Array<double, TypeParam> a(dense({500}), 1), expected(dense({500}), 1);
  for (std::size_t i = 0; i < 500; ++i) expected.host(i) = expected.host(0);
  const auto view  = a.template view<LayoutRight, 1>();
  const auto first = Kokkos::subview(view, 0);
  EXPECT_THROW(Kast::copy(TypeParam{}, first, view), Kast::Error);
  Kast::copy(TypeParam{}, first, view, Kast::overlap::none);
  TypeParam{}.fence();
  a.download();
  EXPECT_TRUE(same(a, expected));
}

TYPED_TEST(UfuncOverlap, DisjointPartsNeedNoOption) {
  Array<double, TypeParam> a(dense({200, 8}), 1), expected(dense({200, 8}), 1);
  for_each_index({200, 4}, [&](const Extents& i) { expected.at(Extents{i[0], i[1] + 4}) = -expected.at(i); });
  const auto view  = a.template view<LayoutRight, 2>();
  const auto left  = Kokkos::subview(view, Kokkos::ALL, std::pair(0, 4)),
             right = Kokkos::subview(view, Kokkos::ALL, std::pair(4, 8));
  Kast::negative(TypeParam{}, left, right);
  TypeParam{}.fence();
  a.download();
  EXPECT_TRUE(same(a, expected));
}

TYPED_TEST(UfuncOverlap, APreparedCallCopiesEachTime) {
  Array<double, TypeParam> a(dense({100}), 1);
  Array<double, TypeParam> expected(dense({100}), 1);
  const auto view = a.template view<LayoutRight, 1>();
  const auto low = Kokkos::subview(view, std::pair(0, 99)), high = Kokkos::subview(view, std::pair(1, 100));
  const auto job = Kast::prepare(TypeParam{}, Kast::negative, low, high, Kast::overlap::copy);
  for (int turn = 0; turn < 3; ++turn) {
    job();
    for (std::size_t i = 99; i > 0; --i) expected.host(i) = -expected.host(i - 1);
  }
  TypeParam{}.fence();
  a.download();
  EXPECT_TRUE(same(a, expected));
  EXPECT_TRUE(
      KastTest::refuses(Kast::ErrorKind::overlap,
                        "Kast::negative: a call with a temporary has no single kernel; make the operands disjoint",
                        [&] { job.policy(); }));
  EXPECT_TRUE(
      KastTest::refuses(Kast::ErrorKind::overlap,
                        "Kast::negative: a call with a temporary has no single kernel; make the operands disjoint",
                        [&] { job.functor(); }));
}

}  // namespace
