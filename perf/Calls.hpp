// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call costs the host: five elements, so that there is nothing but the call.
#pragma once

namespace KastPerf {

/// Registers call/bare, call/kast, call/prepared and call/plan for every space. Results are checked; `failed` becomes true
/// when one is wrong.
void register_calls(bool& failed);

}  // namespace KastPerf
