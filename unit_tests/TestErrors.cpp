// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every refusal: its whole text and kind, and that outputs are as they were. The text is the same in every build type, since
// this test is.
#include <gtest/gtest.h>

#include <Kast/Math.hpp>

#include "TestUtils.hpp"

namespace {

using Kast::ErrorKind;
using Kast::Extents;
using Kast::Strides;
using KastTest::Array;
using KastTest::dense;
using KastTest::refuses;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;

using Space  = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Values = Array<double, Space>;
using Flags  = Array<bool, Space>;

struct Halves {
  KOKKOS_FUNCTION void operator()(double a, double& low, double& high) const { low = high = a / 2; }
};

/// Runs a call that must refuse, then looks whether the buffer of the output still holds what it was filled with.
template <class Call>
testing::AssertionResult refused(ErrorKind kind, const std::string& text, Values& out, std::uint64_t salt,
                                 const Call& call) {
  if (const auto result = refuses(kind, text, call); !result) return result;
  Kokkos::fence();
  out.download();
  return same(out, Values(out.place, salt));
}

TEST(Refuses, InputsThatDoNotFit) {
  const Values a(dense({2, 3}), 1), b(dense({4}), 2);
  Values out(dense({2, 3}), 3);
  EXPECT_TRUE(refused(
      ErrorKind::shape,
      "Kast::multiply: input 1 (4,) does not broadcast with input 0 (2,3): axis 1 of the loop has extent 4 and 3; "
      "shapes of all operands: (2,3) (4,) (2,3)",
      out, 3, [&] { Kast::multiply(a.view<LayoutRight, 2>(), b.view<LayoutRight, 1>(), out.view<LayoutRight, 2>()); }));
  EXPECT_TRUE(refuses(
      ErrorKind::shape,
      "Kast::multiply: input 1 (4,) does not broadcast with input 0 (2,3): axis 1 of the loop has extent 4 and 3",
      [&] { Kast::multiply(a.view<LayoutRight, 2>(), b.view<LayoutRight, 1>()); }));
  EXPECT_TRUE(refuses(
      ErrorKind::shape,
      "Kast::multiply: input 1 (4,) does not broadcast with input 0 (2,3): axis 1 of the loop has extent 4 and 3",
      [&] { Kast::plan(Kast::multiply, a.view<LayoutRight, 2>(), b.view<LayoutRight, 1>()); }));
}

TEST(Refuses, TheAxisCountsFromTheFrontOfTheWholeLoop) {
  const Values a(dense({2, 3}), 1), b(dense({5, 1}), 2);
  Values out(dense({7, 2, 3}), 3);
  EXPECT_TRUE(refused(
      ErrorKind::shape,
      "Kast::select: input 2 (5,1) does not broadcast with input 1 (2,3): axis 1 of the loop has extent 5 and 2; "
      "shapes of all operands: () (2,3) (5,1) (7,2,3)",
      out, 3,
      [&] { Kast::select(true, a.view<LayoutRight, 2>(), b.view<LayoutRight, 2>(), out.view<LayoutRight, 3>()); }));
}

TEST(Refuses, ZeroAgainstThree) {
  const Values a(dense({0}), 1), b(dense({3}), 2);
  EXPECT_TRUE(
      refuses(ErrorKind::shape,
              "Kast::add: input 1 (3,) does not broadcast with input 0 (0,): axis 0 of the loop has extent 3 and 0",
              [&] { Kast::add(a.view<LayoutRight, 1>(), b.view<LayoutRight, 1>()); }));
}

TEST(Refuses, OutputsThatWouldStretch) {
  const Values a(dense({2, 3}), 1);
  Values row(dense({1, 3}), 3), low(dense({3}), 4), other(dense({2, 4}), 5);
  EXPECT_TRUE(
      refused(ErrorKind::shape,
              "Kast::negative: output 0 (1,3) does not have the broadcast shape (2,3): axis 0 has extent 1 and not 2; "
              "outputs are never stretched; shapes of all operands: (2,3) (1,3)",
              row, 3, [&] { Kast::negative(a.view<LayoutRight, 2>(), row.view<LayoutRight, 2>()); }));
  EXPECT_TRUE(refused(ErrorKind::shape,
                      "Kast::negative: output 0 (3,) does not have the broadcast shape (2,3): its rank is 1 and not 2; "
                      "outputs are never stretched; shapes of all operands: (2,3) (3,)",
                      low, 4, [&] { Kast::negative(a.view<LayoutRight, 2>(), low.view<LayoutRight, 1>()); }));
  EXPECT_TRUE(
      refused(ErrorKind::shape,
              "Kast::negative: output 0 (2,4) does not have the broadcast shape (2,3): axis 1 has extent 4 and not 3; "
              "outputs are never stretched; shapes of all operands: (2,3) (2,4)",
              other, 5, [&] { Kast::negative(a.view<LayoutRight, 2>(), other.view<LayoutRight, 2>()); }));
}

TEST(Refuses, TheSecondOutput) {
  const Values a(dense({6}), 1);
  Values low(dense({6}), 2), high(dense({1}), 3);
  EXPECT_TRUE(
      refused(ErrorKind::shape,
              "Kast::vectorize: output 1 (1,) does not have the broadcast shape (6,): axis 0 has extent 1 and not 6; "
              "outputs are never stretched; shapes of all operands: (6,) (6,) (1,)",
              low, 2, [&] {
                Kast::vectorize<1, 2>(Halves{})(a.view<LayoutRight, 1>(), low.view<LayoutRight, 1>(),
                                                high.view<LayoutRight, 1>());
              }));
}

TEST(Refuses, MasksThatDoNotFit) {
  const Values a(dense({2, 3}), 1);
  const Flags mask(dense({2}), 2), tall(dense({5, 2, 3}), 2);
  Values out(dense({2, 3}), 3);
  EXPECT_TRUE(refused(
      ErrorKind::shape,
      "Kast::negative: the mask (2,) does not broadcast with input 0 (2,3): axis 1 of the loop has extent 2 and 3; "
      "shapes of all operands: (2,3) (2,3) (2,)",
      out, 3, [&] {
        Kast::negative(a.view<LayoutRight, 2>(), out.view<LayoutRight, 2>(), Kast::where(mask.view<LayoutRight, 1>()));
      }));
  EXPECT_TRUE(
      refused(ErrorKind::shape,
              "Kast::negative: output 0 (2,3) does not have the broadcast shape (5,2,3): its rank is 2 and not 3; "
              "outputs are never stretched; shapes of all operands: (2,3) (2,3) (5,2,3)",
              out, 3, [&] {
                Kast::negative(a.view<LayoutRight, 2>(), out.view<LayoutRight, 2>(),
                               Kast::where(tall.view<LayoutRight, 3>()));
              }));
}

TEST(Refuses, OverlapWithAnInput) {
  Values a(dense({10}), 1);
  const auto view = a.view<LayoutRight, 1>();
  const auto low = Kokkos::subview(view, std::pair(0, 9)), high = Kokkos::subview(view, std::pair(1, 10));
  const std::string text =
      "Kast::negative: output 0 (shape (9,), strides (1,)) overlaps input 0 (shape (9,), strides (1,)) and is not the "
      "same array; "
      "pass Kast::overlap::copy for one temporary, or Kast::overlap::none if the elements are known to be disjoint";
  EXPECT_TRUE(refused(ErrorKind::overlap, text, a, 1, [&] { Kast::negative(low, high); }));
  EXPECT_TRUE(refused(ErrorKind::overlap, text, a, 1, [&] { Kast::plan(Kast::negative, low, high); }));
  EXPECT_TRUE(refused(ErrorKind::overlap, text, a, 1, [&] { Kast::prepare(Kast::negative, low, high); }));
}

TEST(Refuses, WhatCannotBeDecided) {
  // An input whose reach no address space holds; nothing of it is read.
  Values a(dense({3}), 1);
  const auto far = Kast::strided<Memory>(a.data(), {3}, {std::ptrdiff_t(1) << 58});
  EXPECT_TRUE(
      refused(ErrorKind::overlap,
              "Kast::negative: output 0 (shape (3,), strides (1,)) may overlap input 0 (shape (3,), strides "
              "(288230376151711744,)) and is not the same array; pass Kast::overlap::copy for one temporary, or "
              "Kast::overlap::none if the elements are known to be disjoint",
              a, 1, [&] { Kast::negative(far, a.view<LayoutRight, 1>()); }));
}

TEST(Refuses, TheSamePointerIsNotTheSameArray) {
  Values square(dense({4, 4}), 1);
  const auto view       = square.view<LayoutRight, 2>();
  const auto transposed = Kast::strided<Memory>(square.data(), {4, 4}, {1, 4});
  EXPECT_TRUE(refused(
      ErrorKind::overlap,
      "Kast::negative: output 0 (shape (4,4), strides (4,1)) overlaps input 0 (shape (4,4), strides (1,4)) and is "
      "not the same array; pass Kast::overlap::copy for one temporary, or Kast::overlap::none if the elements are "
      "known to be disjoint",
      square, 1, [&] { Kast::negative(transposed, view); }));
  // A row of the output itself, broadcast: read by workers that do not own it.
  EXPECT_TRUE(refused(
      ErrorKind::overlap,
      "Kast::add: output 0 (shape (4,4), strides (4,1)) overlaps input 1 (shape (4,), strides (1,)) and is not the "
      "same array; pass Kast::overlap::copy for one temporary, or Kast::overlap::none if the elements are known to "
      "be disjoint",
      square, 1, [&] { Kast::add(view, Kokkos::subview(view, 0, Kokkos::ALL), view); }));
  // The same memory as another value type.
  const auto bits = Kast::strided<Memory>(reinterpret_cast<const std::int64_t*>(square.data()), {4, 4}, {4, 1});
  EXPECT_TRUE(refused(
      ErrorKind::overlap,
      "Kast::copy: output 0 (shape (4,4), strides (4,1)) overlaps input 0 (shape (4,4), strides (4,1)) and is not "
      "the same array; pass Kast::overlap::copy for one temporary, or Kast::overlap::none if the elements are known "
      "to be disjoint",
      square, 1, [&] { Kast::copy(bits, view); }));
}

TEST(Refuses, OverlapWithTheMask) {
  Array<bool, Space> flags(dense({10}), 1);
  const Values a(dense({9}), 2);
  const auto view = flags.view<LayoutRight, 1>();
  EXPECT_TRUE(refuses(
      ErrorKind::overlap,
      "Kast::logical_not: output 0 (shape (9,), strides (1,)) overlaps the mask (shape (9,), strides (1,)) and is "
      "not the same array; pass Kast::overlap::copy for one temporary, or Kast::overlap::none if the elements are "
      "known to be disjoint",
      [&] {
        Kast::logical_not(a.view<LayoutRight, 1>(), Kokkos::subview(view, std::pair(0, 9)),
                          Kast::where(Kokkos::subview(view, std::pair(1, 10))));
      }));
}

TEST(Refuses, OutputsThatMeetThemselvesOrEachOther) {
  const Values a(dense({9}), 1);
  Values out(dense({20}), 2);
  const auto in = a.view<LayoutRight, 1>();
  for (const std::ptrdiff_t stride : {0}) {
    const auto repeated = Kast::strided<Memory>(out.data(), {9}, {stride});
    const std::string text =
        "Kast::copy: output 0 (shape (9,), strides (0,)) overlaps itself: two of its indices reach the same element; "
        "write to an "
        "array of its own";
    EXPECT_TRUE(refused(ErrorKind::overlap, text, out, 2, [&] { Kast::copy(in, repeated); }));
    EXPECT_TRUE(refused(ErrorKind::overlap, text, out, 2, [&] { Kast::copy(in, repeated, Kast::overlap::copy); }));
  }
  const auto window = Kast::strided<Memory>(out.data(), {3, 9}, {1, 1});
  EXPECT_TRUE(refused(
      ErrorKind::overlap,
      "Kast::copy: output 0 (shape (3,9), strides (1,1)) overlaps itself: two of its indices reach the same element; "
      "write to an array of its own",
      out, 2, [&] { Kast::copy(in, window); }));
  const auto view = out.view<LayoutRight, 1>();
  const auto low = Kokkos::subview(view, std::pair(0, 9)), high = Kokkos::subview(view, std::pair(8, 17));
  for (const bool copies : {false, true}) {
    EXPECT_TRUE(refused(
        ErrorKind::overlap,
        "Kast::vectorize: output 1 (shape (9,), strides (1,)) overlaps output 0 (shape (9,), strides (1,)): outputs "
        "must be disjoint",
        out, 2, [&] {
          const auto halves = Kast::vectorize<1, 2>(Halves{});
          if (copies) halves(in, low, high, Kast::overlap::copy);
          else halves(in, low, high);
        }));
  }
}

TEST(Refuses, SizesThatCannotBeCounted) {
  const std::size_t half = std::size_t(1) << 32;
  Values one(dense({1}), 1);
  const auto wide = Kast::strided<Memory>(one.data(), {half}, {0});
  const auto tall = Kast::strided<Memory>(one.data(), {half, 1}, {0, 0});
  const auto call = [&] { Kast::add(Space{}, tall, wide); };
  EXPECT_TRUE(refuses(ErrorKind::size,
                      "Kast::add: a result of shape (4294967296,4294967296) has more than 2^63 - 1 bytes", call));
  EXPECT_TRUE(refuses(ErrorKind::size,
                      "Kast::add: a result of shape (4294967296,4294967296) has more than 2^63 - 1 bytes",
                      [&] { Kast::plan(Space{}, Kast::add, tall, wide); }));
  // Few enough elements, too many bytes: a product that wraps would allocate next to nothing.
  const auto less = Kast::strided<Memory>(one.data(), {half / 8}, {0});
  EXPECT_TRUE(refuses(ErrorKind::size,
                      "Kast::add: a result of shape (4294967296,536870912) has more than 2^63 - 1 bytes",
                      [&] { Kast::add(Space{}, tall, less); }));
}

#if !defined(__SANITIZE_ADDRESS__)  // which ends the program instead
TEST(Refuses, MemoryThatCannotBeHad) {
  Values one(dense({1}), 1);
  const auto wide = Kast::strided<Memory>(one.data(), {std::size_t(1) << 50}, {0});
  const std::string text =
      "Kast::negative: a result of shape (1125899906842624,) (9007199254740992 bytes) could not be allocated";
  EXPECT_TRUE(refuses(ErrorKind::allocation, text, [&] { Kast::negative(Space{}, wide); }));
  try {
    Kast::negative(Space{}, wide);
  } catch (const Kast::Error& error) {
    EXPECT_THROW(std::rethrow_if_nested(error), std::exception) << "the cause is nested";
  }
}
#endif

TEST(Refuses, ErrorsAreRuntimeErrors) {
  const Values a(dense({2}), 1), b(dense({3}), 2);
  EXPECT_THROW(Kast::add(a.view<LayoutRight, 1>(), b.view<LayoutRight, 1>()), std::runtime_error);
}

}  // namespace
