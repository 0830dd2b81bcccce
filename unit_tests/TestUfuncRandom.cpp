// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls on arrays drawn at random - ranks 0 to 8, extents 0 and 1, padding, reversed and permuted axes, strides 0, masks -
// against a plain loop, typed over space, layout and value type, in both kernel forms.
#include <gtest/gtest.h>

#include <Kast/Math.hpp>

#include "TestUtils.hpp"

namespace {

using KastTest::Array;
using KastTest::Extents;
using KastTest::Placement;
using KastTest::position;
using KastTest::Random;

// The sum as C++ converts it back; unsigned arithmetic, so that nothing overflows.
template <class T>
T sum_of(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, bool>) return a || b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  else return static_cast<T>(a + b);
}

// A loop shape with at most a few thousand elements, and an operand's shape that broadcasts to it.
Extents random_extents(Random& random) {
  constexpr std::size_t often[] = {0, 1, 1, 2, 2, 3, 5, 7, 16, 33, 67, 130, 1025};
  Extents extents;
  const auto rank   = random.between(0, 8);
  std::size_t total = 1;
  for (int axis = 0; axis < rank; ++axis) {
    const std::size_t extent = often[random.chance(97) ? random.between(1, 12) : 0];
    extents.push_back(total * extent > 6000 ? 1 : extent);
    total *= std::max<std::size_t>(1, extents[axis]);
  }
  return extents;
}
Extents random_operand(Random& random, const Extents& loop) {
  Extents extents;
  const auto dropped = random.chance(50) ? 0 : random.between(0, loop.rank());
  for (int axis = int(dropped); axis < loop.rank(); ++axis) extents.push_back(random.chance(25) ? 1 : loop[axis]);
  return extents;
}

template <class Combination>
class UfuncRandom : public testing::Test {
 public:
  using Space = typename Combination::Space;
  using T     = typename Combination::Value;

  // One random call without and with a mask, in both forms.
  void run(Random& random) {
    const Extents loop = random_extents(random);
    const Array<T, Space> a(random_placement(random, random_operand(random, loop), true), random.bits());
    const Array<T, Space> b(random_placement(random, random_operand(random, loop), true), random.bits());
    const Array<bool, Space> mask(random_placement(random, random_operand(random, loop), true), random.bits());
    const Placement place    = random_placement(random, loop, false);
    const std::uint64_t salt = random.bits();
    Array<T, Space> expected(place, salt), expected_masked(place, salt);
    KastTest::for_each_index(loop, [&](const Extents& index) {
      const T value      = sum_of(a.at(index), b.at(index));
      expected.at(index) = value;
      if (mask.at(index)) expected_masked.at(index) = value;
    });
    const auto trace =
        "a " + text(a.place) + ", b " + text(b.place) + ", mask " + text(mask.place) + ", output " + text(place);
    const auto check = [&](const char* form, const Array<T, Space>& wanted, const auto&... options) {
      Array<T, Space> out(place, salt);
      Kast::add(Space{}, a.template argument<8>(), b.template argument<8>(), out.template argument<8>(), options...);
      Space{}.fence();
      out.download();
      EXPECT_TRUE(same(out, wanted)) << form << ": " << trace;
    };
    const auto where = Kast::where(mask.template argument<8>());
    check("default", expected);
    check("masked", expected_masked, where);
    if constexpr (KastTest::tests_mdrange<T>) {
      check("mdrange", expected, Kast::Experimental::policy::mdrange);
      check("compact", expected, Kast::Experimental::policy::compact);
      check("masked, mdrange", expected_masked, where, Kast::Experimental::policy::mdrange);
    }
  }

 private:
  static std::string text(const Placement& place) {
    return Kast::to_string(place.extents) + " strides " + Kast::to_string(place.strides);
  }
};
TYPED_TEST_SUITE(UfuncRandom, KastTest::SpaceValueTypes, KastTest::Names);

TYPED_TEST(UfuncRandom, AgreesWithAPlainLoop) {
  Random random(10);
  for (int run = 0; run < KastTest::cases(2000) && !this->HasFailure(); ++run) this->run(random);
}

template <class Combination>
class UfuncLayouts : public testing::Test {
 public:
  using Space  = typename Combination::Space;
  using Layout = typename Combination::Layout;
  using T      = typename Combination::Value;

  // Padded on the fastest axis where the layout has strides of its own, else dense.
  static Placement placement(const Extents& extents) {
    if constexpr (std::is_same_v<Layout, Kokkos::LayoutStride>) {
      Extents padded = extents;
      ++padded[padded.rank() - 1];
      Placement place = KastTest::dense(padded);
      place.extents   = extents;
      return place;
    } else {
      return KastTest::dense(extents,
                             std::is_same_v<Layout, Kokkos::LayoutLeft> ? Kast::Order::left : Kast::Order::right);
    }
  }

  void run(const Extents& inner, const Extents& outer) {
    const Array<T, Space> a(placement(inner), 1), b(placement(outer), 2);
    Array<T, Space> out(placement(outer), 3), expected(placement(outer), 3);
    KastTest::for_each_index(outer,
                             [&](const Extents& index) { expected.at(index) = sum_of(a.at(index), b.at(index)); });
    Kast::add(Space{}, a.template view<Layout, 2>(), b.template view<Layout, 3>(), out.template view<Layout, 3>());
    Space{}.fence();
    out.download();
    EXPECT_TRUE(same(out, expected)) << Kast::to_string(inner) << " + " << Kast::to_string(outer);
  }
};
TYPED_TEST_SUITE(UfuncLayouts, KastTest::SpaceLayoutValueTypes, KastTest::Names);

TYPED_TEST(UfuncLayouts, LastAxesShared) {
  this->run({40, 5}, {30, 40, 5});
  this->run({257, 3}, {4, 257, 3});
  this->run({1, 700}, {9, 3, 700});
  this->run({5, 1}, {2, 5, 300});
  this->run({1, 1}, {3, 1, 2});
  this->run({3, 4}, {0, 3, 4});
}

}  // namespace
