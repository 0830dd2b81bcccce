// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CUDA build of Kokkos links libcuda.so.1, which comes with the driver and is absent on login nodes and build machines, so that
// not even `kast info` would start there. These are the driver functions that Kokkos' CUDA backend calls; each looks for the
// driver when it is called. Linked into our programs, they leave nothing for which the linker would ask for libcuda.so.1.
// A Kokkos that calls others gets libcuda.so.1 as before.

#include <dlfcn.h>

namespace {

constexpr int no_device = 100;  // CUDA_ERROR_NO_DEVICE

void* driver_symbol(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  return driver == nullptr ? nullptr : dlsym(driver, name);
}

template <class... Arguments>
int call(const char* name, Arguments... arguments) {
  void* const symbol = driver_symbol(name);
  return symbol == nullptr ? no_device : reinterpret_cast<int (*)(Arguments...)>(symbol)(arguments...);
}

}  // namespace

#define KAST_HIDDEN __attribute__((visibility("hidden")))

extern "C" {

KAST_HIDDEN int cuCtxGetDevice(int* device) { return call("cuCtxGetDevice", device); }

KAST_HIDDEN int cuCtxPushCurrent_v2(void* context) { return call("cuCtxPushCurrent_v2", context); }

KAST_HIDDEN int cuStreamGetCtx(void* stream, void** context) { return call("cuStreamGetCtx", stream, context); }
}
