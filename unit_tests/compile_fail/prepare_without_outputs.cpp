// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast::prepare: give the outputs
#include <Kast/Math.hpp>

void call(Kokkos::View<double*> a) { Kast::prepare(Kast::negative, a); }
