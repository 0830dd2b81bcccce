// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kast/impl/BlockShape.hpp>

#include <cstdlib>

namespace Kast::Impl {
namespace {

constexpr std::size_t long_columns = 2 * lanes;
// From about this size on an operand that every row reads again costs more to fetch from the second-level cache than
// sequential rows gain: 100 x 400000 x 5 float64 reaches 0.93 of a copy with 8 rows a work item and 0.82 with 2.
constexpr std::size_t large_operand = std::size_t(8) << 20;

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

BlockShape block_shape(const Plan& plan) noexcept {
  const Loop& loop = plan.loop();
  if (loop.rank <= 1) return {1, 4, 0, false};
  // Sixteen rows along the other operand's fastest axis: each thread reads a whole cache line of it, 0.73 - 0.78 of a copy.
  if (plan.strategy() == Strategy::transpose) return {16, 1, crossing_axis(loop), false};
  const ConstantAxis constant = constant_axis(plan);
  const int row_axis          = constant.axis > 0 ? constant.axis : 1;
  if (loop.extent[0] < long_columns) return {loop.rank > 3 ? 8 : 4, 1, row_axis, true};
  if (constant.bytes > large_operand && loop.extent[row_axis] >= 8) return {8, 1, row_axis, false};
  return {2, 2, row_axis, false};
}

}  // namespace Kast::Impl
