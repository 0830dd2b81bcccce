// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: the output's value type does not accept the result under the same-kind rule (a wider kind into a narrower one); pass Kast::unsafe to convert all the same
#include <Kast/Math.hpp>

void call(Kokkos::View<int*> a, Kokkos::View<unsigned*> out) { Kast::negative(a, out); }
