// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostRun.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <thread>
#include <vector>

#include <Kast/Plan.hpp>
#include <Kast/impl/Launch.hpp>

namespace Kast::Tool {
namespace {

/// The host loop without Kokkos: for a build with a device backend on a machine without a device, where Kokkos cannot start.
void run_on_threads(const Impl::HostLoop& loop) {
  const Impl::Stateless state;
  std::vector<std::jthread> threads;
  for (int worker = 1; worker < loop.workers; ++worker) {
    threads.emplace_back([&, worker] { loop.run(&state, worker, loop.workers); });
  }
  loop.run(&state, 0, loop.workers);
}

template <class Exec>
int concurrency_of(bool kokkos_is_running) {
  if (kokkos_is_running) return Exec().concurrency();
  return Exec::name() == std::string_view("Serial") ? 1 : std::max(1, int(std::thread::hardware_concurrency()));
}

template <class Exec>
void run_on(const Work& work, Impl::InnerLoop inner, bool kokkos_is_running) {
  std::vector<Operand> operands;
  std::vector<DType> loop_dtypes = work.types.inputs;
  for (const ArrayRef& input : work.inputs) operands.push_back(describe(input));
  operands.push_back(describe(work.output));
  loop_dtypes.push_back(work.types.result);
  for (std::size_t k = 0; k < work.inputs.size(); ++k) {
    // A file may hold any byte where it says bool; read as numbers, all but 0 become true before a loop sees them.
    if (operands[k].dtype == DType::boolean) operands[k].dtype = DType::u1;
  }

  const Plan plan({.function = work.operation.name,
                   .operands = operands,
                   .inputs   = int(work.inputs.size()),
                   .outputs  = 1,
                   .target   = {Exec::name(), false, concurrency_of<Exec>(kokkos_is_running)}});
  if (plan.size() == 0) return;
  Impl::HostLoop loop = Impl::make_host_loop(plan, loop_dtypes.data());
  loop.inner          = inner;
  if (!kokkos_is_running) return run_on_threads(loop);
  const Exec exec;
  Impl::run_host_loop(exec, "Kast::run", Impl::Stateless{}, loop);
  exec.fence("Kast::run");
}

}  // namespace

void run_on_host(const Work& work, Impl::InnerLoop loop, const Space& space, bool kokkos_is_running) {
#ifdef KOKKOS_ENABLE_SERIAL
  if (space.name == Kokkos::Serial::name()) return run_on<Kokkos::Serial>(work, loop, kokkos_is_running);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  if (space.name == Kokkos::OpenMP::name()) return run_on<Kokkos::OpenMP>(work, loop, kokkos_is_running);
#endif
#ifdef KOKKOS_ENABLE_THREADS
  if (space.name == Kokkos::Threads::name()) return run_on<Kokkos::Threads>(work, loop, kokkos_is_running);
#endif
  throw Error(ErrorKind::space, "space " + std::string(space.name) + " is no host space");
}

}  // namespace Kast::Tool
