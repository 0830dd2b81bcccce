// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operation of `kast run` on a host space, straight from and to mapped pages.
#pragma once

#include <span>

#include <Kast/Operand.hpp>
#include <Kast/impl/HostLoop.hpp>

#include "Spaces.hpp"
#include "Types.hpp"

namespace Kast::Tool {

/// What is to be computed; `inputs` and `output` are arrays in host memory.
struct Work {
  const Operation& operation;
  LoopTypes types;
  std::span<const ArrayRef> inputs;
  ArrayRef output;
};

/// Computes `work.output` with `loop` on `space`: through Kokkos where it is running, else on threads of its own.
void run_on_host(const Work& work, Impl::InnerLoop loop, const Space& space, bool kokkos_is_running);

}  // namespace Kast::Tool
