// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>

#include <Kast/Error.hpp>

#include "Tool.hpp"

namespace Kast::Tool {
namespace {

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

[[noreturn]] void refuse_space(const std::string& why) {
  std::vector<std::string> names;
  for (const Space& space : spaces()) {
    if (space.available) names.emplace_back(space.name);
  }
  throw Error(ErrorKind::space, why + "; available: " + join(names, ", "));
}

}  // namespace

int device_count() noexcept {
  int count = 0;
#if defined(KOKKOS_ENABLE_CUDA)
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  static_cast<void>(cudaGetLastError());  // leaves no error behind for Kokkos to find
#elif defined(KOKKOS_ENABLE_HIP)
  if (hipGetDeviceCount(&count) != hipSuccess) count = 0;
  static_cast<void>(hipGetLastError());
#elif defined(KOKKOS_ENABLE_SYCL)
  try {
    count = int(sycl::device::get_devices(sycl::info::device_type::gpu).size());
  } catch (...) {
    count = 0;
  }
#endif
  return count;
}

std::vector<Space> spaces() {
  std::vector<Space> all;
#ifdef KOKKOS_ENABLE_SERIAL
  all.push_back({"Serial"});
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  all.push_back({"OpenMP"});
#endif
#ifdef KOKKOS_ENABLE_THREADS
  all.push_back({"Threads"});
#endif
#if defined(KOKKOS_ENABLE_CUDA)
  all.push_back({"Cuda", true, device_count() > 0});
#elif defined(KOKKOS_ENABLE_HIP)
  all.push_back({"HIP", true, device_count() > 0});
#elif defined(KOKKOS_ENABLE_SYCL)
  all.push_back({"SYCL", true, device_count() > 0});
#endif
  return all;
}

Space find_space(std::string_view name) {
  for (const Space& space : spaces()) {
    if (!equal_ignoring_case(space.name, name)) continue;
    if (!space.available) refuse_space("space " + std::string(space.name) + " finds no device on this machine");
    return space;
  }
  refuse_space("space '" + std::string(name) + "' is not in this build");
}

Space default_host_space() { return find_space(Kokkos::DefaultHostExecutionSpace::name()); }

}  // namespace Kast::Tool
