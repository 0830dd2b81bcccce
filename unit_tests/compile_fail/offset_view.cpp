// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: an OffsetView is no operand; pass .view() of it
#include <Kast/Math.hpp>
#include <Kokkos_OffsetView.hpp>

void call(Kokkos::Experimental::OffsetView<double*> a, Kokkos::View<double*> out) { Kast::negative(a, out); }
