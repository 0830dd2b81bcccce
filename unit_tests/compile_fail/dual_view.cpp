// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: a DualView is no operand; pass .view_device() or .view_host() of it
#include <Kast/Math.hpp>
#include <Kokkos_DualView.hpp>

void call(Kokkos::DualView<double*> a, Kokkos::View<double*> out) { Kast::negative(a, out); }
