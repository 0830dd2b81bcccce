// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <optional>

#include "EngineOf.hpp"

namespace KastPerf {
namespace {

template <class MemorySpace>
struct Held {
  static inline std::optional<Pool<MemorySpace>> pool;
  static inline std::string key;
};

}  // namespace

template <class MemorySpace>
Pool<MemorySpace>& pool() {
  auto& held = Held<MemorySpace>::pool;
  if (!held) held.emplace();
  return *held;
}
template <class MemorySpace>
std::string& key_in() {
  return Held<MemorySpace>::key;
}

template Pool<Kokkos::HostSpace>& pool<Kokkos::HostSpace>();
template std::string& key_in<Kokkos::HostSpace>();
#define KAST_PERF_INSTANTIATE(Exec)                              \
  template Pool<Exec::memory_space>& pool<Exec::memory_space>(); \
  template std::string& key_in<Exec::memory_space>();
KAST_PERF_DEVICE(KAST_PERF_INSTANTIATE)

void release_memory() {
  Held<Kokkos::HostSpace>::pool.reset();
#define KAST_PERF_RELEASE(Exec) Held<Exec::memory_space>::pool.reset();
  KAST_PERF_DEVICE(KAST_PERF_RELEASE)
}

}  // namespace KastPerf
