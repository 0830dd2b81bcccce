// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kast/impl/HostLoop.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <Kast/impl/BlockShape.hpp>
#include <Kast/impl/Pack.hpp>
#include <Kast/impl/Stream.hpp>

namespace Kast::Impl {
namespace {

constexpr std::size_t buffer_bytes = 8 * 1024;  // of the widest operand in a block: several of them fit the L1
// A tile, in cache lines: long along the outputs' fastest axis for the sake of their rows, two along the other one. An odd
// length keeps the rows of a packed tile out of each other's cache sets.
constexpr std::size_t tile_columns_lines = 31, tile_rows_lines = 2;
// Prefetch distance where an input comes from the cache beside one that comes from memory: the processor's own prefetching
// then runs short, 36 against 48 GB/s for rows of 20,000 float64 on one core of an AMD EPYC (a streamed copy: 50).
constexpr std::size_t prefetch_bytes = 4096;
constexpr std::size_t long_run       = 128;         // elements along axis 0 that pay for a walk of their own
constexpr std::size_t arena_bytes    = 128 * 1024;  // all buffers of a worker, on its stack
// Below this many bytes a second thread costs more than it brings (a parallel region is worth about a microsecond).
constexpr std::size_t bytes_per_worker = 64 * 1024;

std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }
std::size_t round_up(std::size_t a, std::size_t b) { return ceil_div(a, b) * b; }

// Parts of about equal size, none over `limit`, in whole multiples of `grain` where that is possible.
std::size_t balanced(std::size_t extent, std::size_t limit, std::size_t grain) {
  if (extent <= limit) return extent;
  const std::size_t part = round_up(ceil_div(extent, ceil_div(extent, limit)), grain);
  return std::min(part, limit);
}

// Whether the block's elements lie packed in memory as they are.
bool is_packed(const Loop& loop, int k, const std::size_t* extent) {
  std::ptrdiff_t expected = 1;
  for (int axis = 0; axis < loop.rank; ++axis) {
    if (extent[axis] > 1 && loop.stride[k][axis] != expected) return false;
    expected *= std::ptrdiff_t(extent[axis]);
  }
  return true;
}

void choose_block(HostLoop& h, Strategy strategy) {
  const Loop& loop   = h.loop;
  std::size_t widest = 1, sum = 0;
  for (int k = 0; k < loop.operands; ++k) {
    widest = std::max<std::size_t>({widest, h.value_size[k], h.packed_size[k]});
    sum += std::max(h.value_size[k], h.packed_size[k]);
  }
  // An operand that is cast needs two buffers; the arena always suffices for that.
  const std::size_t room  = (arena_bytes / 2 - 16 * cache_line) / sum;
  const std::size_t grain = std::max<std::size_t>(1, cache_line / widest);
  std::size_t limit       = std::max<std::size_t>(1, std::min(buffer_bytes / widest, room));
  std::fill(h.block, h.block + max_rank, std::size_t(1));

  h.tile_axis = strategy == Strategy::transpose ? crossing_axis(loop) : 0;
  if (h.tile_axis > 0) {
    std::size_t columns = tile_columns_lines * grain, rows = tile_rows_lines * grain;
    while (columns > 1 && columns * rows > room) columns /= 2;
    while (rows > 1 && columns * rows > room) rows /= 2;
    h.block[0]           = balanced(loop.extent[0], columns, grain);
    h.block[h.tile_axis] = balanced(loop.extent[h.tile_axis], rows, grain);
  } else {
    // Whole fast axes first; the first axis that does not fit is cut. A long run along axis 0 is a block of its own: two of
    // them would have to be packed.
    for (int axis = 0; axis < loop.rank; ++axis) {
      h.block[axis] = balanced(loop.extent[axis], limit, grain);
      limit /= h.block[axis];
      if (h.block[axis] < loop.extent[axis] || limit < 2 || (axis == 0 && h.block[0] >= long_run)) break;
    }
    // Masked outputs are written in place, along one axis at a time unless they lie packed.
    bool outputs_packed = true;
    for (int k = h.inputs; k < h.inputs + h.outputs; ++k)
      outputs_packed = outputs_packed && is_packed(loop, k, h.block);
    if (h.masked && !outputs_packed) std::fill(h.block + 1, h.block + max_rank, std::size_t(1));
  }

  h.blocks = h.block_elements = 1;
  for (int axis = 0; axis < loop.rank; ++axis) {
    h.blocks *= ceil_div(loop.extent[axis], h.block[axis]);
    h.block_elements *= h.block[axis];
  }
}

bool is_aligned(const void* pointer, std::size_t value_size) {
  const std::size_t alignment = value_size & (~value_size + 1);  // largest power of two that divides it
  return reinterpret_cast<std::uintptr_t>(pointer) % std::min<std::size_t>(alignment, 16) == 0;
}

// The state of one worker: where each operand's block starts, and what its buffer holds.
class Worker {
 public:
  Worker(const HostLoop& h, const void* state, std::byte* arena) : m_h(h), m_state(state) {
    const Loop& loop = h.loop;
    for (int k = 0; k < loop.operands; ++k) {
      const std::size_t bytes = round_up(h.block_elements * h.packed_size[k], cache_line);
      m_buffer[k]             = arena;
      arena += bytes;
      m_cast[k] = h.memory_dtype[k] != h.loop_dtype[k];
      if (m_cast[k]) {
        m_raw[k] = arena;
        arena += round_up(h.block_elements * h.value_size[k], cache_line);
      }
      const std::byte* base = static_cast<const std::byte*>(h.data[k]);
      // A number passed by value stands in the closure and has stride 0 everywhere.
      if (base == nullptr) base = reinterpret_cast<const std::byte*>(h.values[k]);
      m_base[k]        = const_cast<std::byte*>(base) + loop.offset[k] * std::ptrdiff_t(h.value_size[k]);
      m_packed_from[k] = nullptr;
    }
    for (int axis = 0; axis < loop.rank; ++axis) {
      m_count[axis] = ceil_div(loop.extent[axis], h.block[axis]);
      m_order[axis] = axis;
    }
    // Tiles are visited along the other axis first: the lines of the operand that disagrees are then still in the cache.
    if (h.tile_axis > 0) std::rotate(m_order, m_order + h.tile_axis, m_order + h.tile_axis + 1);
  }

  void run(std::size_t begin, std::size_t end) {
    const Loop& loop = m_h.loop;
    std::size_t rest = begin;
    for (int place = 0; place < loop.rank; ++place) {
      m_index[m_order[place]] = rest % m_count[m_order[place]];
      rest /= m_count[m_order[place]];
    }
    for (std::size_t block = begin; block < end; ++block) {
      run_block();
      for (int place = 0; place < loop.rank; ++place) {
        const int axis = m_order[place];
        if (++m_index[axis] < m_count[axis]) break;
        m_index[axis] = 0;
      }
    }
    if (m_h.streamed) stream_fence();
  }

 private:
  void run_block() {
    const Loop& loop = m_h.loop;
    std::size_t extent[max_rank];
    std::size_t count = 1;
    for (int axis = 0; axis < loop.rank; ++axis) {
      const std::size_t start = m_index[axis] * m_h.block[axis];
      extent[axis]            = std::min(m_h.block[axis], loop.extent[axis] - start);
      count *= extent[axis];
    }
    std::byte* place[max_operands];
    for (int k = 0; k < loop.operands; ++k) {
      std::ptrdiff_t offset = 0;
      for (int axis = 0; axis < loop.rank; ++axis)
        offset += std::ptrdiff_t(m_index[axis] * m_h.block[axis]) * loop.stride[k][axis];
      place[k] = m_base[k] + offset * std::ptrdiff_t(m_h.value_size[k]);
    }

    // A tile runs row by row, so that only the operands that disagree are packed; every other block runs at once.
    const std::size_t rows = m_h.tile_axis > 0 ? extent[m_h.tile_axis] : 1, row_count = count / rows;
    Place at[max_operands];
    const int first_output = m_h.inputs, end_output = m_h.inputs + m_h.outputs;
    for (int k = 0; k < loop.operands; ++k) {
      const bool written = k >= first_output && k < end_output;
      if (lies_ready(k, place[k], extent)) {
        at[k] = in_memory(k, place[k]);
      } else {
        if (!written) pack_input(k, place[k], extent, count);
        at[k] = {m_buffer[k], std::ptrdiff_t(row_count * m_h.packed_size[k]), false};
      }
    }
    if (m_h.masked) return run_masked(at, place, extent, rows, row_count);

    bool outputs_ready = true;
    for (int k = first_output; k < end_output; ++k) outputs_ready = outputs_ready && at[k].ready;
    const bool streamed_loop = m_h.streamed && outputs_ready && m_h.streamed_inner != nullptr;
    if (m_h.streamed && !streamed_loop && m_h.tile_axis == 0)
      for (int k = first_output; k < end_output; ++k) at[k] = {m_buffer[k], 0, false};

    // In a tile the next row is the next memory to come; the processor cannot foresee it.
    std::ptrdiff_t ahead[max_operands];
    for (int k = 0; k < loop.operands; ++k)
      ahead[k] = !at[k].ready ? 0 : m_h.tile_axis > 0 ? at[k].row_step : std::ptrdiff_t(m_h.ahead);
    void* pointers[max_operands];
    for (std::size_t row = 0; row < rows; ++row) {
      for (int k = 0; k < loop.operands; ++k) pointers[k] = at[k].pointer + std::ptrdiff_t(row) * at[k].row_step;
      if (streamed_loop) m_h.streamed_inner(m_state, pointers, row_count, ahead);
      else m_h.inner(m_state, pointers, row_count);
    }
    for (int k = first_output; k < end_output; ++k)
      if (!at[k].ready) store_output(k, place[k], extent, count);
  }

  // Where the inner loop finds an operand's values: in place, or in the operand's buffer.
  struct Place {
    std::byte* pointer;
    std::ptrdiff_t row_step;
    bool ready;
  };

  Place in_memory(int k, std::byte* place) const {
    const std::ptrdiff_t step = m_h.tile_axis > 0 ? m_h.loop.stride[k][m_h.tile_axis] : 0;
    return {place, step * std::ptrdiff_t(m_h.value_size[k]), true};
  }

  // Whether the inner loop can use the operand's own memory.
  bool lies_ready(int k, const std::byte* place, const std::size_t* extent) const {
    const Loop& loop = m_h.loop;
    if (m_cast[k] || !is_aligned(place, m_h.value_size[k])) return false;
    return m_h.tile_axis > 0 ? loop.stride[k][0] == 1 || extent[0] == 1 : is_packed(loop, k, extent);
  }

  // Outputs are written where they are, with their own stride.
  void run_masked(Place* at, std::byte* const* place, const std::size_t* extent, std::size_t rows,
                  std::size_t row_count) {
    const Loop& loop = m_h.loop;
    std::ptrdiff_t strides[max_operands];
    for (int k = m_h.inputs; k < m_h.inputs + m_h.outputs; ++k) {
      at[k]                   = in_memory(k, place[k]);
      strides[k - m_h.inputs] = m_h.tile_axis == 0 && is_packed(loop, k, extent) ? 1 : loop.stride[k][0];
    }
    void* pointers[max_operands];
    for (std::size_t row = 0; row < rows; ++row) {
      for (int k = 0; k < loop.operands; ++k) pointers[k] = at[k].pointer + std::ptrdiff_t(row) * at[k].row_step;
      m_h.masked_inner(m_state, pointers, strides, row_count);
    }
  }

  // Packs an input's block, unless the buffer holds the same elements still, as it does for an operand that is constant along
  // outer axes.
  void pack_input(int k, std::byte* place, const std::size_t* extent, std::size_t count) {
    if (m_packed_from[k] == place && same_extents(k, extent)) return;
    const Block block = block_of(k, extent);
    if (m_cast[k]) {
      pack(m_raw[k], place, block, m_h.value_size[k]);
      convert(m_buffer[k], m_h.loop_dtype[k], m_raw[k], m_h.memory_dtype[k], count);
    } else {
      pack(m_buffer[k], place, block, m_h.value_size[k]);
    }
    m_packed_from[k] = place;
    std::copy(extent, extent + m_h.loop.rank, m_packed_extent[k]);
  }

  bool same_extents(int k, const std::size_t* extent) const {
    const int rank = m_h.loop.rank;
    // Blocks that are shorter on the last of their axes are a prefix of the packed ones.
    int last = rank - 1;
    while (last > 0 && m_packed_extent[k][last] == 1 && extent[last] == 1) --last;
    for (int axis = 0; axis < last; ++axis)
      if (extent[axis] != m_packed_extent[k][axis]) return false;
    return rank == 0 || extent[last] <= m_packed_extent[k][last];
  }

  Block block_of(int k, const std::size_t* extent) const {
    Block block;
    for (int axis = 0; axis < m_h.loop.rank; ++axis) {
      if (extent[axis] == 1) continue;
      block.extent[block.rank]   = extent[axis];
      block.stride[block.rank++] = m_h.loop.stride[k][axis];
    }
    return block;
  }

  void store_output(int k, std::byte* place, const std::size_t* extent, std::size_t count) {
    const void* packed = m_buffer[k];
    if (m_cast[k]) {
      convert(m_raw[k], m_h.memory_dtype[k], packed, m_h.loop_dtype[k], count);
      packed = m_raw[k];
    }
    if (!is_packed(m_h.loop, k, extent)) {
      unpack(place, packed, block_of(k, extent), m_h.value_size[k]);
    } else if (m_h.streamed) {
      stream_bytes(place, packed, count * m_h.value_size[k]);
    } else {
      std::memcpy(place, packed, count * m_h.value_size[k]);
    }
  }

  const HostLoop& m_h;
  const void* m_state;
  int m_order[max_rank];  // axes as blocks are visited, fastest first
  std::size_t m_index[max_rank] = {};
  std::size_t m_count[max_rank] = {};
  std::byte* m_base[max_operands];
  std::byte* m_buffer[max_operands];
  std::byte* m_raw[max_operands];
  const std::byte* m_packed_from[max_operands];
  std::size_t m_packed_extent[max_operands][max_rank];
  bool m_cast[max_operands];
};

}  // namespace

void HostLoop::run(const void* state, int worker, int worker_count) const {
  // Contiguous shares, cut the same way in every call: pages touched first by a thread stay near it.
  const std::size_t share = blocks / std::size_t(worker_count), extra = blocks % std::size_t(worker_count);
  const std::size_t w     = std::size_t(worker);
  const std::size_t begin = w * share + std::min(w, extra);
  const std::size_t end   = begin + share + (w < extra ? 1 : 0);
  if (begin == end) return;
  alignas(cache_line) std::byte arena[arena_bytes];
  Worker(*this, state, arena).run(begin, end);
}

HostLoop make_host_loop(const Plan& plan, const DType* loop_dtypes) {
  HostLoop h;
  h.loop    = plan.loop();
  h.inputs  = plan.inputs();
  h.outputs = plan.outputs();
  h.masked  = plan.masked();
  for (int k = 0; k < plan.operand_count(); ++k) {
    const Operand& operand = plan.operand(k);
    h.data[k]              = const_cast<void*>(operand.data);
    h.value_size[k]        = operand.value_size;
    h.memory_dtype[k]      = operand.dtype;
    h.loop_dtype[k]        = loop_dtypes != nullptr ? loop_dtypes[k] : operand.dtype;
    h.packed_size[k] = h.loop_dtype[k] == operand.dtype ? operand.value_size : std::uint32_t(size_of(h.loop_dtype[k]));
  }
  if (plan.size() == 0) return h;
  choose_block(h, plan.strategy());
  const std::size_t bytes  = plan.bytes_read() + plan.bytes_written();
  const std::size_t useful = std::max(bytes, plan.size()) / bytes_per_worker;  // size: values that broadcasting repeats
  h.workers  = int(std::clamp<std::size_t>(useful, 1, std::size_t(std::max(1, plan.target().concurrency))));
  h.workers  = int(std::min<std::size_t>(std::size_t(h.workers), h.blocks));
  h.streamed = !h.masked && plan.bytes_written() > last_level_cache_bytes();
  for (int w = h.inputs; w < h.inputs + h.outputs && h.streamed; ++w) {
    h.streamed = h.tile_axis > 0 ? h.loop.stride[w][0] == 1 : is_packed(h.loop, w, h.block);
    // In place the lines are in the cache already: plain stores.
    for (int k = 0; k < h.inputs; ++k) h.streamed = h.streamed && h.data[k] != h.data[w];
  }
  h.ahead = plan.strategy() == Strategy::rows ? prefetch_bytes : 0;
  return h;
}

namespace {

// What one processor shares, as Linux lists it; 0 where it does not. sysconf may add up all sockets of the physical machine.
std::size_t listed_cache_bytes() noexcept {
  std::size_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    const std::string path = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size";
    std::FILE* file        = std::fopen(path.c_str(), "r");
    if (file == nullptr) break;
    unsigned long kibibytes = 0;
    if (std::fscanf(file, "%luK", &kibibytes) == 1) largest = std::max<std::size_t>(largest, kibibytes * 1024);
    std::fclose(file);
  }
  return largest;
}

}  // namespace

std::size_t last_level_cache_bytes() noexcept {
  static const std::size_t bytes = [] {
    std::size_t found = listed_cache_bytes();
#ifdef _SC_LEVEL3_CACHE_SIZE
    if (found == 0) found = std::size_t(std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE)));
#endif
    return found > 0 ? found : std::size_t(32) << 20;
  }();
  return bytes;
}

}  // namespace Kast::Impl
