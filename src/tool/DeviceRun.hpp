// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operation of `kast run` on the build's device: inputs are copied there, cast on the way, and the result back.
#pragma once

#include "HostRun.hpp"

namespace Kast::Tool {

/// Refuses an operation that the device has no kernel for in these types. Builds have kernels for f4, f8, i4 and u1, all
/// types with Kast_ENABLE_ALL_TYPES.
void check_device_loop(const Operation& operation, const LoopTypes& types, const Space& space);

/// Computes `work.output` on the device; Kokkos is running.
void run_on_device(const Work& work);

}  // namespace Kast::Tool
