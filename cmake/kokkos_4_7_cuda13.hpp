// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two runtime functions with the parameter lists that Kokkos 4.7.0 calls and that CUDA 13 changed. KastEmbedded.cmake puts this
// file into the embedded Kokkos 4.7.0, where the one header that calls them includes it; Kokkos 4.7.01 and later do not need it.
#ifndef KAST_KOKKOS_4_7_CUDA13_HPP
#define KAST_KOKKOS_4_7_CUDA13_HPP

#include <cstddef>

#include <cuda_runtime_api.h>

#if CUDART_VERSION >= 13000

inline cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device, cudaStream_t stream) {
  cudaMemLocation where{};
  where.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  where.id   = device == cudaCpuDeviceId ? 0 : device;
  return cudaMemPrefetchAsync(pointer, bytes, where, 0U, stream);
}

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}

#endif
#endif
