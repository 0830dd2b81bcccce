// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main of every test program: starts Kokkos with its own flags, prints the seed of random cases. A CUDA build on a machine
// without a device says SKIPPED and ends with 77, since Kokkos cannot start there.
#include <gtest/gtest.h>

#include <cstdio>

#include "TestUtils.hpp"

namespace {

// Tools callbacks make Kokkos fence at every launch unless they say otherwise before it starts; tests that count fences need
// that said. The callback goes again at once: most tests run without tools.
void ask_for_no_global_fences() {
  namespace Tools = Kokkos::Tools::Experimental;
  Tools::set_request_tool_settings_callback(
      [](const std::uint32_t, Kokkos_Tools_ToolSettings* settings) { settings->requires_global_fencing = false; });
}

bool has_device() {
#ifdef KOKKOS_ENABLE_CUDA
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
#else
  return true;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!has_device()) {
    std::puts("SKIPPED: no CUDA device on this machine");
    return 77;
  }
  ask_for_no_global_fences();
  const Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::Tools::Experimental::set_request_tool_settings_callback(nullptr);
  if (!testing::GTEST_FLAG(list_tests))
    std::printf("random cases: KAST_TEST_SEED=%llu\n", static_cast<unsigned long long>(KastTest::Random::seed()));
  return RUN_ALL_TESTS();
}
