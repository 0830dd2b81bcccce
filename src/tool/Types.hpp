// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of `kast run`, and NumPy 2's rules for their value types: which type the loop computes in, and which type
// the result has, for arrays of given types. Pure functions; 0-d arrays count as arrays, as in NumPy.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Kast/Operand.hpp>

namespace Kast::Tool {

enum class Op : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  minimum,
  maximum,
  power,
  negative,
  absolute,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tanh,
  floor,
  ceil,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  logical_xor,
  logical_not,
  bitwise_and,
  bitwise_or,
  bitwise_xor,
  invert,
  left_shift,
  right_shift,
  select,
  clip,
  fma,
  copy,
  cast
};

struct Operation {
  Op op;
  std::string_view name;
  int inputs;
};

/// All operations, in the order in which usage lists them.
std::span<const Operation> operations() noexcept;
/// The operation of that name; null where there is none.
const Operation* find_operation(std::string_view name) noexcept;

/// The types of one run, one entry a role.
struct LoopTypes {
  std::vector<DType> inputs;    ///< what each input is cast to as it is read
  DType result = DType::other;  ///< what the loop puts out
  DType output = DType::other;  ///< what the file holds; differs from `result` for f2, which is computed in f4
};

/// NumPy's types for `operation` on arrays of types `inputs`; `target` is the type asked of `cast`. A combination that
/// NumPy refuses, or that has no loop here, is refused with `ErrorKind::type` and a text that names operation and types.
LoopTypes loop_types(const Operation& operation, std::span<const DType> inputs, DType target = DType::other);

/// NumPy's common type of several arrays' types.
DType result_type(std::span<const DType> types);

/// The value type of that name: `f8`, `f64`, `float64` and so on; `other` where there is none.
DType dtype_from_name(std::string_view name) noexcept;

bool is_integer(DType dtype) noexcept;
bool is_signed_integer(DType dtype) noexcept;
bool is_complex(DType dtype) noexcept;

}  // namespace Kast::Tool
