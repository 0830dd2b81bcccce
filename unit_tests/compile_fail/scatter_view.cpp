// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: a ScatterView is no operand; contribute it into a View and pass that
#include <Kast/Math.hpp>
#include <Kokkos_ScatterView.hpp>

void call(Kokkos::Experimental::ScatterView<double*> a, Kokkos::View<double*> out) { Kast::negative(a, out); }
