// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Kast is held against: a copy of the same bytes, also with streaming stores; a flat RangePolicy that decodes each index;
// and loops written by hand for three patterns.
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstring>

#include "Data.hpp"
#include "Engine.hpp"
#include "Spaces.hpp"

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
#include <emmintrin.h>
#define KAST_PERF_HAS_STREAMING_STORES
#endif

namespace KastPerf {

#ifdef KAST_PERF_HAS_STREAMING_STORES
inline constexpr bool has_copy_nt = true;
inline void copy_streaming(char* to, const char* from, std::size_t bytes) {
  constexpr std::size_t line = 64, ahead = 1024;
  std::size_t i = 0;
  for (; i + line <= bytes; i += line) {
    _mm_prefetch(from + i + ahead, _MM_HINT_NTA);
    for (std::size_t part = 0; part < line; part += 16)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i + part),
                       _mm_load_si128(reinterpret_cast<const __m128i*>(from + i + part)));
  }
  std::memcpy(to + i, from + i, bytes - i);
  _mm_sfence();
}
#else
inline constexpr bool has_copy_nt = false;
inline void copy_streaming(char* to, const char* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
#endif

/// One worker's share of a copy, in whole cache lines.
struct CopyShare {
  char* to;
  const char* from;
  std::size_t bytes;
  int workers;
  bool streaming;

  void operator()(const int worker) const {
    const std::size_t lines = (bytes + 63) / 64;
    const std::size_t begin = 64 * (lines * std::size_t(worker) / std::size_t(workers));
    const std::size_t end   = std::min(bytes, 64 * (lines * std::size_t(worker + 1) / std::size_t(workers)));
    if (streaming) copy_streaming(to + begin, from + begin, end - begin);
    else std::memcpy(to + begin, from + begin, end - begin);
  }
};

/// Reads and writes together as many bytes as the case does.
template <class Exec>
Work copy_work(const Case& c, char* to, const char* from, bool streaming) {
  const std::size_t bytes = c.bytes() / 2;
  const Exec exec{};
  if constexpr (is_device_v<Exec>) {
    (void)streaming;
#ifdef KOKKOS_ENABLE_CUDA
    return [=] { cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, exec.cuda_stream()); };
#else
    using View = Kokkos::View<char*, typename Exec::memory_space, Kokkos::MemoryUnmanaged>;
    return [=] { Kokkos::deep_copy(exec, View(to, bytes), View(const_cast<char*>(from), bytes)); };
#endif
  } else {
    const int workers = exec.concurrency();
    const CopyShare share{to, from, bytes, workers, streaming};
    if (workers == 1) return [=] { share(0); };
    return [=] {
      Kokkos::parallel_for("copy", Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, workers), share);
    };
  }
}

/// One element a work item; each index is decoded by divisions.
template <class T, Operation operation>
struct Flat {
  static constexpr int inputs  = operation == Operation::scale  ? 1
                                 : operation == Operation::fma  ? 3
                                 : operation == Operation::five ? 5
                                                                : 2;
  static constexpr int outputs = operation == Operation::two ? 2 : 1;
  static constexpr bool masked = operation == Operation::masked;

  Operands<T> operands;

  KOKKOS_FUNCTION void operator()(int index) const {
    int offset[inputs + outputs + 1] = {};
    for (int axis = 0; axis < operands.loop.rank; ++axis) {
      const bool last = axis + 1 == operands.loop.rank;
      const int at    = last ? index : index % operands.loop.extent[axis];
      if (!last) index /= operands.loop.extent[axis];
      for (int k = 0; k < inputs + outputs + int(masked); ++k) offset[k] += at * operands.loop.stride[axis][k];
    }
    if constexpr (masked) {
      if (!operands.mask[offset[inputs + outputs]]) return;
    }
    T x[inputs], result[outputs];
    for (int k = 0; k < inputs; ++k) x[k] = operands.in[k][offset[k]];
    evaluate(operation, x, result);
    for (int k = 0; k < outputs; ++k) operands.out[k][offset[inputs + k]] = result[k];
  }
};
template <class Exec, class T, Operation operation>
Work flat_work(const Operands<T>& operands) {
  const Exec exec{};
  const Flat<T, operation> flat{operands};
  return [=] {
    Kokkos::parallel_for("flat", Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, flat.operands.loop.size),
                         flat);
  };
}

/// The patterns that `raw` knows, as rows by columns: out = a * b with b and out dense.
enum class RawPattern { none, flat, row, column };
inline RawPattern raw_pattern(const Case& c) {
  const Loop loop = plain_loop(c);
  if (c.operation != Operation::multiply || loop.rank < 1 || loop.rank > 2) return RawPattern::none;
  const auto* fast = loop.stride[0];
  if (fast[1] != 1 || fast[2] != 1) return RawPattern::none;
  if (loop.rank == 1) return fast[0] == 1 ? RawPattern::flat : RawPattern::none;
  const auto* slow = loop.stride[1];
  if (slow[1] != loop.extent[0] || slow[2] != loop.extent[0]) return RawPattern::none;
  if (fast[0] == 1 && slow[0] == 0) return RawPattern::row;
  return fast[0] == 0 && slow[0] == 1 ? RawPattern::column : RawPattern::none;
}

#ifdef KOKKOS_ENABLE_SERIAL
template <class Exec>
inline constexpr bool is_serial_v = std::is_same_v<Exec, Kokkos::Serial>;
#else
template <class Exec>
inline constexpr bool is_serial_v = false;
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template <class Exec>
inline constexpr bool is_openmp_v = std::is_same_v<Exec, Kokkos::OpenMP>;
#define KAST_PERF_PARALLEL _Pragma("omp parallel for schedule(static)")
#else
template <class Exec>
inline constexpr bool is_openmp_v = false;
#define KAST_PERF_PARALLEL
#endif

/// Spaces for which a loop is written by hand.
template <class Exec>
inline constexpr bool has_raw_v = is_openmp_v<Exec> || is_serial_v<Exec>
#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
                                  || std::is_same_v<Exec, Kokkos::Cuda>
#endif
    ;

/// The loop that a programmer writes for one row.
template <class T, RawPattern pattern>
void raw_row(const T* a, const T* b, T* out, std::ptrdiff_t columns) {
  const T factor = *a;
  for (std::ptrdiff_t i = 0; i < columns; ++i) out[i] = T((pattern == RawPattern::column ? factor : a[i]) * b[i]);
}
template <class Exec, class T, RawPattern pattern>
void raw_loop(const T* a, const T* b, T* out, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  const std::ptrdiff_t step = pattern == RawPattern::row ? 0 : 1;
  const auto run_row        = [=](std::ptrdiff_t row) {
    raw_row<T, pattern>(a + row * step, b + row * columns, out + row * columns, columns);
  };
  if constexpr (is_openmp_v<Exec>) {
    if constexpr (pattern == RawPattern::flat) {
      KAST_PERF_PARALLEL
      for (std::ptrdiff_t i = 0; i < columns; ++i) out[i] = T(a[i] * b[i]);
    } else {
      KAST_PERF_PARALLEL
      for (std::ptrdiff_t row = 0; row < rows; ++row) run_row(row);
    }
  } else {
    for (std::ptrdiff_t row = 0; row < rows; ++row) run_row(row);
  }
}

#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
/// A block of R rows by U columns a thread, loads before stores.
template <class T, RawPattern pattern, int R, int U>
__global__ void raw_kernel(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ out, int rows, int columns,
                           int column_blocks) {
  const int column = (int(blockIdx.x) % column_blocks) * (int(blockDim.x) * U) + int(threadIdx.x);
  const int row    = (int(blockIdx.x) / column_blocks) * R;
  T left[R][U], right[R][U];
#pragma unroll
  for (int r = 0; r < R; ++r)
#pragma unroll
    for (int u = 0; u < U; ++u) {
      const int i = column + u * int(blockDim.x);
      if (row + r >= rows || i >= columns) continue;
      left[r][u]  = a[pattern == RawPattern::column ? row + r : i];
      right[r][u] = b[(row + r) * columns + i];
    }
#pragma unroll
  for (int r = 0; r < R; ++r)
#pragma unroll
    for (int u = 0; u < U; ++u) {
      const int i = column + u * int(blockDim.x);
      if (row + r < rows && i < columns) out[(row + r) * columns + i] = T(left[r][u] * right[r][u]);
    }
}
template <class T, RawPattern pattern, int R, int U>
Work raw_device_work(const Operands<T>& operands, int rows, int columns) {
  const Kokkos::Cuda exec{};
  const int threads       = columns < 256 ? std::max(32, (columns + 31) / 32 * 32) : 256;
  const int column_blocks = (columns + threads * U - 1) / (threads * U);
  const int blocks        = column_blocks * ((rows + R - 1) / R);
  return [=] {
    raw_kernel<T, pattern, R, U><<<blocks, threads, 0, exec.cuda_stream()>>>(operands.in[0], operands.in[1],
                                                                             operands.out[0], rows, columns,
                                                                             column_blocks);
  };
}
#endif

template <class Exec, class T>
Work raw_work(const Case& c, const Operands<T>& operands) {
  const RawPattern pattern = raw_pattern(c);
  const int columns = operands.loop.extent[0], rows = pattern == RawPattern::flat ? 1 : operands.loop.extent[1];
  if constexpr (is_device_v<Exec>) {
#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
    if (pattern == RawPattern::flat) return raw_device_work<T, RawPattern::flat, 1, 4>(operands, rows, columns);
    if (pattern == RawPattern::row) return raw_device_work<T, RawPattern::row, 8, 1>(operands, rows, columns);
    if (pattern == RawPattern::column) return raw_device_work<T, RawPattern::column, 4, 1>(operands, rows, columns);
#endif
    return {};
  } else {
    const T *a = operands.in[0], *b = operands.in[1];
    T* out = operands.out[0];
    if (pattern == RawPattern::flat) return [=] { raw_loop<Exec, T, RawPattern::flat>(a, b, out, rows, columns); };
    if (pattern == RawPattern::row) return [=] { raw_loop<Exec, T, RawPattern::row>(a, b, out, rows, columns); };
    if (pattern == RawPattern::column) return [=] { raw_loop<Exec, T, RawPattern::column>(a, b, out, rows, columns); };
    return {};
  }
}

}  // namespace KastPerf
