// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces the global operator new of a program by one that counts. To be included by one source file of the program.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace KastTest {

inline std::atomic<long> heap_allocations{0};

inline void* counted_allocation(std::size_t bytes, std::size_t alignment) {
  ++heap_allocations;
  void* memory = alignment <= alignof(std::max_align_t)
                     ? std::malloc(bytes > 0 ? bytes : 1)
                     : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

/// Allocations through operator new while `work` runs.
template <class Work>
long allocations_in(const Work& work) {
  const long before = heap_allocations;
  work();
  return heap_allocations - before;
}

}  // namespace KastTest

// The throwing forms; all others of the standard library end in these. nvcc takes operator new for a function of the device too.
#ifdef __CUDACC__
#pragma nv_diag_suppress 20011, 20014
#endif
void* operator new(std::size_t bytes) { return KastTest::counted_allocation(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return KastTest::counted_allocation(bytes, std::size_t(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
