// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of the device table, in a source of its own so that it compiles beside the others; empty without a device backend.
#include "DeviceBackend.hpp"

#ifdef KAST_TOOL_HAS_DEVICE
#include "DeviceTable.hpp"

namespace Kast::Tool {

template DeviceCall predicate_entry<DeviceTable>(Op, DType, DType);

}  // namespace Kast::Tool
#endif
