// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: an operand's rank must be known at compile time; where it is not, use Kast::ArrayRef
#include <Kast/Math.hpp>
#include <Kokkos_DynRankView.hpp>

void call(Kokkos::DynRankView<double> a, Kokkos::View<double*> out) { Kast::negative(a, out); }
