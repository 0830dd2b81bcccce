// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: an output is an array, not a number
#include <Kast/Math.hpp>

void call(Kokkos::View<double*> a, double out) { Kast::negative(a, out); }
