// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: an output must not be const
#include <Kast/Math.hpp>

void call(Kokkos::View<double*> a, Kokkos::View<const double*> out) { Kast::negative(a, out); }
