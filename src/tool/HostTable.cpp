// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostTable.hpp"

namespace Kast::Tool {

template Impl::InnerLoop bit_entry<HostTable>(Op, DType);
template Impl::InnerLoop move_entry<HostTable>(Op, DType);

namespace {

/// Loops that belong to f2 alone, which otherwise is computed as f4.
Impl::InnerLoop half_loop(Op op, DType output) {
  if (output != DType::f2) return nullptr;
  if (op == Op::minimum) return HostTable::make<float, float, float>(first_minimum);
  if (op == Op::maximum) return HostTable::make<float, float, float>(first_maximum);
  return nullptr;
}

}  // namespace

Impl::InnerLoop host_loop(const Operation& operation, const LoopTypes& types) {
  // The type that the loop computes in is that of its last input: the first of select is a condition.
  const DType dtype    = types.inputs.back();
  Impl::InnerLoop loop = half_loop(operation.op, types.output);
  if (loop == nullptr) loop = predicate_entry<HostTable>(operation.op, types.inputs.front(), dtype);
  for (const auto part :
       {arithmetic_entry<HostTable>, math_entry<HostTable>, bit_entry<HostTable>, move_entry<HostTable>}) {
    if (loop == nullptr) loop = part(operation.op, dtype);
  }
  if (loop == nullptr) {
    throw Error(ErrorKind::type, std::string(operation.name) + ": there is no loop for " + std::string(name_of(dtype)));
  }
  return loop;
}

}  // namespace Kast::Tool
