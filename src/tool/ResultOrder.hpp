// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory order that NumPy gives a result: that of the inputs, axis by axis (its order 'K').
#pragma once

#include <span>

#include <Kast/Operand.hpp>

namespace Kast::Tool {

/// The order of the file that holds the result of broadcasting `inputs` to `extents`: `left` where NumPy's result would
/// be Fortran- and not C-contiguous. Only extents and strides of the inputs matter.
Order result_order(std::span<const Operand> inputs, const Extents& extents);

}  // namespace Kast::Tool
