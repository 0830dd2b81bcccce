// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kast_perf: every access pattern beside a copy of the same bytes and what people write today, each result checked.
// Names are op/implementation/space/layout/shape/type.
#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "Calls.hpp"
#include "Context.hpp"
#include "Engine.hpp"
#include "Reporters.hpp"
#include "Suite.hpp"

namespace KastPerf {
namespace {

constexpr const char* usage =
    "kast_perf [--suite=small|cache|memory|all] [--kast_max_bytes=BYTES] [flags of Google Benchmark] [flags of "
    "Kokkos]\n"
    "  --suite           small: tiny shapes, each once; cache: within a last-level cache; memory: beyond it; all "
    "(default):\n"
    "                    cache and memory\n"
    "  --kast_max_bytes  leaves out cases whose operands take more; 1e9 on hosts, 16e9 on devices by default. From 4e9 "
    "on,\n"
    "                    hosts run the shapes of devices\n"
    "Benchmarks are named op/implementation/space/layout/shape/type, and --benchmark_filter sees /manual_time behind "
    "that.\n"
    "Exit status 1: a result was wrong.\n";

struct Options {
  std::vector<Size> sizes = {Size::cache, Size::memory};
  std::size_t max_bytes   = 0;  // 0: the defaults
  bool plant_fault        = false;
};

struct Run {
  Options options;
  std::set<std::string> checked;
  bool failed = false;
};

// The check of a benchmark, before it is timed for the first time.
bool is_right(benchmark::State& state, Run& run, Engine& engine, const Work& work, const std::string& name) {
  if (!run.checked.insert(name).second) return true;
  const bool spoil          = run.options.plant_fault;
  run.options.plant_fault   = false;
  const std::string problem = engine.check(work, spoil);
  if (problem.empty()) return true;
  run.failed = true;
  std::fprintf(stderr, "kast_perf: %s: %s\n", name.c_str(), problem.c_str());
  state.SkipWithError(problem.c_str());
  return false;
}

double median_of(std::vector<double> times) {
  const auto middle = times.begin() + std::ptrdiff_t(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

void measure(benchmark::State& state, Run& run, Engine& engine, const Case& c, const std::string& implementation) {
  engine.load(c);
  const Work work    = engine.work(implementation);
  const bool is_copy = implementation == "copy" || implementation == "copy_nt";
  if (!is_copy && !is_right(state, run, engine, work, c.name(implementation, engine.space()))) return;
  // Short kernels are launched back to back, so that the host's part of a launch hides behind the one before. Long ones are
  // measured several times an iteration: one sample is none.
  const double once  = engine.seconds(work, 1);
  const int launches = engine.is_device() ? std::clamp(int(300e-6 / once), 1, 64) : 1;
  const int samples  = once > 6e-3 ? std::clamp(int(0.2 / once), 1, 5) : 1;
  std::vector<double> times;
  while (state.KeepRunningBatch(launches)) {
    const auto first = std::ptrdiff_t(times.size());
    for (int sample = 0; sample < samples; ++sample) times.push_back(engine.seconds(work, launches) / launches);
    state.SetIterationTime(launches * median_of({times.begin() + first, times.end()}));
  }
  const double median        = median_of(times);
  state.counters["median_s"] = median;
  state.counters["bytes_per_second"] =
      benchmark::Counter(double(c.bytes()) / median, benchmark::Counter::kDefaults, benchmark::Counter::kIs1000);
  state.counters["checksum"] = is_copy ? 0.0 : double(engine.checksum() % 1000003);
}

void register_cases(Run& run, const Engines& engines) {
  for (const Size size : run.options.sizes) {
    for (const bool device : {false, true}) {
      const std::size_t max_bytes = run.options.max_bytes ? run.options.max_bytes
                                    : device              ? 16'000'000'000
                                                          : 1'000'000'000;
      const bool as_device        = device || max_bytes >= 4'000'000'000;
      for (const Case& c : suite(size, as_device, max_bytes)) {
        for (const auto& engine : engines) {
          if (engine->is_device() != device || engine->type() != c.type) continue;
          for (const std::string& implementation : engine->implementations(c)) {
            benchmark::RegisterBenchmark(c.name(implementation, engine->space()).c_str(),
                                         [&run, e = engine.get(), c, implementation](benchmark::State& state) {
                                           measure(state, run, *e, c, implementation);
                                         })
                ->UseManualTime()
                ->Unit(benchmark::kMicrosecond);
          }
        }
      }
    }
  }
}

bool has_prefix(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--suite=small") options.sizes = {Size::small};
    else if (argument == "--suite=cache") options.sizes = {Size::cache};
    else if (argument == "--suite=memory") options.sizes = {Size::memory};
    else if (argument == "--suite=all") options.sizes = {Size::cache, Size::memory};
    else if (argument == "--kast_plant_fault") options.plant_fault = true;
    else if (has_prefix(argument, "--kast_max_bytes="))
      options.max_bytes = std::size_t(std::strtod(argv[i] + 17, nullptr));
    else {
      std::fprintf(stderr, "kast_perf: unknown argument %s\n%s", argv[i], usage);
      return false;
    }
  }
  return true;
}

// Arguments with our default time in front of the user's flags, which win.
std::vector<char*> with_defaults(int argc, char** argv) {
  static char short_time[] = "--benchmark_min_time=0.05", no_time[] = "--benchmark_min_time=0.000000001";
  const bool small =
      std::any_of(argv, argv + argc, [](const char* a) { return std::string_view(a) == "--suite=small"; });
  std::vector<char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, small ? no_time : short_time);
  return arguments;
}

void run_benchmarks(const std::vector<std::string>& flags) {
  const auto given = [&](const char* prefix) {
    return std::any_of(flags.begin(), flags.end(), [&](const std::string& flag) { return has_prefix(flag, prefix); });
  };
  PlainNames<benchmark::ConsoleReporter> console(benchmark::ConsoleReporter::OO_Defaults);
  PlainNames<benchmark::JSONReporter> json;
  benchmark::RunSpecifiedBenchmarks(given("--benchmark_format") ? nullptr : &console,
                                    given("--benchmark_out=") && !given("--benchmark_out_format") ? &json : nullptr);
}

bool has_device() {
#ifdef KOKKOS_ENABLE_CUDA
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
#else
  return true;
#endif
}

int program(int argc, char** argv) {
  std::vector<char*> arguments = with_defaults(argc, argv);
  const std::vector<std::string> flags(arguments.begin(), arguments.end());
  int count = int(arguments.size());
  if (std::find(flags.begin(), flags.end(), "--help") != flags.end()) std::fputs(usage, stdout);
  benchmark::Initialize(&count, arguments.data());
  Run run;
  if (!parse(count, arguments.data(), run.options)) return 2;
  add_context();
  {
    Engines engines;
    const auto add = [&](Engines more) {
      for (auto& engine : more) engines.push_back(std::move(engine));
    };
    add(make_engines<double>());
    add(make_engines<float>());
    add(make_engines<std::int8_t>());
    add(make_engines<Kokkos::complex<double>>());
    register_calls(run.failed);
    register_cases(run, engines);
    run_benchmarks(flags);
    benchmark::ClearRegisteredBenchmarks();
  }
  release_memory();
  if (run.failed) std::fputs("kast_perf: at least one result was wrong\n", stderr);
  return run.failed ? 1 : 0;
}

}  // namespace
}  // namespace KastPerf

int main(int argc, char** argv) {
  if (!KastPerf::has_device()) {
    std::puts("SKIPPED: no CUDA device on this machine");
    return 77;
  }
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return KastPerf::program(argc, argv);
}
