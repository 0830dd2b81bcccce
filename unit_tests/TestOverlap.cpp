// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether arrays share bytes: against plain enumeration of all bytes, exact wherever strides nest.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include <Kast/impl/Overlap.hpp>

#include "TestUtils.hpp"

namespace {

using Kast::Extents;
using Kast::Operand;
using Kast::Strides;
using Kast::Impl::Answer;
using Kast::Impl::meets_itself;
using Kast::Impl::share_bytes;
using KastTest::Random;

// Operands are pure numbers here; nothing is read.
constexpr std::uintptr_t base = 1 << 20;

Operand operand(std::ptrdiff_t byte, const Extents& extents, const Strides& strides, std::uint32_t value_size = 8) {
  Operand result;
  result.data       = reinterpret_cast<const void*>(base + std::uintptr_t(byte));
  result.extents    = extents;
  result.strides    = strides;
  result.value_size = value_size;
  return result;
}

// First bytes of all elements.
std::vector<std::intptr_t> elements_of(const Operand& a) {
  std::vector<std::intptr_t> elements;
  KastTest::for_each_index(a.extents, [&](const Extents& index) {
    auto at = reinterpret_cast<std::intptr_t>(a.data);
    for (int axis = 0; axis < index.rank(); ++axis)
      at += std::intptr_t(index[axis]) * a.strides[axis] * std::intptr_t(a.value_size);
    elements.push_back(at);
  });
  return elements;
}

bool enumerated_sharing(const Operand& a, const Operand& b) {
  std::set<std::intptr_t> bytes;
  for (auto element : elements_of(a))
    for (std::uint32_t byte = 0; byte < a.value_size; ++byte) bytes.insert(element + byte);
  for (auto element : elements_of(b))
    for (std::uint32_t byte = 0; byte < b.value_size; ++byte)
      if (bytes.count(element + byte) != 0) return true;
  return false;
}

bool enumerated_meeting(const Operand& a) {
  auto elements = elements_of(a);
  std::sort(elements.begin(), elements.end());
  for (std::size_t k = 1; k < elements.size(); ++k)
    if (elements[k] - elements[k - 1] < std::intptr_t(a.value_size)) return true;
  return false;
}

Answer answer_of(bool yes) { return yes ? Answer::yes : Answer::no; }

std::string text_of(const Operand& a) {
  return "byte " + std::to_string(reinterpret_cast<std::uintptr_t>(a.data) - base) + " shape " +
         Kast::to_string(a.extents) + " strides " + Kast::to_string(a.strides) + " value size " +
         std::to_string(a.value_size);
}

Operand random_operand(Random& random) {
  constexpr std::uint32_t sizes[] = {1, 2, 4, 8, 12, 16};
  Extents extents;
  Strides strides;
  const auto rank = random.between(0, 4);
  for (int axis = 0; axis < rank; ++axis) {
    extents.push_back(std::size_t(random.between(random.chance(5) ? 0 : 1, 4)));
    strides.push_back(random.between(-12, 12));
  }
  return operand(random.between(0, 300), extents, strides, sizes[random.between(0, 5)]);
}

TEST(Overlap, RandomPairsAgreeWithEnumeration) {
  Random random(2);
  int sharing     = 0;
  const int count = KastTest::cases(20000);
  for (int run = 0; run < count; ++run) {
    const Operand a = random_operand(random), b = random_operand(random);
    const bool expected = enumerated_sharing(a, b);
    ASSERT_EQ(share_bytes(a, b), answer_of(expected)) << text_of(a) << "\n" << text_of(b);
    ASSERT_EQ(share_bytes(b, a), answer_of(expected)) << text_of(b) << "\n" << text_of(a);
    sharing += expected;
  }
  EXPECT_GT(sharing, count / 10);
  EXPECT_LT(sharing, count * 9 / 10);
}

TEST(Overlap, RandomArraysMeetThemselvesAsEnumerated) {
  Random random(3);
  int meeting     = 0;
  const int count = KastTest::cases(20000);
  for (int run = 0; run < count; ++run) {
    const Operand a     = random_operand(random);
    const bool expected = enumerated_meeting(a);
    ASSERT_EQ(meets_itself(a), answer_of(expected)) << text_of(a);
    meeting += expected;
  }
  EXPECT_GT(meeting, count / 10);
  EXPECT_LT(meeting, count * 9 / 10);
}

// All subviews of one parent nest, however large: the answer is never "perhaps".
TEST(Overlap, SubviewsOfOneParentAreDecidedExactly) {
  Random random(4);
  const int count = KastTest::cases(5000);
  for (int run = 0; run < count; ++run) {
    const bool small = run % 2 == 0;
    const int rank   = int(random.between(1, small ? 3 : 8));
    Extents parent;
    for (int axis = 0; axis < rank; ++axis) parent.push_back(std::size_t(random.between(1, small ? 7 : 60)));
    const Strides steps = Kast::dense_strides(parent, run % 3 == 0 ? Kast::Order::left : Kast::Order::right);
    bool disjoint       = false;
    const auto subview  = [&](std::vector<std::vector<bool>>& chosen) {
      Extents extents;
      Strides strides;
      std::ptrdiff_t offset = 0;
      chosen.clear();
      for (int axis = 0; axis < rank; ++axis) {
        const auto parent_extent = std::ptrdiff_t(parent[axis]);
        const auto first = random.between(0, parent_extent - 1), step = random.between(1, 3);
        const auto extent = random.between(1, 1 + (parent_extent - 1 - first) / step);
        chosen.emplace_back(std::size_t(parent_extent), false);
        for (std::ptrdiff_t k = 0; k < extent; ++k) chosen.back()[std::size_t(first + k * step)] = true;
        extents.push_back(std::size_t(extent));
        const bool reversed = random.chance(30);
        strides.push_back((reversed ? -step : step) * steps[axis]);
        offset += (reversed ? first + (extent - 1) * step : first) * steps[axis];
      }
      return operand(offset * 8, extents, strides);
    };
    std::vector<std::vector<bool>> in_a, in_b;
    const Operand a = subview(in_a), b = subview(in_b);
    for (std::size_t axis = 0; axis < std::size_t(rank); ++axis) {
      bool meet = false;
      for (std::size_t k = 0; k < parent[int(axis)]; ++k) meet = meet || (in_a[axis][k] && in_b[axis][k]);
      disjoint = disjoint || !meet;
    }
    ASSERT_EQ(share_bytes(a, b), answer_of(!disjoint)) << text_of(a) << "\n" << text_of(b);
    ASSERT_EQ(meets_itself(a), Answer::no) << text_of(a);
  }
}

TEST(Overlap, ColumnBlocksOfOneMatrix) {
  const Strides strides{8, 1};
  EXPECT_EQ(share_bytes(operand(0, {1000000, 4}, strides), operand(4 * 8, {1000000, 4}, strides)), Answer::no);
  EXPECT_EQ(share_bytes(operand(0, {1000000, 5}, strides), operand(4 * 8, {1000000, 4}, strides)), Answer::yes);
}

TEST(Overlap, AdjacentBuffersAreDisjointOneByteCloserIsNot) {
  const Operand a = operand(0, {10}, {1});
  EXPECT_EQ(share_bytes(a, operand(80, {10}, {1})), Answer::no);
  EXPECT_EQ(share_bytes(a, operand(72, {10}, {1})), Answer::yes);
  EXPECT_EQ(share_bytes(a, operand(79, {10}, {1})), Answer::yes);
  EXPECT_EQ(share_bytes(a, operand(80, {10}, {-1})), Answer::yes);
  EXPECT_EQ(share_bytes(a, operand(152, {10}, {-1})), Answer::no);
}

TEST(Overlap, InterleavedElementsAreDisjoint) {
  EXPECT_EQ(share_bytes(operand(0, {1000}, {2}), operand(8, {1000}, {2})), Answer::no);
  EXPECT_EQ(share_bytes(operand(0, {1000}, {2}), operand(8, {1000}, {3})), Answer::yes);
  // A real part of complex numbers beside the imaginary parts; and a wide value over a narrow one.
  EXPECT_EQ(share_bytes(operand(0, {100}, {2}, 8), operand(8, {100}, {2}, 8)), Answer::no);
  EXPECT_EQ(share_bytes(operand(0, {100}, {1}, 16), operand(24, {1}, {1}, 1)), Answer::yes);
}

TEST(Overlap, EmptyArraysShareNothing) {
  const Operand all = operand(0, {100}, {1}), empty = operand(8, {3, 0}, {1, 1});
  EXPECT_EQ(share_bytes(all, empty), Answer::no);
  EXPECT_EQ(share_bytes(empty, all), Answer::no);
  EXPECT_EQ(meets_itself(operand(0, {3, 0}, {0, 0})), Answer::no);
}

TEST(Overlap, StrideZeroMeetsItselfUnlessTheExtentIsOne) {
  EXPECT_EQ(meets_itself(operand(0, {2}, {0})), Answer::yes);
  EXPECT_EQ(meets_itself(operand(0, {1}, {0})), Answer::no);
  EXPECT_EQ(meets_itself(operand(0, {3, 3}, {1, 1})), Answer::yes);
  EXPECT_EQ(meets_itself(operand(0, {3, 3}, {2, 3})), Answer::no);
  EXPECT_EQ(meets_itself(operand(0, {4, 3}, {2, 3})), Answer::yes);
}

// Past every address space sums could wrap: no promise is made there.
TEST(Overlap, UnrepresentableReachIsPerhaps) {
  const std::size_t huge = std::size_t(1) << 40;
  EXPECT_EQ(share_bytes(operand(0, {huge, huge}, {PTRDIFF_MAX, 1}), operand(0, {1}, {1})), Answer::perhaps);
  EXPECT_EQ(meets_itself(operand(0, {huge, huge}, {PTRDIFF_MAX / 2, 1})), Answer::perhaps);
}

}  // namespace
