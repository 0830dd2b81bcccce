// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compiles
#include <Kast/Math.hpp>

struct Half {
  KOKKOS_FUNCTION double operator()(double a) const { return a / 2; }
};
void call(Kokkos::View<const double*> a, Kokkos::View<double**> out, Kokkos::View<bool*> mask) {
  Kast::vectorize(Half{})(a, out, Kast::where(mask));
  Kast::copy(a, Kokkos::View<int*>(), Kast::unsafe);
}
