// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeviceRun.hpp"

#include "DeviceBackend.hpp"

#ifdef KAST_TOOL_HAS_DEVICE
#include <algorithm>
#include <cstring>
#include <vector>

#include <Kast/impl/Pack.hpp>

#include "DeviceTable.hpp"
#endif

namespace Kast::Tool {

#ifdef KAST_TOOL_HAS_DEVICE

namespace {

constexpr std::size_t chunk_bytes = std::size_t(4) << 20;

using Bytes     = Kokkos::View<std::byte*, Device::memory_space>;
using HostBytes = Kokkos::View<std::byte*, Kokkos::HostSpace>;

DeviceCall find_call(const Operation& operation, const LoopTypes& types) {
  const DType dtype = types.inputs.back();
  DeviceCall call   = predicate_entry<DeviceTable>(operation.op, types.inputs.front(), dtype);
  for (const auto part :
       {arithmetic_entry<DeviceTable>, math_entry<DeviceTable>, bit_entry<DeviceTable>, move_entry<DeviceTable>}) {
    if (call == nullptr) call = part(operation.op, dtype);
  }
  return call;
}

/// Casts packed elements that may be unaligned on the host side, by way of `scratch`.
void cast_values(void* to, DType to_dtype, const void* from, DType from_dtype, std::size_t count,
                 std::vector<double>& scratch) {
  if (to_dtype == from_dtype) {
    std::memcpy(to, from, count * size_of(to_dtype));
    return;
  }
  scratch.resize(2 * count);  // 16 bytes a value, the most there is
  std::memcpy(scratch.data(), from, count * size_of(from_dtype));
  Impl::convert(to, to_dtype, scratch.data(), from_dtype, count);
}

/// The array in device memory, its elements in the same order, cast to `dtype` on the way: one piece at a time.
Bytes to_device(const ArrayRef& array, DType dtype) {
  const std::size_t count = size(array.extents), to_size = size_of(dtype), from_size = size_of(array.dtype);
  const std::size_t piece = chunk_bytes / 16;
  Bytes result(Kokkos::view_alloc("Kast::run input", Kokkos::WithoutInitializing), count * to_size);
  HostBytes staged("Kast::run staging", std::min(count, piece) * to_size);
  // A file may hold any byte where it says bool; read as numbers, all but 0 become true.
  const DType from_dtype = array.dtype == DType::boolean ? DType::u1 : array.dtype;
  std::vector<double> scratch;
  for (std::size_t done = 0; done < count; done += piece) {
    const std::size_t now = std::min(piece, count - done);
    const auto* from      = static_cast<const std::byte*>(array.data) + done * from_size;
    cast_values(staged.data(), dtype, from, from_dtype, now, scratch);
    Kokkos::deep_copy(Kokkos::subview(result, std::pair(done * to_size, (done + now) * to_size)),
                      Kokkos::subview(staged, std::pair(std::size_t(0), now * to_size)));
  }
  return result;
}

/// The other way.
void to_host(const ArrayRef& array, const Bytes& bytes, DType dtype) {
  const std::size_t count = size(array.extents), from_size = size_of(dtype), to_size = size_of(array.dtype);
  const std::size_t piece = chunk_bytes / 16;
  HostBytes staged("Kast::run staging", std::min(count, piece) * from_size);
  std::vector<double> scratch;
  for (std::size_t done = 0; done < count; done += piece) {
    const std::size_t now = std::min(piece, count - done);
    Kokkos::deep_copy(Kokkos::subview(staged, std::pair(std::size_t(0), now * from_size)),
                      Kokkos::subview(bytes, std::pair(done * from_size, (done + now) * from_size)));
    cast_values(static_cast<std::byte*>(array.data) + done * to_size, array.dtype, staged.data(), dtype, now, scratch);
  }
}

ArrayRef moved(ArrayRef array, const Bytes& bytes, DType dtype) {
  array.data  = bytes.data();
  array.dtype = dtype;
  array.space = Reach::device;
  return array;
}

}  // namespace

void check_device_loop(const Operation& operation, const LoopTypes& types, const Space& space) {
  if (find_call(operation, types) != nullptr) return;
  throw Error(ErrorKind::type, std::string(operation.name) + ": this build has no " + std::string(space.name) +
                                   " kernel for " + std::string(name_of(types.inputs.back())) +
                                   "; build with Kast_ENABLE_ALL_TYPES, or use a host space");
}

void run_on_device(const Work& work) {
  const DeviceCall call = find_call(work.operation, work.types);
  if (size(work.output.extents) == 0) return;
  const Device exec;
  std::vector<Bytes> bytes;
  std::vector<ArrayRef> inputs;
  for (std::size_t k = 0; k < work.inputs.size(); ++k) {
    bytes.push_back(to_device(work.inputs[k], work.types.inputs[k]));
    inputs.push_back(moved(work.inputs[k], bytes.back(), work.types.inputs[k]));
  }
  const Bytes result(Kokkos::view_alloc("Kast::run output", Kokkos::WithoutInitializing),
                     size(work.output.extents) * size_of(work.types.result));
  call(exec, inputs.data(), moved(work.output, result, work.types.result));
  exec.fence("Kast::run");
  to_host(work.output, result, work.types.result);
}

#else

void check_device_loop(const Operation&, const LoopTypes&, const Space& space) {
  throw Error(ErrorKind::space, "space " + std::string(space.name) + " is no part of this build");
}

void run_on_device(const Work&) {}

#endif

}  // namespace Kast::Tool
