// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether this build has a device backend, whichever it is.
#pragma once

#include <Kokkos_Macros.hpp>

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
#define KAST_TOOL_HAS_DEVICE
#endif
