// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call asks of Kokkos, seen through Kokkos Tools: one kernel with a label of ours, on the given instance; no fence, no
// allocation. On CUDA also how kernels are launched, and that calls can be captured.
#include <gtest/gtest.h>

#include <cstdio>

#include <Kast/Math.hpp>

#include "CountedNew.hpp"
#include "TestUtils.hpp"

namespace {

using KastTest::Array;
using KastTest::dense;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;

// --- what Kokkos reports, without allocating ----------------------------------------------------------------------------

struct Event {
  char kind;  ///< k kernel, f fence, a allocation, d release, c deep copy, r region
  char label[120];
  std::uint32_t device;
};
struct Record {
  Event events[64];
  int count = 0;

  void add(char kind, const char* label, std::uint32_t device = 0) {
    if (count == 64) return;
    Event& event = events[count++];
    event.kind   = kind;
    event.device = device;
    std::snprintf(event.label, sizeof event.label, "%s", label);
  }
  /// Such as "k Kast::add; a Kast::add".
  std::string text() const {
    std::string all;
    for (int k = 0; k < count; ++k) all += (k > 0 ? "; " : "") + std::string(1, events[k].kind) + ' ' + events[k].label;
    return all;
  }
};
Record record;

void observe() {
  namespace Tools   = Kokkos::Tools::Experimental;
  const auto kernel = [](const char* label, const std::uint32_t device, std::uint64_t*) {
    record.add('k', label, device);
  };
  Tools::set_begin_parallel_for_callback(kernel);
  Tools::set_begin_parallel_reduce_callback(kernel);
  Tools::set_begin_parallel_scan_callback(kernel);
  Tools::set_begin_fence_callback(
      [](const char* label, const std::uint32_t device, std::uint64_t*) { record.add('f', label, device); });
  Tools::set_allocate_data_callback([](const Kokkos::Tools::SpaceHandle, const char* label, const void*,
                                       const std::uint64_t) { record.add('a', label); });
  Tools::set_deallocate_data_callback([](const Kokkos::Tools::SpaceHandle, const char* label, const void*,
                                         const std::uint64_t) { record.add('d', label); });
  Tools::set_begin_deep_copy_callback([](const Kokkos::Tools::SpaceHandle, const char* label, const void*,
                                         const Kokkos::Tools::SpaceHandle, const char*, const void*,
                                         std::uint64_t) { record.add('c', label); });
  Tools::set_push_region_callback([](const char* label) { record.add('r', label); });
}
void stop_observing() {
  namespace Tools = Kokkos::Tools::Experimental;
  Tools::set_begin_parallel_for_callback(nullptr);
  Tools::set_begin_parallel_reduce_callback(nullptr);
  Tools::set_begin_parallel_scan_callback(nullptr);
  Tools::set_begin_fence_callback(nullptr);
  Tools::set_allocate_data_callback(nullptr);
  Tools::set_deallocate_data_callback(nullptr);
  Tools::set_begin_deep_copy_callback(nullptr);
  Tools::set_push_region_callback(nullptr);
}

/// What Kokkos reports while `work` runs.
template <class Work>
Record events_in(const Work& work) {
  record = {};
  observe();
  work();
  stop_observing();
  return record;
}

struct Wide {
  KOKKOS_FUNCTION double operator()(double a, double b, double c, double d, double e, double f, double g) const {
    return a + b + c + d + e + f + g;
  }
};
struct Heavy {
  double ballast[80];  // 640 bytes: past Kokkos' limit for launches through local memory
  KOKKOS_FUNCTION double operator()(double a) const { return a + ballast[79]; }
};
struct Twice {
  KOKKOS_FUNCTION void operator()(double a, double& x, double& y) const { x = a, y = 2 * a; }
};

template <class Space>
class Launches : public testing::Test {
 public:
  using Values = Array<double, Space>;
  using View   = Kokkos::View<double**, LayoutRight, Space>;

  // Calls of every kind with outputs given, small and large enough for several workers: `check(name, label, call)`.
  template <class Check>
  static void for_each_call(const Space& exec, std::size_t rows, const Check& check) {
    const View a("a", rows, 60), b("b", rows, 60), c("c", rows, 60);
    const Kokkos::View<double**, LayoutLeft, Space> left("left", rows, 60);
    const Kokkos::View<double*, Space> row("row", 60);
    const Kokkos::View<bool*, Space> mask("mask", 60);
    const Kokkos::View<bool**, LayoutRight, Space> truth("truth", rows, 60);
    check("flat", "Kast::multiply", [&] { Kast::multiply(exec, a, b, c); });
    check("rows", "Kast::multiply", [&] { Kast::multiply(exec, row, b, c); });
    check("mdrange", "Kast::multiply", [&] { Kast::multiply(exec, row, b, c, Kast::Experimental::policy::mdrange); });
    check("number", "Kast::add", [&] { Kast::add(exec, 2.0, b, c); });
    check("transposed", "Kast::add", [&] { Kast::add(exec, left, b, c); });
    check("reversed", "Kast::add", [&] { Kast::add(exec, Kast::flip(a, 1), b, c); });
    check("in place", "Kast::add", [&] { Kast::add(exec, a, row, a); });
    check("masked", "Kast::negative", [&] { Kast::negative(exec, a, c, Kast::where(mask)); });
    check("a label over 15 characters", "Kast::greater_equal", [&] { Kast::greater_equal(exec, a, b, truth); });
    check("two outputs", "Kast::vectorize", [&] { Kast::vectorize<1, 2>(Twice{})(exec, row, a, c); });
    check("many operands", "Kast::vectorize", [&] { Kast::vectorize(Wide{})(exec, a, b, row, 1.0, left, row, a, c); });
    check("a large functor", "Kast::vectorize", [&] { Kast::vectorize(Heavy{})(exec, a, c); });
    check("copy rule without overlap", "Kast::negative", [&] { Kast::negative(exec, a, c, Kast::overlap::copy); });
    exec.fence();
  }
};
TYPED_TEST_SUITE(Launches, KastTest::SpaceTypes, KastTest::Names);

TYPED_TEST(Launches, OneKernelACallAndNothingElse) {
  const TypeParam exec;
  for (const std::size_t rows : {3, 3000}) {
    TestFixture::for_each_call(exec, rows, [&](const char* name, const std::string& label, const auto& call) {
      call();
      Record second;
      const long heap = KastTest::allocations_in([&] { second = events_in(call); });
      EXPECT_EQ(second.text(), "k " + label) << name << ", " << rows << " rows";
      EXPECT_EQ(second.events[0].device, Kokkos::Tools::Experimental::device_id(exec)) << name;
      EXPECT_EQ(heap, 0) << name << ", " << rows << " rows";
      // The same without tools: no other path may allocate.
      EXPECT_EQ(KastTest::allocations_in(call), 0) << name << ", " << rows << " rows";
    });
  }
}

TYPED_TEST(Launches, NoKernelWhenTheLoopIsEmpty) {
  TestFixture::for_each_call(TypeParam{}, 0, [](const char* name, const std::string&, const auto& call) {
    EXPECT_EQ(events_in(call).text(), "") << name;
    EXPECT_EQ(KastTest::allocations_in(call), 0) << name;
  });
}

TYPED_TEST(Launches, OnTheGivenInstance) {
  const auto instances = Kokkos::Experimental::partition_space(TypeParam{}, 1, 1);
  const Kokkos::View<double**, LayoutRight, TypeParam> a("a", 500, 60), b("b", 500, 60);
  Kokkos::fence();
  for (const auto& exec : instances) {
    const Record events = events_in([&] { Kast::negative(exec, a, b); });
    EXPECT_EQ(events.text(), "k Kast::negative");
    EXPECT_EQ(events.events[0].device, Kokkos::Tools::Experimental::device_id(exec));
    exec.fence();
  }
}

TYPED_TEST(Launches, PreparedCalls) {
  const Kokkos::View<double**, LayoutRight, TypeParam> a("a", 500, 60), b("b", 500, 60);
  const auto job = Kast::prepare(TypeParam{}, Kast::negative, a, b);
  job();
  for (int turn = 0; turn < 3; ++turn) {
    Record events;
    EXPECT_EQ(KastTest::allocations_in([&] { events = events_in(job); }), 0);
    EXPECT_EQ(events.text(), "k Kast::negative");
  }
  Kokkos::fence();
}

TYPED_TEST(Launches, PlansAskNothing) {
  const Kokkos::View<double**, LayoutRight, TypeParam> a("a", 500, 60), b("b", 500, 60);
  const TypeParam exec;
  EXPECT_EQ(events_in([&] { Kast::plan(exec, Kast::negative, a, b); }).text(), "");
  EXPECT_EQ(events_in([&] { Kast::plan(exec, Kast::negative, a); }).text(), "");
  EXPECT_EQ(KastTest::allocations_in([&] { Kast::plan(exec, Kast::negative, a, b); }), 0);
}

/// The events that are no fence: allocation and release may fence, as in Kokkos.
std::string without_fences(const Record& events) {
  Record rest;
  for (int k = 0; k < events.count; ++k)
    if (events.events[k].kind != 'f') rest.add(events.events[k].kind, events.events[k].label);
  return rest.text();
}

TYPED_TEST(Launches, AllocationsCarryOurLabels) {
  const Kokkos::View<double**, LayoutRight, TypeParam> a("a", 500, 60);
  const Record result = events_in([&] { Kast::greater_equal(TypeParam{}, a, 1.0); });
  EXPECT_EQ(without_fences(result), "a Kast::greater_equal; k Kast::greater_equal; d Kast::greater_equal");
  const auto all           = Kokkos::ALL;
  const Record overlapping = events_in([&] {
    Kast::negative(TypeParam{}, Kokkos::subview(a, all, std::pair(0, 59)), Kokkos::subview(a, all, std::pair(1, 60)),
                   Kast::overlap::copy);
  });
  EXPECT_EQ(without_fences(overlapping), "a Kast::negative; k Kast::negative; k Kast::negative; d Kast::negative");
}

#ifdef KOKKOS_ENABLE_CUDA

template <class Functor, class Policy>
constexpr auto mechanism_of(const Functor&, const Policy&) {
  return Kokkos::Impl::DeduceCudaLaunchMechanism<
      Kokkos::Impl::ParallelFor<Functor, Policy, Kokkos::Cuda>>::launch_mechanism;
}

// Through constant memory a launch would wait for the one before it.
TEST(CudaLaunches, GoThroughLocalMemory) {
  const Kokkos::View<double**, LayoutRight, Kokkos::Cuda> a("a", 50, 60), c("c", 50, 60);
  const auto check = [](const auto& job, std::size_t more_than) {
    const auto functor = job.functor();
    const auto range   = job.policy();
    EXPECT_GT(sizeof functor, more_than);
    EXPECT_EQ(mechanism_of(functor, range), Kokkos::Impl::CudaLaunchMechanism::LocalMemory);
    const auto tiles = Kast::Impl::light(Kokkos::MDRangePolicy<Kokkos::Cuda, Kokkos::Rank<2>>({0, 0}, {1, 1}));
    EXPECT_EQ(mechanism_of(functor, tiles), Kokkos::Impl::CudaLaunchMechanism::LocalMemory);
  };
  const Kokkos::Cuda exec;
  check(Kast::prepare(exec, Kast::negative, a, c), 0);
  check(Kast::prepare(exec, Kast::vectorize(Wide{}), a, a, a, 1.0, a, a, a, c), 512);
  check(Kast::prepare(exec, Kast::vectorize(Heavy{}), a, c), 512);
}

TEST(CudaLaunches, CanBeCaptured) {
  Array<double, Kokkos::Cuda> a(dense({300, 60}), 1), c(dense({300, 60}), 2);
  const Array<double, Kokkos::Cuda> row(dense({60}), 3);
  const auto in = a.view<LayoutRight, 2>(), out = c.view<LayoutRight, 2>();
  const auto call = [&](const Kokkos::Cuda& exec) {
    Kast::multiply(exec, in, row.view<LayoutRight, 1>(), out);
    Kast::vectorize(Heavy{})(exec, out, out);
  };
  const auto exec = Kokkos::Experimental::partition_space(Kokkos::Cuda{}, 1)[0];
  call(exec);
  exec.fence();
  c.fill(2);

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaStreamBeginCapture(exec.cuda_stream(), cudaStreamCaptureModeGlobal), cudaSuccess);
  call(exec);
  ASSERT_EQ(cudaStreamEndCapture(exec.cuda_stream(), &graph), cudaSuccess);
  std::size_t nodes = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 2u);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);

  Array<double, Kokkos::Cuda> expected(dense({300, 60}), 2);
  c.download();
  EXPECT_TRUE(same(c, expected)) << "nothing ran while it was captured";
  KastTest::for_each_index({300, 60}, [&](const Kast::Extents& i) { expected.at(i) = a.at(i) * row.at(i); });
  ASSERT_EQ(cudaGraphLaunch(executable, exec.cuda_stream()), cudaSuccess);
  exec.fence();
  c.download();
  EXPECT_TRUE(same(c, expected));
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

#endif

}  // namespace
