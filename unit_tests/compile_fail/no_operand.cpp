// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: an operand is a Kokkos::View, a number, or what Kast::flip, Kast::strided and their like return
#include <Kast/Math.hpp>
#include <vector>

void call(std::vector<double> a, Kokkos::View<double*> out) { Kast::negative(a, out); }
