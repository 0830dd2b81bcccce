// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Calls.hpp"

#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <Kast/Math.hpp>

#include "Spaces.hpp"

namespace KastPerf {
namespace {

constexpr int elements = 5;

template <class Exec>
using Vector = Kokkos::View<double*, typename Exec::memory_space>;

template <class Exec>
struct BareMultiply {
  Vector<Exec> a, b, out;
  KOKKOS_FUNCTION void operator()(const int i) const { out(i) = a(i) * b(i); }
};

template <class Exec>
struct Five {
  Exec exec{};
  Vector<Exec> a{"a", elements}, b{"b", elements}, out{"out", elements};

  Five() {
    Kokkos::deep_copy(a, 3.0);
    Kokkos::deep_copy(b, 7.0);
  }
  bool is_right() const {
    const auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, out);
    return std::all_of(result.data(), result.data() + elements, [](double x) { return x == 21.0; });
  }
};

// Host time a call, over batches; the fence is not counted, the launches of a batch fit a device's queue.
template <class Run, class Fence>
void time_calls(benchmark::State& state, const Run& run, const Fence& fence) {
  using Clock         = std::chrono::steady_clock;
  constexpr int batch = 200;
  std::vector<double> times;
  for (int warm_up = 0; warm_up < 10; ++warm_up) run();
  fence();
  while (state.KeepRunningBatch(batch)) {
    const auto begin = Clock::now();
    for (int call = 0; call < batch; ++call) run();
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    fence();
    state.SetIterationTime(seconds);
    times.push_back(seconds / batch);
  }
  std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
  state.counters["median_s"] = times[times.size() / 2];
}

enum class Way { bare, kast, prepared, plan };

template <class Exec, Way way>
void run(benchmark::State& state, bool& failed) {
  const Five<Exec> x;
  const auto fence = [&] { x.exec.fence(); };
  if constexpr (way == Way::bare) {
    const BareMultiply<Exec> body{x.a, x.b, x.out};
    time_calls(
        state,
        [&] {
          Kokkos::parallel_for("bare", Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(x.exec, 0, elements), body);
        },
        fence);
  } else if constexpr (way == Way::kast) {
    time_calls(
        state, [&] { Kast::multiply(x.exec, x.a, x.b, x.out); }, fence);
  } else if constexpr (way == Way::prepared) {
    const auto job = Kast::prepare(x.exec, Kast::multiply, x.a, x.b, x.out);
    time_calls(
        state, [&] { job(); }, fence);
  } else {
    time_calls(
        state, [&] { benchmark::DoNotOptimize(Kast::plan(x.exec, Kast::multiply, x.a, x.b, x.out).size()); }, fence);
    return;
  }
  if (x.is_right()) return;
  failed = true;
  state.SkipWithError("wrong result");
}

template <class Exec, Way way>
void add(const char* implementation, bool& failed) {
  const std::string name = std::string("call/") + implementation + '/' + Exec::name() + "/right/5/f64";
  benchmark::RegisterBenchmark(name.c_str(), [&failed](benchmark::State& state) { run<Exec, way>(state, failed); })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace

void register_calls(bool& failed) {
#define KAST_PERF_ADD(Exec)                     \
  add<Exec, Way::bare>("bare", failed);         \
  add<Exec, Way::kast>("kast", failed);         \
  add<Exec, Way::prepared>("prepared", failed); \
  add<Exec, Way::plan>("plan", failed);
  KAST_PERF_FOR_SPACES(KAST_PERF_ADD)
}

}  // namespace KastPerf
