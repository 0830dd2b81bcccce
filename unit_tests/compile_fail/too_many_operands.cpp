// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: wrong number of operands; a call takes the inputs, then all outputs or none, then options, with an execution space instance first or left out
#include <Kast/Math.hpp>

void call(Kokkos::View<double*> a) { Kast::multiply(a, a, a, a); }
