// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How devices cut a plan's loop into the blocks of work items: a small closed set of sizes, and which one a plan gets.
#pragma once

#include <Kast/Plan.hpp>

namespace Kast::Impl {

/// Work items side by side along the fastest axis when a block has several columns.
inline constexpr int lanes = 256;

/// R rows of U columns; with V > 1 a column is a vector of V neighbouring elements.
template <int R, int U, int V = 1>
struct BlockSize {
  static constexpr int rows = R, columns = U, vector = V;
};

struct BlockShape {
  int rows = 1, columns = 1;
  int row_axis     = 0;      ///< the axis of the rows; 0: none
  bool interleaved = false;  ///< rows of a block lie far apart, so that blocks side by side share cache lines
  bool vectors     = false;  ///< columns are vectors
};

/// Elements of a vector of 16 bytes for values of at most `widest` bytes; 1 for values that are as large, or whose size is no
/// power of two.
constexpr int vector_width(std::size_t widest) noexcept {
  return widest <= 8 && (widest & (widest - 1)) == 0 ? int(16 / widest) : 1;
}

/// The shape for a plan. Chosen from the shares of a copy that each size reached (int8, float32, float64; NVIDIA H200).
/// Vectors of `vector` elements are used where strides and addresses allow them.
BlockShape block_shape(const Plan& plan, int vector) noexcept;

/// Calls back with the compile-time size of a shape: the closed set, for values of at most Widest bytes.
template <std::size_t Widest, class Call>
void with_block_size(const BlockShape& shape, const Call& call) {
  constexpr int vector = vector_width(Widest);
  if constexpr (vector > 1) {
    if (shape.vectors) {
      if (shape.rows > 1) call(BlockSize<2, 1, vector>{});
      else call(BlockSize<1, 1, vector>{});
      return;
    }
  }
  if (shape.columns == 4) call(BlockSize<1, 4>{});
  else if (shape.columns == 2) call(BlockSize<(Widest <= 4 ? 4 : 2), 2>{});
  else if (shape.rows == 16) call(BlockSize<16, 1>{});
  else if (shape.rows == 8) call(BlockSize<8, 1>{});
  else call(BlockSize<4, 1>{});
}

/// The axis along which the first operand that disagrees with the outputs about the fastest axis is fastest; 0: none does.
int crossing_axis(const Loop& loop) noexcept;

}  // namespace Kast::Impl
