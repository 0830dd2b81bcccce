// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host form of every strategy. A loop nest is cut into blocks that stay in the first-level cache. For each block the
// operands that are not packed already are packed into buffers (or kept, where the block before had the same), one typed
// loop runs over packed values, and results are stored or streamed. Only that inner loop is a template: packing, casts,
// streaming and the walk over blocks are compiled once, for all operations and types.
#pragma once

#include <cstddef>
#include <cstdint>

#include <Kast/Plan.hpp>
#include <Kast/impl/Description.hpp>

namespace Kast::Impl {

/// A typed loop over `count` packed values an operand; pointers in operand order, mask last.
/// `state` is the function object.
using InnerLoop = void (*)(const void* state, void* const* pointers, std::size_t count);

/// The same with non-temporal stores of the one output. Input k is prefetched `ahead[k]` bytes before it is read.
using StreamedInnerLoop = void (*)(const void* state, void* const* pointers, std::size_t count,
                                   const std::ptrdiff_t* ahead);

/// The same under a mask: outputs are written in place, only where the mask holds; `out_strides` in elements.
using MaskedInnerLoop = void (*)(const void* state, void* const* pointers, const std::ptrdiff_t* out_strides,
                                 std::size_t count);

/// Everything a host kernel needs, by value. Numbers passed by value live in `values`.
struct HostLoop {
  Loop loop;
  int inputs = 0, outputs = 0;
  bool masked                             = false;
  InnerLoop inner                         = nullptr;
  StreamedInnerLoop streamed_inner        = nullptr;  ///< where there is such a loop
  MaskedInnerLoop masked_inner            = nullptr;
  std::size_t block[max_rank]             = {};  ///< extents of a block, one a loop axis
  std::size_t blocks                      = 0;
  std::size_t block_elements              = 0;
  int tile_axis                           = 0;      ///< of blocks that are tiles over axis 0 and this one; 0: none
  bool streamed                           = false;  ///< non-temporal stores
  std::size_t ahead                       = 0;      ///< prefetch distance of streamed loops, in bytes
  int workers                             = 1;      ///< threads worth using
  void* data[max_operands]                = {};     ///< null for numbers passed by value
  std::uint32_t value_size[max_operands]  = {};     ///< in memory
  DType memory_dtype[max_operands]        = {};
  DType loop_dtype[max_operands]          = {};  ///< of the packed values; differs from memory only for run-time types
  std::uint32_t packed_size[max_operands] = {};
  alignas(16) unsigned char values[max_operands][16];

  /// Runs worker `worker` of `worker_count`: a contiguous share of the blocks.
  void run(const void* state, int worker, int worker_count) const;
};

/// The loop of a plan, without inner loop and values. `loop_dtypes`, one an operand, may ask for casts; null: none.
HostLoop make_host_loop(const Plan& plan, const DType* loop_dtypes = nullptr);

/// Bytes of the last-level cache of this machine; a cautious guess where the system does not tell.
std::size_t last_level_cache_bytes() noexcept;

}  // namespace Kast::Impl
