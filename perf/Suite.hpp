// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which cases are run: access patterns, shapes, layouts and value types.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "Case.hpp"

namespace KastPerf {

/// small: tiny shapes, to see that everything runs and computes right; cache: within a last-level cache; memory: beyond it.
enum class Size { small, cache, memory };

/// The cases of a size for hosts or for devices, less those whose operands take more than `max_bytes`.
std::vector<Case> suite(Size size, bool device, std::size_t max_bytes);

}  // namespace KastPerf
