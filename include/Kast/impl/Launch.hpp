// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a Plan and a typed body to work on an execution space: the only place that launches elementwise kernels.
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include <Kast/Plan.hpp>
#include <Kast/impl/BlockKernel.hpp>
#include <Kast/impl/BlockShape.hpp>
#include <Kast/impl/Elementwise.hpp>
#include <Kast/impl/HostLoop.hpp>
#include <Kast/impl/Options.hpp>
#include <Kast/impl/StrictFp.hpp>

namespace Kast::Impl {
KAST_IMPL_FP_BEGIN

template <class Exec>
inline constexpr bool is_host_space_v =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible&&
        std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>;

/// Every launch asks for this: beyond 512 bytes of functor and policy Kokkos would otherwise launch through constant memory,
/// which waits for the launch before it.
template <class Policy>
auto light(const Policy& policy) {
  return Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}

template <class Exec>
Target target_of(const Exec& exec) {
  // Older Kokkos has a static function here, whose default argument would make an instance, on the heap, at each call.
  if constexpr (requires { Exec::concurrency(exec); })
    return {Exec::name(), !is_host_space_v<Exec>, int(Exec::concurrency(exec))};
  else return {Exec::name(), !is_host_space_v<Exec>, int(exec.concurrency())};
}

/// Stands for every function object without state, so that all those operations share one host kernel.
struct Stateless {};

/// One worker of a host loop.
template <class State>
struct HostKernel {
  State state;
  HostLoop loop;
  int workers;

  void operator()(const int worker) const { loop.run(&state, worker, workers); }
};

/// The host loop of a plan for a typed body.
template <class F, class... In, class... Out, bool Masked>
HostLoop typed_host_loop(const Plan& plan, const Body<F, TypeList<In...>, TypeList<Out...>, Masked>& body) {
  using Typed   = TypedLoop<F, TypeList<typename In::value_type...>, TypeList<Out...>>;
  HostLoop loop = make_host_loop(plan);
  if constexpr (Masked) loop.masked_inner = &Typed::run_masked;
  else loop.inner = &Typed::run;
  if constexpr (!Masked && Typed::can_stream) loop.streamed_inner = &Typed::run_streamed;
  int k = 0;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (
        [&](const auto& input) {
          if constexpr (std::remove_cvref_t<decltype(input)>::is_number)
            std::memcpy(loop.values[k], &input.value, sizeof(input.value));
          ++k;
        }(get<I>(body.in)),
        ...);
  }
  (std::index_sequence_for<In...>{});
  return loop;
}

template <class Exec>
auto host_policy(const Exec& exec, int workers) {
  // The chunk is named, since Kokkos would ask for the concurrency to choose one, which may allocate.
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>, Kokkos::Schedule<Kokkos::Static>>;
  return Policy(exec, 0, workers, Kokkos::ChunkSize(1));
}

/// Runs a host loop on its workers. Work for one worker runs on the calling thread, as a launch that tools see as one;
/// it has no parallel region to pay for.
template <class Exec, class State>
void run_host_loop(const Exec& exec, const std::string& label, const State& state, const HostLoop& loop) {
  if (loop.workers > 1) {
    Kokkos::parallel_for(label, host_policy(exec, loop.workers), HostKernel<State>{state, loop, loop.workers});
    return;
  }
  const bool observed = Kokkos::Tools::profileLibraryLoaded();
  std::uint64_t id    = 0;
  if (observed) Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(exec), &id);
  loop.run(&state, 0, 1);
  if (observed) Kokkos::Tools::endParallelFor(id);
}

template <class Exec, class Body, class Index, class Size>
struct DeviceLaunch {
  using Kernel = std::conditional_t<(Size::vector > 1), VectorKernel<Body, Index, Size::rows, Size::vector>,
                                    BlockKernel<Body, Index, Size::rows, Size::columns>>;
  static_assert(sizeof(Kernel) <= 4000,
                "Kast: the functor with its operands must stay under the 4 KB of a launch's arguments");

  static Kernel kernel(const Plan& plan, const Body& body, const BlockShape& shape) {
    Kernel result{{make_geometry<Index, Body::operands>(plan, shape, Size{})}, body};
    result.body.advance(plan.loop().offset);
    return result;
  }
  static auto range(const Exec& exec, const Kernel& kernel) {
    return light(Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>>(exec, Index(0), kernel.g.items()));
  }
  static void run_range(const Exec& exec, const std::string& label, const Kernel& kernel) {
    Kokkos::parallel_for(label, range(exec, kernel), kernel);
  }

  /// Tiles: fastest axis first, never Kokkos' default. On devices index 0 is threadIdx.x and a tile is a block of threads;
  /// on hosts a tile is a long run of the fastest axis.
  static void run_mdrange(const Exec& exec, const std::string& label, const Kernel& kernel) {
    using Rank3          = Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>;
    const auto& g        = kernel.g;
    constexpr Index most = is_host_space_v<Exec> ? 2048 : 256;
    Index tile           = most;
    while (tile / 2 >= g.column_items && tile > 1) tile /= 2;
    const Index row_tile =
        is_host_space_v<Exec> ? std::min<Index>(g.second_items(), std::max<Index>(1, most / tile)) : most / tile;
    // Rank 3 whatever the plan's rank: a policy for each would multiply what is compiled.
    using Policy = Kokkos::MDRangePolicy<Exec, Rank3, Kokkos::IndexType<Index>>;
    Kokkos::parallel_for(label,
                         light(Policy(exec, {Index(0), Index(0), Index(0)},
                                      {g.column_items, g.second_items(), g.third_items()}, {tile, row_tile, Index(1)})),
                         kernel);
  }
};

template <Form form, class Exec, class Body>
void launch_blocks(const Exec& exec, const std::string& label, const Plan& plan, const Body& body) {
  constexpr int vector   = is_host_space_v<Exec> ? 1 : vector_width(Body::widest);
  const BlockShape shape = block_shape(plan, vector);
  const auto launch_with = [&]<class Size, class Index>(Size, Index) {
    using Launch      = DeviceLaunch<Exec, Body, Index, Size>;
    const auto kernel = Launch::kernel(plan, body, shape);
    if constexpr (form == Form::mdrange) Launch::run_mdrange(exec, label, kernel);
    else Launch::run_range(exec, label, kernel);
  };
  if constexpr (is_host_space_v<Exec>) {
    if (plan.fits_32bit()) launch_with(BlockSize<1, 1>{}, std::int32_t{});
    else launch_with(BlockSize<1, 1>{}, std::int64_t{});
  } else {
    if constexpr (form != Form::compact) {
      if (plan.fits_32bit())
        return with_block_size<Body::widest>(shape, [&](auto size) { launch_with(size, std::int32_t{}); });
    }
    // Offsets past 32 bits: two sizes serve, for the sake of compile time.
    if (plan.loop().rank <= 1) launch_with(BlockSize<1, 4>{}, std::int64_t{});
    else launch_with(BlockSize<4, 1>{}, std::int64_t{});
  }
}

/// Launches once, or not at all when the loop is empty.
template <Form form, class Exec, class F, class Inputs, class Outputs, bool Masked>
void launch(const Exec& exec, const std::string& label, const Plan& plan,
            const Body<F, Inputs, Outputs, Masked>& body) {
  if (plan.size() == 0) return;
  if constexpr (is_host_space_v<Exec> && form != Form::mdrange) {
    const HostLoop loop = typed_host_loop(plan, body);
    if constexpr (std::is_empty_v<F>) run_host_loop(exec, label, Stateless{}, loop);
    else run_host_loop(exec, label, body.f, loop);
  } else {
    launch_blocks<form>(exec, label, plan, body);
  }
}

KAST_IMPL_FP_END
}  // namespace Kast::Impl
