// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: Views with Atomic or custom element access are no operands; pass a plain View of the same data
#include <Kast/Math.hpp>

using Atomic = Kokkos::View<double*, Kokkos::MemoryTraits<Kokkos::Atomic>>;
void call(Kokkos::View<double*> a, Atomic out) { Kast::negative(a, out); }
