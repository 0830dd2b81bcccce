// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: the execution space of this call cannot reach the memory space of an operand; copy the operand there first (Kokkos::create_mirror_view_and_copy), or pass another execution space
// needs: cuda
#include <Kast/Math.hpp>

void call(Kokkos::View<double*, Kokkos::CudaSpace> a, Kokkos::View<bool*, Kokkos::HostSpace> mask) {
  Kast::negative(a, a, Kast::where(mask));
}
