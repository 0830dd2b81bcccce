// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kast's implementations: a whole call each time, as people write it, on operands whose rank is a value.
#pragma once

#include <Kast/Math.hpp>

#include "Data.hpp"
#include "Engine.hpp"

namespace KastPerf {

/// The operands of a case as Kast sees them.
template <class T, class MemorySpace>
struct KastOperands {
  // The type's rank is an upper bound here: Kast describes an operand by its extents.
  template <class V>
  using ArrayOf = Kast::StridedArray<V, Kast::max_rank, MemorySpace>;

  ArrayOf<const T> in[max_inputs];
  ArrayOf<T> out[2];
  ArrayOf<const bool> mask;

  KastOperands(const Case& c, const Operands<T>& operands) {
    for (std::size_t k = 0; k < c.inputs.size(); ++k)
      in[k] = {operands.in[k], c.inputs[k].extents, c.inputs[k].strides, {}};
    for (int k = 0; k < c.outputs(); ++k) out[k] = {operands.out[k], c.output.extents, c.output.strides, {}};
    mask = {operands.mask, c.output.extents, c.output.strides, {}};
  }
};

/// multiply and scale; in the MDRangePolicy form too.
template <class Exec, class T>
Work multiply_work(const Case& c, const Operands<T>& operands, bool mdrange) {
  const KastOperands<T, typename Exec::memory_space> k(c, operands);
  const Exec exec{};
  if (c.operation == Operation::scale) {
    if (mdrange) return [=] { Kast::multiply(exec, T(3), k.in[0], k.out[0], Kast::Experimental::policy::mdrange); };
    return [=] { Kast::multiply(exec, T(3), k.in[0], k.out[0]); };
  }
  if (mdrange) return [=] { Kast::multiply(exec, k.in[0], k.in[1], k.out[0], Kast::Experimental::policy::mdrange); };
  return [=] { Kast::multiply(exec, k.in[0], k.in[1], k.out[0]); };
}

}  // namespace KastPerf
