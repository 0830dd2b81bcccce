// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving blocks between strided memory and packed buffers, and casting packed values. Type-free: by value size or DType.
#pragma once

#include <cstddef>

#include <Kast/impl/Description.hpp>

namespace Kast::Impl {

/// A block of a strided array: axes fastest first, strides in elements.
struct Block {
  int rank = 0;
  std::size_t extent[max_rank];
  std::ptrdiff_t stride[max_rank];
};

/// Gathers a block into packed order (axis 0 fastest). No alignment is asked of `source`.
void pack(void* packed, const void* source, const Block& block, std::size_t value_size) noexcept;

/// Scatters packed values to a block.
void unpack(void* target, const void* packed, const Block& block, std::size_t value_size) noexcept;

/// Copies bytes with streaming stores; stream_fence() of Stream.hpp comes after the last.
void stream_bytes(void* target, const void* source, std::size_t bytes) noexcept;

/// Casts packed values as C++ does (complex to real takes the real part; to bool asks whether it differs from zero).
/// Both types must have names; `f2` is IEEE binary16 and rounds to nearest even.
void convert(void* target, DType target_dtype, const void* source, DType source_dtype, std::size_t count) noexcept;

}  // namespace Kast::Impl
