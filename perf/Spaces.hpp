// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The enabled execution spaces, hosts first, and how time is taken on each.
#pragma once

#include <Kokkos_Core.hpp>

#include <chrono>

namespace KastPerf {

template <class Exec>
inline constexpr bool is_device_v = !std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>;

/// X(space) for each enabled space.
#ifdef KOKKOS_ENABLE_SERIAL
#define KAST_PERF_SERIAL(X) X(Kokkos::Serial)
#else
#define KAST_PERF_SERIAL(X)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define KAST_PERF_OPENMP(X) X(Kokkos::OpenMP)
#else
#define KAST_PERF_OPENMP(X)
#endif
#ifdef KOKKOS_ENABLE_THREADS
#define KAST_PERF_THREADS(X) X(Kokkos::Threads)
#else
#define KAST_PERF_THREADS(X)
#endif
#if defined(KOKKOS_ENABLE_CUDA)
#define KAST_PERF_DEVICE(X) X(Kokkos::Cuda)
#elif defined(KOKKOS_ENABLE_HIP)
#define KAST_PERF_DEVICE(X) X(Kokkos::HIP)
#elif defined(KOKKOS_ENABLE_SYCL)
#define KAST_PERF_DEVICE(X) X(Kokkos::SYCL)
#else
#define KAST_PERF_DEVICE(X)
#endif
#define KAST_PERF_FOR_SPACES(X) KAST_PERF_SERIAL(X) KAST_PERF_OPENMP(X) KAST_PERF_THREADS(X) KAST_PERF_DEVICE(X)

/// Seconds that `run()` and the work it launches on `exec` take.
template <class Exec>
struct Stopwatch {
  template <class Run>
  static double seconds(const Exec& exec, const Run& run) {
    using Clock = std::chrono::steady_clock;
    exec.fence();
    const auto begin = Clock::now();
    run();
    exec.fence();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }
};

#ifdef KOKKOS_ENABLE_CUDA
/// Device time between two events on the instance's stream.
template <>
struct Stopwatch<Kokkos::Cuda> {
  template <class Run>
  static double seconds(const Kokkos::Cuda& exec, const Run& run) {
    static const Events events;
    exec.fence();
    cudaEventRecord(events.begin, exec.cuda_stream());
    run();
    cudaEventRecord(events.end, exec.cuda_stream());
    cudaEventSynchronize(events.end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, events.begin, events.end);
    return 1e-3 * double(milliseconds);
  }

 private:
  struct Events {
    cudaEvent_t begin, end;
    Events() {
      cudaEventCreate(&begin);
      cudaEventCreate(&end);
    }
  };
};
#endif

}  // namespace KastPerf
