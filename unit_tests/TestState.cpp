// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls before Kokkos starts and after it ends are refused. A program of its own, since Kokkos starts once.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string>

#include <Kast/Math.hpp>

namespace {

bool refuses(const std::string& expected) {
  // Views of one's own memory can be made at any time.
  double value = 1;
  const Kokkos::View<double*, Kokkos::DefaultHostExecutionSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> view(&value,
                                                                                                               1);
  const auto fails = [&](const char* what, const auto& call) {
    std::string got = "nothing was refused";
    try {
      call();
    } catch (const Kast::Error& error) {
      got = error.kind() == Kast::ErrorKind::state ? error.what() : "wrong kind";
    }
    if (got == expected && value == 1) return true;
    std::printf("%s\n     got: %s\nexpected: %s\n", what, got.c_str(), expected.c_str());
    return false;
  };
  return fails("call", [&] { Kast::add(view, 1.0, view); }) &&
         fails("allocating call", [&] { Kast::add(view, 1.0); }) &&
         fails("plan", [&] { Kast::plan(Kast::add, view, 1.0, view); }) &&
         fails("prepare", [&] { Kast::prepare(Kast::add, view, 1.0, view); });
}

}  // namespace

int main(int argc, char** argv) {
  if (!refuses("Kast::add: Kokkos is not initialized; call Kokkos::initialize first")) return 1;
#ifdef KOKKOS_ENABLE_CUDA
  if (int count = 0; cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::puts("SKIPPED: no CUDA device on this machine");
    return 77;
  }
#endif
  Kokkos::initialize(argc, argv);
  Kokkos::finalize();
  return refuses("Kast::add: Kokkos is not initialized any more") ? 0 : 1;
}
