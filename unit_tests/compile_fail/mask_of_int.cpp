// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast::where: a mask is an array of bool
#include <Kast/Math.hpp>

void call(Kokkos::View<double*> a, Kokkos::View<int*> mask) { Kast::negative(a, a, Kast::where(mask)); }
