// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: one mask a call
#include <Kast/Math.hpp>

void call(Kokkos::View<double*> a, Kokkos::View<bool*> mask) {
  Kast::negative(a, a, Kast::where(mask), Kast::where(mask));
}
