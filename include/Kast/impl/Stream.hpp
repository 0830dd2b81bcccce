// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores that bypass the caches, one cache line at a time, for outputs that are larger than the last-level cache: the line
// is not read first and pushes nothing out. Plain stores where the processor has none.
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
#include <emmintrin.h>
#define KAST_IMPL_HAS_STREAMING_STORES
#endif

namespace Kast::Impl {

inline constexpr std::size_t cache_line = 64;

/// Copies one cache line; both pointers are aligned to it.
inline void stream_line(void* target, const void* source) noexcept {
#ifdef KAST_IMPL_HAS_STREAMING_STORES
  auto* to         = static_cast<__m128i*>(target);
  const auto* from = static_cast<const __m128i*>(source);
  for (int part = 0; part < 4; ++part) _mm_stream_si128(to + part, _mm_load_si128(from + part));
#else
  std::memcpy(target, source, cache_line);
#endif
}

/// Asks for the line of an address that is read once, soon. The address need not be valid.
inline void prefetch_line(const void* address) noexcept {
#ifdef KAST_IMPL_HAS_STREAMING_STORES
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_NTA);
#else
  (void)address;
#endif
}

/// Orders streamed stores before what follows; once after the last of them.
inline void stream_fence() noexcept {
#ifdef KAST_IMPL_HAS_STREAMING_STORES
  _mm_sfence();
#endif
}

}  // namespace Kast::Impl
