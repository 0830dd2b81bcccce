// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two strided arrays share a byte, and whether one array meets itself. Exact wherever strides nest; a capped
// search elsewhere. Pure functions on addresses: nothing is read.
#pragma once

#include <cstdint>

#include <Kast/impl/Description.hpp>

namespace Kast::Impl {

enum class Answer { no, yes, perhaps };

/// The bytes of an operand: from `low` up to, not including, `high`. Empty operands have low == high.
struct ByteRange {
  std::uintptr_t low  = 0;
  std::uintptr_t high = 0;
};
ByteRange byte_range(const Operand& operand) noexcept;

/// Whether some byte belongs to an element of `a` and to one of `b`.
Answer share_bytes(const Operand& a, const Operand& b) noexcept;

/// Whether two elements of `a` at different indices share a byte.
Answer meets_itself(const Operand& a) noexcept;

}  // namespace Kast::Impl
