// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Types.hpp"

#include <algorithm>

namespace Kast::Tool {
namespace {

constexpr Operation all_operations[] = {
    {Op::add, "add", 2},
    {Op::subtract, "subtract", 2},
    {Op::multiply, "multiply", 2},
    {Op::divide, "divide", 2},
    {Op::minimum, "minimum", 2},
    {Op::maximum, "maximum", 2},
    {Op::power, "power", 2},
    {Op::negative, "negative", 1},
    {Op::absolute, "absolute", 1},
    {Op::sqrt, "sqrt", 1},
    {Op::exp, "exp", 1},
    {Op::log, "log", 1},
    {Op::sin, "sin", 1},
    {Op::cos, "cos", 1},
    {Op::tanh, "tanh", 1},
    {Op::floor, "floor", 1},
    {Op::ceil, "ceil", 1},
    {Op::equal, "equal", 2},
    {Op::not_equal, "not_equal", 2},
    {Op::less, "less", 2},
    {Op::less_equal, "less_equal", 2},
    {Op::greater, "greater", 2},
    {Op::greater_equal, "greater_equal", 2},
    {Op::logical_and, "logical_and", 2},
    {Op::logical_or, "logical_or", 2},
    {Op::logical_xor, "logical_xor", 2},
    {Op::logical_not, "logical_not", 1},
    {Op::bitwise_and, "bitwise_and", 2},
    {Op::bitwise_or, "bitwise_or", 2},
    {Op::bitwise_xor, "bitwise_xor", 2},
    {Op::invert, "invert", 1},
    {Op::left_shift, "left_shift", 2},
    {Op::right_shift, "right_shift", 2},
    {Op::select, "select", 3},
    {Op::clip, "clip", 3},
    {Op::fma, "fma", 3},
    {Op::copy, "copy", 1},
    {Op::cast, "cast", 1},
};

bool is_unsigned_integer(DType dtype) { return dtype >= DType::u1 && dtype <= DType::u8; }
bool is_float(DType dtype) { return dtype >= DType::f2 && dtype <= DType::f8; }
bool is_inexact(DType dtype) { return is_float(dtype) || is_complex(dtype); }

DType signed_of_size(std::size_t bytes) {
  switch (bytes) {
    case 1: return DType::i1;
    case 2: return DType::i2;
    case 4: return DType::i4;
    case 8: return DType::i8;
    default: return DType::f8;  // wider than the widest integer
  }
}

/// The smallest float that holds every value of an integer type, as far as NumPy cares: 64-bit integers go to f8.
DType float_for(DType dtype) {
  if (is_float(dtype)) return dtype;
  switch (size_of(dtype)) {
    case 1: return DType::f2;
    case 2: return DType::f4;
    default: return DType::f8;
  }
}

DType real_of(DType dtype) {
  if (dtype == DType::c8) return DType::f4;
  if (dtype == DType::c16) return DType::f8;
  return float_for(dtype);
}

DType common_integer(DType a, DType b) {
  if (is_unsigned_integer(a) == is_unsigned_integer(b)) return size_of(a) >= size_of(b) ? a : b;
  if (is_unsigned_integer(b)) std::swap(a, b);  // now a is unsigned, b signed
  return size_of(a) < size_of(b) ? b : signed_of_size(2 * size_of(a));
}

DType common_type(DType a, DType b) {
  if (a == b || b == DType::boolean) return a;
  if (a == DType::boolean) return b;
  if (is_complex(a) || is_complex(b)) {
    return std::max(real_of(a), real_of(b)) == DType::f8 ? DType::c16 : DType::c8;
  }
  if (is_float(a) || is_float(b)) return std::max(float_for(a), float_for(b));
  return common_integer(a, b);
}

/// What the loop computes in for values that are stored as `dtype`.
DType computed(DType dtype) { return dtype == DType::f2 ? DType::f4 : dtype; }

[[noreturn]] void refuse(const Operation& operation, std::span<const DType> inputs, const std::string& why) {
  std::string text = std::string(operation.name) + ": ";
  for (std::size_t k = 0; k < inputs.size(); ++k) text += (k > 0 ? ", " : "") + std::string(name_of(inputs[k]));
  throw Error(ErrorKind::type, text + ": " + why);
}

/// All inputs, and the result, in one type.
LoopTypes uniform(std::size_t inputs, DType dtype) {
  return {std::vector<DType>(inputs, computed(dtype)), computed(dtype), dtype};
}
/// Inputs in one type, a truth value out.
LoopTypes predicate(std::size_t inputs, DType dtype) {
  return {std::vector<DType>(inputs, computed(dtype)), DType::boolean, DType::boolean};
}
/// Values that are moved and not computed with: f2 stays as it is, bit for bit.
LoopTypes moved(DType dtype) { return {{dtype}, dtype, dtype}; }
LoopTypes chosen(DType dtype) { return {{DType::boolean, dtype, dtype}, dtype, dtype}; }

LoopTypes comparison(std::span<const DType> inputs, DType common) {
  // u8 and a signed type have no common integer type; NumPy compares them exactly all the same.
  if (is_integer(inputs[0]) && is_integer(inputs[1]) && !is_integer(common)) {
    auto widest = [](DType dtype) { return is_unsigned_integer(dtype) ? DType::u8 : DType::i8; };
    return {{widest(inputs[0]), widest(inputs[1])}, DType::boolean, DType::boolean};
  }
  return predicate(2, common);
}

LoopTypes magnitude(DType dtype) {
  if (!is_complex(dtype)) return uniform(1, dtype);
  return {{dtype}, real_of(dtype), real_of(dtype)};
}

}  // namespace

std::span<const Operation> operations() noexcept { return all_operations; }

const Operation* find_operation(std::string_view name) noexcept {
  const auto* found = std::ranges::find(all_operations, name, &Operation::name);
  return found == std::end(all_operations) ? nullptr : found;
}

bool is_integer(DType dtype) noexcept { return dtype >= DType::i1 && dtype <= DType::u8; }
bool is_signed_integer(DType dtype) noexcept { return dtype >= DType::i1 && dtype <= DType::i8; }
bool is_complex(DType dtype) noexcept { return dtype == DType::c8 || dtype == DType::c16; }

DType result_type(std::span<const DType> types) {
  // Floating-point types first: integers are then held against them, and not against each other. (i1, u2, f4) is f4.
  DType common = DType::boolean;
  for (const bool inexact : {true, false}) {
    for (const DType dtype : types) {
      if (is_inexact(dtype) == inexact) common = common_type(common, dtype);
    }
  }
  return common;
}

LoopTypes loop_types(const Operation& operation, std::span<const DType> inputs, DType target) {
  const std::size_t count = inputs.size();
  const DType common      = result_type(operation.op == Op::select ? inputs.subspan(1) : inputs);
  const bool is_bool      = common == DType::boolean;
  switch (operation.op) {
    case Op::add:
    case Op::multiply:
    case Op::minimum:
    case Op::maximum:
    case Op::clip: return uniform(count, common);
    case Op::subtract:
      if (is_bool) refuse(operation, inputs, "booleans cannot be subtracted; use logical_xor");
      return uniform(count, common);
    case Op::divide: return uniform(count, is_inexact(common) ? common : DType::f8);
    case Op::fma:
      if (!is_float(common)) refuse(operation, inputs, "only floating-point values have a fused multiply-add");
      return uniform(count, common);
    case Op::power: return uniform(count, is_bool ? DType::i1 : common);
    case Op::negative:
      if (is_bool) refuse(operation, inputs, "booleans have no negative; use logical_not");
      return uniform(count, common);
    case Op::absolute: return magnitude(common);
    case Op::sqrt:
    case Op::exp:
    case Op::log:
    case Op::sin:
    case Op::cos:
    case Op::tanh: return uniform(count, is_inexact(common) ? common : float_for(common));
    case Op::floor:
    case Op::ceil:
      if (is_complex(common)) refuse(operation, inputs, "complex values cannot be rounded");
      return uniform(count, common);
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal: return comparison(inputs, common);
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_xor:
    case Op::logical_not: return predicate(count, common);
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor:
    case Op::invert:
      if (!is_bool && !is_integer(common)) refuse(operation, inputs, "there is no common integer type");
      return uniform(count, common);
    case Op::left_shift:
    case Op::right_shift:
      if (!is_bool && !is_integer(common)) refuse(operation, inputs, "there is no common integer type");
      return uniform(count, is_bool ? DType::i1 : common);
    case Op::select: return chosen(common);
    case Op::copy: return moved(common);
    case Op::cast: return moved(target);
  }
  refuse(operation, inputs, "no such operation");
}

DType dtype_from_name(std::string_view name) noexcept {
  struct Alias {
    std::string_view bits, numpy;
    DType dtype;
  };
  static constexpr Alias aliases[] = {{"b1", "bool", DType::boolean},  {"i8", "int8", DType::i1},
                                      {"i16", "int16", DType::i2},     {"i32", "int32", DType::i4},
                                      {"i64", "int64", DType::i8},     {"u8", "uint8", DType::u1},
                                      {"u16", "uint16", DType::u2},    {"u32", "uint32", DType::u4},
                                      {"u64", "uint64", DType::u8},    {"f16", "float16", DType::f2},
                                      {"f32", "float32", DType::f4},   {"f64", "float64", DType::f8},
                                      {"c64", "complex64", DType::c8}, {"c128", "complex128", DType::c16}};
  // Kast's own names count bytes and come first: `i8` is the 8-byte integer, as in NumPy.
  for (const Alias& alias : aliases) {
    if (name == name_of(alias.dtype)) return alias.dtype;
  }
  for (const Alias& alias : aliases) {
    if (name == alias.bits || name == alias.numpy) return alias.dtype;
  }
  return DType::other;
}

}  // namespace Kast::Tool
