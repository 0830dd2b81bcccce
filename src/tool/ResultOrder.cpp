// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ResultOrder.hpp"

#include <cstdlib>

#include <Kast/Npy.hpp>

namespace Kast::Tool {
namespace {

/// Stride of an input along an axis of the loop; 0 where it is stretched or has one element only.
std::ptrdiff_t stride_along(const Operand& input, int axis, int rank) {
  const int own = axis - (rank - input.extents.rank());
  return own < 0 || input.extents[own] == 1 ? 0 : input.strides[own];
}

enum class Comparison { unknown, in_order, swapped };

/// Whether the inputs want `outer` to be slower than `inner`. An input without steps along both has no say, and where
/// inputs disagree the axes stay as they are.
Comparison compare(std::span<const Operand> inputs, int inner, int outer, int rank) {
  auto result = Comparison::unknown;
  for (const Operand& input : inputs) {
    const std::ptrdiff_t a = std::abs(stride_along(input, inner, rank));
    const std::ptrdiff_t b = std::abs(stride_along(input, outer, rank));
    if (a == 0 || b == 0) continue;
    if (a <= b) return Comparison::in_order;
    result = Comparison::swapped;
  }
  return result;
}

/// The axes from the fastest to the slowest: a stable insertion sort that begins with the last axis fastest, as NumPy's
/// iterator does it (npyiter_find_best_axis_ordering).
Strides axes_fastest_first(std::span<const Operand> inputs, int rank) {
  Strides axes;
  for (int axis = rank - 1; axis >= 0; --axis) {
    int place = axes.rank();
    for (int other = axes.rank() - 1; other >= 0; --other) {
      const Comparison comparison = compare(inputs, int(axes[other]), axis, rank);
      if (comparison == Comparison::in_order) break;
      if (comparison == Comparison::swapped) place = other;
    }
    axes.push_back(0);
    for (int i = axes.rank() - 1; i > place; --i) axes[i] = axes[i - 1];
    axes[place] = axis;
  }
  return axes;
}

}  // namespace

Order result_order(std::span<const Operand> inputs, const Extents& extents) {
  const int rank  = extents.rank();
  Strides strides = Strides::filled(rank, 0);
  if (size(extents) == 0) return Order::right;
  std::ptrdiff_t step = 1;
  for (const std::ptrdiff_t axis : axes_fastest_first(inputs, rank)) {
    strides[int(axis)] = step;
    step *= std::ptrdiff_t(extents[int(axis)]);
  }
  return Impl::npy_order(extents, strides);
}

}  // namespace Kast::Tool
