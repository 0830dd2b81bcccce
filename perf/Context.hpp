// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that a record of measurements needs: commit, compiler, Kokkos, processor and device, threads.
#pragma once

namespace KastPerf {

/// Adds them to the benchmark's context. Kokkos must be initialized.
void add_context();

}  // namespace KastPerf
