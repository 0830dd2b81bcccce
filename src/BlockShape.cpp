// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kast/impl/BlockShape.hpp>

#include <cstdint>
#include <cstdlib>

namespace Kast::Impl {
namespace {

constexpr std::size_t long_columns = 2 * lanes;
// From about this size on an operand that every row reads again costs more to fetch from the second-level cache than
// sequential rows gain: 100 x 400000 x 5 float64 reaches 0.93 of a copy with 8 rows a work item and 0.82 with 2.
constexpr std::size_t large_operand = std::size_t(4) << 20;

struct ConstantAxis {
  int axis          = 0;
  std::size_t bytes = 0;  // of the operand that is constant along it
};

// The longest axis but the fastest along which some operand is constant.
ConstantAxis constant_axis(const Plan& plan) noexcept {
  const Loop& loop = plan.loop();
  ConstantAxis found;
  std::size_t longest = 0;
  for (int axis = 1; axis < loop.rank; ++axis) {
    for (int k = 0; k < loop.operands; ++k) {
      if (loop.stride[k][axis] != 0 || plan.operand(k).by_value || loop.extent[axis] <= longest) continue;
      longest           = loop.extent[axis];
      std::size_t bytes = plan.operand(k).value_size;
      for (int own = 0; own < loop.rank; ++own)
        if (loop.stride[k][own] != 0) bytes *= loop.extent[own];
      found = {axis, bytes};
    }
  }
  return found;
}

// Whether every operand can be read and written in vectors along axis 0: neighbours that start at multiples of the vector,
// on every axis, or one element for all of them.
bool allows_vectors(const Plan& plan, int vector) noexcept {
  const Loop& loop = plan.loop();
  if (vector == 1 || plan.masked() || loop.rank == 0 || loop.extent[0] < std::size_t(4 * vector)) return false;
  for (int k = 0; k < loop.operands; ++k) {
    const Operand& operand = plan.operand(k);
    if (operand.by_value || loop.stride[k][0] == 0) continue;
    if (loop.stride[k][0] != 1) return false;
    const auto bytes = std::uintptr_t(vector) * operand.value_size;
    const auto start =
        reinterpret_cast<std::uintptr_t>(operand.data) + std::uintptr_t(loop.offset[k]) * operand.value_size;
    if (start % bytes != 0) return false;
    for (int axis = 1; axis < loop.rank; ++axis)
      if (loop.stride[k][axis] % vector != 0) return false;
  }
  return true;
}

}  // namespace

int crossing_axis(const Loop& loop) noexcept {
  for (int k = 0; k < loop.operands; ++k) {
    int fastest = 0;
    for (int axis = 1; axis < loop.rank; ++axis) {
      const auto own = loop.stride[k][axis], best = loop.stride[k][fastest];
      if (own != 0 && std::abs(own) < std::abs(best)) fastest = axis;
    }
    if (fastest > 0) return fastest;
  }
  return 0;
}

BlockShape block_shape(const Plan& plan, int vector) noexcept {
  const Loop& loop = plan.loop();
  BlockShape shape;
  shape.vectors = allows_vectors(plan, vector);
  if (loop.rank <= 1) {
    shape.columns = 4;
    if (shape.vectors) shape.columns = 1;
    return shape;
  }
  if (plan.strategy() == Strategy::transpose) {
    // Sixteen rows along the other operand's fastest axis: each thread reads a whole cache line of it, 0.73 - 0.78 of a copy.
    shape.rows     = 16;
    shape.row_axis = crossing_axis(loop);
    shape.vectors  = false;
    return shape;
  }
  const ConstantAxis constant = constant_axis(plan);
  shape.row_axis              = constant.axis > 0 ? constant.axis : 1;
  const std::size_t columns   = loop.extent[0] / std::size_t(shape.vectors ? vector : 1);
  const bool reread           = constant.bytes > large_operand && loop.extent[shape.row_axis] >= 8;
  shape.interleaved           = columns < long_columns;
  if (shape.vectors && !(reread && vector == 2)) {
    shape.rows = reread ? 1 : 2;
    return shape;
  }
  shape.vectors = false;
  if (shape.interleaved) {
    // More rows where decoding outer axes, or values of a byte or two, cost more instructions than they move bytes.
    shape.rows = loop.rank > 3 || vector >= 8 ? 8 : 4;
  } else if (reread) {
    shape.rows = 8;
  } else {
    shape.rows = shape.columns = 2;
  }
  return shape;
}

}  // namespace Kast::Impl
