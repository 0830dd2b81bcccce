// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast::vectorize: this function's call operator is a template or overloaded (generic lambdas are); name its types: vectorize(f).types<double(double, double)>()
#include <Kast/Math.hpp>

void call(Kokkos::View<double*> a) {
  Kast::vectorize([](auto x) { return x; })(a, a);
}
