// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: the function cannot be called with the operands' value types; inputs come by value, then, with several outputs, a reference to each output's value
#include <Kast/Math.hpp>

struct Names {
  KOKKOS_FUNCTION double operator()(const char*) const { return 1; }
};
void call(Kokkos::View<double*> a) { Kast::vectorize(Names{})(a, a); }
