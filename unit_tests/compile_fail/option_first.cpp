// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: options such as Kast::where come after all operands
#include <Kast/Math.hpp>

void call(Kokkos::View<double*> a, Kokkos::View<bool*> mask) { Kast::negative(Kast::where(mask), a, a); }
