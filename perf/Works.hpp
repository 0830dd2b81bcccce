// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implementations that are compiled apart from the engines, and which cases they can express.
#pragma once

#include "Data.hpp"
#include "Engine.hpp"

namespace KastPerf {

/// Kast on operations beside multiply; real types only.
template <class Exec, class T>
struct OtherWork {
  static Work make(const Case& c, const Operands<T>& operands);
};

/// MDRangePolicy as people write it; real types only.
template <class Exec, class T>
struct MDRangeWork {
  static Work make(const Case& c, const Operands<T>& operands);
};
bool has_mdrange(const Case& c);

/// KokkosBlas::mult.
template <class Exec>
struct KernelsWork {
  static Work make(const Case& c, const Operands<double>& operands);
};
bool has_kernels(const Case& c);

}  // namespace KastPerf
