// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a Plan decides: merged axes and their order, strategy, bytes, index width, its text; and what making one costs.
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include <Kast/Math.hpp>

#include "CountedNew.hpp"
#include "TestUtils.hpp"

namespace {

using Kast::Extents;
using Kast::Operand;
using Kast::Order;
using Kast::Plan;
using Kast::Strategy;
using Kast::Strides;

constexpr std::uintptr_t apart = std::uintptr_t(1) << 50;

// Operands far apart in memory, so that only shapes and strides matter.
Operand operand(const Extents& extents, const Strides& strides, int place, std::uint32_t value_size = 8) {
  Operand result;
  result.data       = reinterpret_cast<const void*>(apart * std::uintptr_t(place + 1));
  result.extents    = extents;
  result.strides    = strides;
  result.value_size = value_size;
  result.dtype      = value_size == 8 ? Kast::DType::f8 : Kast::DType::other;
  return result;
}
Operand dense(const Extents& extents, int place, Order order = Order::right) {
  return operand(extents, Kast::dense_strides(extents, order), place);
}

Kast::Impl::PlanRequest request_of(const std::vector<Operand>& operands, int outputs = 1, bool masked = false) {
  Kast::Impl::PlanRequest request;
  request.function = "test";
  request.operands = operands;
  request.outputs  = outputs;
  request.masked   = masked;
  request.inputs   = int(operands.size()) - outputs - (masked ? 1 : 0);
  return request;
}
Plan plan_of(const std::vector<Operand>& operands, int outputs = 1) { return Plan(request_of(operands, outputs)); }

std::vector<std::size_t> walked(const Plan& plan) {
  return {plan.loop().extent, plan.loop().extent + plan.loop().rank};
}
using Walk = std::vector<std::size_t>;

TEST(Plan, DenseOperandsMergeToOneAxis) {
  const Plan plan = plan_of({dense({4, 5, 6}, 0), dense({4, 5, 6}, 1)});
  EXPECT_EQ(walked(plan), Walk{120});
  EXPECT_EQ(plan.loop().stride[0][0], 1);
  EXPECT_EQ(plan.strategy(), Strategy::contiguous);
  EXPECT_EQ(plan.extents(), (Extents{4, 5, 6}));
  EXPECT_EQ(plan.size(), 120u);
  EXPECT_EQ(plan.workers(), 120u);
}

TEST(Plan, LayoutLeftMergesAsWell) {
  const Plan plan = plan_of({dense({4, 5, 6}, 0, Order::left), dense({4, 5, 6}, 1, Order::left)});
  EXPECT_EQ(walked(plan), Walk{120});
  EXPECT_EQ(plan.strategy(), Strategy::contiguous);
}

TEST(Plan, TheStoryIsRows) {
  const Plan plan = plan_of({dense({4000, 5}, 0), dense({100, 4000, 5}, 1), dense({100, 4000, 5}, 2)});
  EXPECT_EQ(walked(plan), (Walk{20000, 100}));
  EXPECT_EQ(plan.strategy(), Strategy::rows);
  EXPECT_EQ(plan.loop().stride[0][1], 0);
  EXPECT_EQ(plan.loop().stride[1][1], 20000);
  EXPECT_EQ(plan.bytes_read(), 8u * (20000 + 2000000)) << "an operand counts once, however often it repeats";
  EXPECT_EQ(plan.bytes_written(), 8u * 2000000);
  EXPECT_EQ(plan.bytes_temporary(), 0u);
}

TEST(Plan, ExtentOneIsNoAxis) {
  EXPECT_EQ(walked(plan_of({dense({1, 7, 1}, 0), dense({1, 7, 1}, 1)})), Walk{7});
  EXPECT_EQ(walked(plan_of({dense({}, 0), dense({}, 1)})), Walk{});
  EXPECT_EQ(plan_of({dense({}, 0), dense({}, 1)}).size(), 1u);
  // The stride of an axis of extent 1 means nothing.
  EXPECT_EQ(walked(plan_of({operand({3, 1, 4}, {4, 777, 1}, 0), dense({3, 1, 4}, 1)})), Walk{12});
}

TEST(Plan, AnEmptyLoopHasNothingToWalk) {
  const Plan plan = plan_of({dense({3, 0, 4}, 0), dense({3, 0, 4}, 1)});
  EXPECT_EQ(plan.size(), 0u);
  EXPECT_EQ(plan.workers(), 0u);
  EXPECT_EQ(plan.bytes_read() + plan.bytes_written(), 0u);
  EXPECT_TRUE(plan.fits_32bit());
}

TEST(Plan, TheFirstOutputOrdersTheAxes) {
  // Output in Fortran order, input in C order: the fastest axis is the output's.
  const Plan plan = plan_of({dense({10, 20}, 0), dense({10, 20}, 1, Order::left)});
  EXPECT_EQ(walked(plan), (Walk{10, 20}));
  EXPECT_EQ(plan.loop().stride[1][0], 1);
  EXPECT_EQ(plan.loop().stride[0][0], 20);
  EXPECT_EQ(plan.strategy(), Strategy::transpose);
}

TEST(Plan, PaddingPreventsMerging) {
  const Plan plan = plan_of({dense({4, 6}, 0), operand({4, 6}, {8, 1}, 1)});
  EXPECT_EQ(walked(plan), (Walk{6, 4}));
  EXPECT_EQ(plan.strategy(), Strategy::strided);
}

TEST(Plan, AReversedOutputRunsForward) {
  Operand in = dense({4, 6}, 0), out = dense({4, 6}, 1);
  out.strides     = {6, -1};
  const Plan plan = plan_of({in, out});
  EXPECT_EQ(plan.loop().stride[1][0], 1);
  EXPECT_EQ(plan.loop().offset[1], -5) << "the first element visited is the last in memory order";
  EXPECT_EQ(plan.loop().stride[0][0], -1);
  EXPECT_EQ(plan.loop().offset[0], 5);
}

TEST(Plan, EverythingReversedMerges) {
  Operand in = dense({4, 6}, 0), out = dense({4, 6}, 1);
  in.strides = out.strides = {-6, -1};
  const Plan plan          = plan_of({in, out});
  EXPECT_EQ(walked(plan), Walk{24});
  EXPECT_EQ(plan.loop().offset[0], -23);
  EXPECT_EQ(plan.strategy(), Strategy::contiguous);
}

TEST(Plan, ColumnsAndMiddleAxes) {
  const Plan column = plan_of({dense({100, 1}, 0), dense({100, 50}, 1), dense({100, 50}, 2)});
  EXPECT_EQ(walked(column), (Walk{50, 100}));
  EXPECT_EQ(column.loop().stride[0][0], 0);
  EXPECT_EQ(column.loop().stride[0][1], 1);
  const Plan middle = plan_of({dense({10, 1, 5}, 0), dense({10, 20, 5}, 1), dense({10, 20, 5}, 2)});
  EXPECT_EQ(walked(middle), (Walk{5, 20, 10}));
  EXPECT_EQ(middle.strategy(), Strategy::rows);
}

TEST(Plan, StrideZeroReadsOneElement) {
  const Plan plan = plan_of({operand({100, 50}, {0, 1}, 0), dense({100, 50}, 1)});
  EXPECT_EQ(plan.bytes_read(), 8u * 50);
  EXPECT_EQ(plan.bytes_written(), 8u * 5000);
}

TEST(Plan, MaskAndSeveralOutputsCount) {
  const std::vector<Operand> operands{dense({6, 4}, 0), dense({6, 4}, 1), dense({6, 4}, 2), operand({4}, {1}, 3, 1)};
  const Plan plan(request_of(operands, 2, true));
  EXPECT_EQ(plan.inputs(), 1);
  EXPECT_EQ(plan.outputs(), 2);
  EXPECT_TRUE(plan.masked());
  EXPECT_EQ(plan.operand_count(), 4);
  EXPECT_EQ(plan.bytes_read(), 8u * 24 + 4);
  EXPECT_EQ(plan.bytes_written(), 2u * 8 * 24);
}

TEST(Plan, IndexWidth) {
  const std::size_t limit = std::size_t(1) << 30;
  EXPECT_TRUE(plan_of({dense({limit}, 0), dense({limit}, 1)}).fits_32bit());
  EXPECT_FALSE(plan_of({dense({limit + 1}, 0), dense({limit + 1}, 1)}).fits_32bit());
  // Few elements, far apart.
  EXPECT_TRUE(plan_of({operand({3}, {std::ptrdiff_t(limit / 2)}, 0), dense({3}, 1)}).fits_32bit());
  EXPECT_FALSE(plan_of({operand({3}, {std::ptrdiff_t(limit / 2 + 1)}, 0), dense({3}, 1)}).fits_32bit());
  EXPECT_FALSE(plan_of({operand({3}, {-std::ptrdiff_t(limit)}, 0), dense({3}, 1)}).fits_32bit());
  // A small output of a large loop does not exist; a small input does not help.
  EXPECT_FALSE(plan_of({dense({}, 0), dense({4, limit}, 1)}).fits_32bit());
}

TEST(Plan, ExplainsTheStory) {
  Kast::Impl::PlanRequest request;
  const std::vector<Operand> operands{dense({4000, 5}, 0), dense({100, 4000, 5}, 1), dense({100, 4000, 5}, 2)};
  request          = request_of(operands);
  request.function = "Kast::multiply";
  request.target   = {"OpenMP", false, 2};
  EXPECT_EQ(Plan(request).explain(),
            "Kast::multiply on OpenMP\n"
            "  input 0: (4000,5) strides (5,1), f8\n"
            "  input 1: (100,4000,5) strides (20000,5,1), f8\n"
            "  output 0: (100,4000,5) strides (20000,5,1), f8\n"
            "  loop: (100,4000,5), walked as 100 x 20,000\n"
            "  workers: 2,000,000; OpenMP runs 2 at once\n"
            "  strategy: rows, 32-bit offsets\n"
            "  bytes: 16,160,000 read, 16,000,000 written\n");
}

TEST(Plan, ExplainsNumbersOtherTypesMasksAndNothing) {
  Operand number;
  number.by_value   = true;
  number.value_size = 4;
  number.dtype      = Kast::DType::i4;
  const std::vector<Operand> operands{number, operand({0, 3}, {3, 1}, 1, 12), operand({3}, {1}, 2, 1)};
  EXPECT_EQ(Plan(request_of(operands, 1, true)).explain(),
            "test on Serial\n"
            "  input 0: a number, i4\n"
            "  output 0: (0,3) strides (3,1), 12 bytes a value\n"
            "  the mask: (3,) strides (1,), 1 bytes a value\n"
            "  loop: (0,3), walked as nothing\n"
            "  workers: 0; Serial runs 1 at once\n"
            "  strategy: contiguous, 32-bit offsets\n"
            "  bytes: 0 read, 0 written\n");
  EXPECT_NE(plan_of({dense({}, 0), dense({1, 1}, 1)}).explain().find("loop: (1,1), walked as one element\n"),
            std::string::npos);
}

TEST(Plan, OfACallWithAndWithoutOutputs) {
  using View = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::DefaultExecutionSpace>;
  const View a("a", 30, 20), c("c", 30, 20);
  const Kokkos::View<const double*, Kokkos::DefaultExecutionSpace> b =
      Kokkos::View<double*, Kokkos::DefaultExecutionSpace>("b", 20);
  const Kokkos::DefaultExecutionSpace exec;
  const Plan given = Kast::plan(exec, Kast::multiply, a, b, c), made = Kast::plan(Kast::multiply, a, b);
  for (const Plan* plan : {&given, &made}) {
    EXPECT_EQ(plan->function(), "Kast::multiply");
    EXPECT_EQ(plan->extents(), (Extents{30, 20}));
    EXPECT_EQ(walked(*plan), (Walk{30, 20}));
    EXPECT_EQ(plan->operand(2).strides, (Strides{1, 30})) << "the layout of the input of highest rank";
    EXPECT_EQ(plan->bytes_read(), 8u * 620);
    EXPECT_EQ(plan->bytes_written(), 8u * 600);
    EXPECT_EQ(plan->target().space, Kokkos::DefaultExecutionSpace::name());
  }
  const Kokkos::View<bool*, Kokkos::DefaultExecutionSpace> mask("mask", 20);
  EXPECT_EQ(Kast::plan(Kast::multiply, a, 2.0, Kast::where(mask)).bytes_read(), 8u * 600 + 20);
}

TEST(Plan, TakesNoHeapAndAMicrosecond) {
  const std::vector<Operand> operands{dense({4000, 5}, 0), dense({100, 4000, 5}, 1), dense({100, 4000, 5}, 2)};
  const auto request = request_of(operands);
  std::size_t sum    = 0;
  EXPECT_EQ(KastTest::allocations_in([&] { sum += Plan(request).bytes_read(); }), 0);
  EXPECT_GT(KastTest::allocations_in([&] { sum += Plan(request).explain().size(); }), 0) << "the counter must count";

  using Clock = std::chrono::steady_clock;
  double best = 1;
  for (int batch = 0; batch < 50; ++batch) {
    const auto start = Clock::now();
    for (int k = 0; k < 100; ++k) sum += Plan(request).bytes_read();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count() / 100);
  }
  EXPECT_GT(sum, 0u);
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(best, 5e-6);
#endif
}

}  // namespace
