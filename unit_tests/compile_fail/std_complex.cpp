// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: std::complex does not work on devices; use Kokkos::complex
// needs: cuda
#include <Kast/Math.hpp>

void call(Kokkos::View<std::complex<double>*> a, Kokkos::View<std::complex<double>*> out) { Kast::negative(a, out); }
