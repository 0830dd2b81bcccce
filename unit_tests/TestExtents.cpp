// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes and strides: NumPy's broadcasting rule, texts, sizes that overflow.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "TestUtils.hpp"

namespace {

using Kast::broadcast_shapes;
using Kast::ErrorKind;
using Kast::Extents;
using Kast::Order;
using Kast::Strides;
using KastTest::refuses;

constexpr std::size_t big = std::size_t(1) << 32;

TEST(Extents, Text) {
  EXPECT_EQ(Kast::to_string(Extents{}), "()");
  EXPECT_EQ(Kast::to_string(Extents{5}), "(5,)");
  EXPECT_EQ(Kast::to_string(Extents{100, 4000, 5}), "(100,4000,5)");
  EXPECT_EQ(Kast::to_string(Strides{-3, 0, 1}), "(-3,0,1)");
}

TEST(Extents, EqualityLooksAtRankAndValues) {
  EXPECT_EQ((Extents{2, 3}), (Extents{2, 3}));
  EXPECT_FALSE((Extents{2, 3}) == (Extents{2, 3, 1}));
  EXPECT_FALSE((Extents{2, 3}) == (Extents{3, 2}));
  EXPECT_FALSE((Extents{0}) == Extents{});
}

TEST(Extents, AtMostEightAxes) {
  Extents extents = Extents::filled(8, 2);
  EXPECT_EQ(extents.rank(), 8);
  EXPECT_TRUE(refuses(ErrorKind::argument, "Kast: more than 8 axes", [&] { extents.push_back(2); }));
  EXPECT_EQ(extents.rank(), 8);
  EXPECT_TRUE(refuses(ErrorKind::argument, "Kast: more than 8 axes", [] { Extents{1, 2, 3, 4, 5, 6, 7, 8, 9}; }));
}

TEST(Extents, Size) {
  EXPECT_EQ(Kast::size(Extents{}), 1u);
  EXPECT_EQ(Kast::size(Extents{7}), 7u);
  EXPECT_EQ(Kast::size(Extents{100, 4000, 5}), 2000000u);
  EXPECT_EQ(Kast::size(Extents{3, 0, 5}), 0u);
  EXPECT_EQ(Kast::size(Extents{PTRDIFF_MAX}), std::size_t(PTRDIFF_MAX));
  EXPECT_EQ(Kast::size(Extents{big, big, 0}), 0u) << "an extent of 0 settles it, whatever the others are";
}

TEST(Extents, SizeOverflowIsRefused) {
  EXPECT_TRUE(refuses(ErrorKind::size, "Kast::size: shape (4294967296,2147483648) has more than 2^63 - 1 elements", [] {
    Kast::size(Extents{big, big / 2});
  }));
  EXPECT_TRUE(refuses(ErrorKind::size, "Kast::size: shape (9223372036854775808,) has more than 2^63 - 1 elements",
                      [] { Kast::size(Extents{std::size_t(1) << 63}); }));
  EXPECT_TRUE(
      refuses(ErrorKind::size, "Kast::size: shape (65536,65536,65536,65536) has more than 2^63 - 1 elements", [] {
        Kast::size(Extents{65536, 65536, 65536, 65536});
      }));
}

TEST(Extents, DenseStrides) {
  EXPECT_EQ(Kast::dense_strides(Extents{}, Order::right), Strides{});
  EXPECT_EQ(Kast::dense_strides(Extents{2, 3, 4}, Order::right), (Strides{12, 4, 1}));
  EXPECT_EQ(Kast::dense_strides(Extents{2, 3, 4}, Order::left), (Strides{1, 2, 6}));
  EXPECT_EQ(Kast::dense_strides(Extents{5, 1, 0}, Order::left), (Strides{1, 5, 5}));
  // Empty, though its other extents multiply past 2^63: must not overflow on the way (checked under UBSan).
  EXPECT_EQ(Kast::dense_strides(Extents{0, big, big}, Order::right).rank(), 3);
}

Extents broadcast(std::initializer_list<Extents> shapes) {
  return broadcast_shapes(std::span<const Extents>(shapes.begin(), shapes.size()));
}

TEST(Broadcast, Rule) {
  EXPECT_EQ(broadcast({}), Extents{});
  EXPECT_EQ(broadcast({{}}), Extents{});
  EXPECT_EQ(broadcast({{3}, {}}), Extents{3});
  EXPECT_EQ(broadcast({{4000, 5}, {100, 4000, 5}}), (Extents{100, 4000, 5}));
  EXPECT_EQ(broadcast({{3, 1}, {1, 4}}), (Extents{3, 4}));
  EXPECT_EQ(broadcast({{8, 1, 6, 1}, {7, 1, 5}}), (Extents{8, 7, 6, 5}));
  EXPECT_EQ(broadcast({{1}, {1, 1}}), (Extents{1, 1}));
  EXPECT_EQ(broadcast({{1}, {0}}), Extents{0});
  EXPECT_EQ(broadcast({{0, 3}, {1, 3}, {3}}), (Extents{0, 3}));
  EXPECT_EQ(broadcast({{2, 1}, {}, {1, 3}, {2, 3}}), (Extents{2, 3}));
}

TEST(Broadcast, RefusalNamesShapesAndAxis) {
  EXPECT_TRUE(
      refuses(ErrorKind::shape,
              "Kast::broadcast_shapes: shapes (2,3) and (4,) do not broadcast: they differ on axis 1 of the result",
              [] {
                broadcast({{2, 3}, {4}});
              }));
  EXPECT_TRUE(
      refuses(ErrorKind::shape,
              "Kast::broadcast_shapes: shapes (3,) and (0,) do not broadcast: they differ on axis 0 of the result", [] {
                broadcast({{3}, {0}});
              }));
  EXPECT_TRUE(refuses(
      ErrorKind::shape,
      "Kast::broadcast_shapes: shapes (5,1,2) and (4,3,1) do not broadcast: they differ on axis 0 of the result", [] {
        broadcast({{5, 1, 2}, {1, 1, 1}, {4, 3, 1}});
      }));
}

TEST(Broadcast, ConflictNamesTheTwoOperands) {
  const Extents a{2, 1}, b{3}, c{5, 3};
  const std::array<const Extents*, 3> shapes{&a, &b, &c};
  Extents result;
  const auto conflict = broadcast_shapes(shapes, result);
  ASSERT_TRUE(conflict.has_value());
  EXPECT_EQ(conflict->axis, 0);
  EXPECT_EQ(conflict->first, 0u);
  EXPECT_EQ(conflict->other, 2u);
}

TEST(Broadcast, MoreShapesThanOneBatch) {
  std::vector<Extents> shapes(100, Extents{1});
  shapes[99] = Extents{7, 1};
  shapes[50] = Extents{3};
  EXPECT_EQ(broadcast_shapes(shapes), (Extents{7, 3}));
  shapes[0] = Extents{2};
  EXPECT_THROW(broadcast_shapes(shapes), Kast::Error);
}

// The rule as it is written: per axis, the one extent that differs from 1. Empty: conflict.
std::vector<std::size_t> by_the_rule(const std::vector<Extents>& shapes, bool& fits) {
  int rank = 0;
  for (const Extents& shape : shapes) rank = std::max(rank, shape.rank());
  std::vector<std::size_t> result(std::size_t(rank), 1);
  fits = true;
  for (const Extents& shape : shapes) {
    for (int axis = 0; axis < shape.rank(); ++axis) {
      auto& extent = result[std::size_t(rank - shape.rank() + axis)];
      if (shape[axis] == 1) continue;
      fits   = fits && (extent == 1 || extent == shape[axis]);
      extent = shape[axis];
    }
  }
  return result;
}

TEST(Broadcast, RandomShapesFollowTheRuleInAnyOrder) {
  KastTest::Random random(1);
  int conflicts   = 0;
  const int count = KastTest::cases(20000);
  for (int run = 0; run < count; ++run) {
    std::vector<Extents> shapes(std::size_t(random.between(1, 5)));
    for (Extents& shape : shapes) {
      const auto rank = random.between(0, 8);
      for (int axis = 0; axis < rank; ++axis)
        shape.push_back(random.chance(70) ? 1 : std::size_t(random.between(0, 3)));
    }
    bool fits;
    const auto expected = by_the_rule(shapes, fits);
    for (int turn = 0; turn < int(shapes.size()); ++turn) {
      std::rotate(shapes.begin(), shapes.begin() + 1, shapes.end());
      if (fits) {
        EXPECT_EQ(broadcast_shapes(shapes), Extents(std::span<const std::size_t>(expected)));
      } else {
        EXPECT_THROW(broadcast_shapes(shapes), Kast::Error);
      }
    }
    conflicts += !fits;
  }
  EXPECT_GT(conflicts, count / 10) << "the draw must reach both outcomes";
  EXPECT_LT(conflicts, count * 9 / 10);
}

}  // namespace
