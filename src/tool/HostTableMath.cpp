// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of the host table, in a source of its own so that it compiles beside the others.
#include "HostTable.hpp"

namespace Kast::Tool {

template Impl::InnerLoop math_entry<HostTable>(Op, DType);

}  // namespace Kast::Tool
