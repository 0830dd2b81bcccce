// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of `kast run` on the build's device: operation and loop type to one call of a Kast ufunc. To be included in
// builds with a device backend only.
#pragma once

#include <cstdint>

#include <Kast/Ufunc.hpp>

#include "OperationTable.hpp"

namespace Kast::Tool {

using Device = Kokkos::DefaultExecutionSpace;

/// Calls the ufunc on arrays in device memory, inputs first.
using DeviceCall = void (*)(const Device& exec, const ArrayRef* inputs, const ArrayRef& output);

/// An array of any rank as one of the highest rank, with axes of extent 1 in front: one kernel serves all ranks.
template <class T>
StridedArray<T, max_rank, Device::memory_space> padded(const ArrayRef& array) {
  const int missing = max_rank - array.extents.rank();
  StridedArray<T, max_rank, Device::memory_space> result{static_cast<T*>(array.data),
                                                         Extents::filled(missing, 1),
                                                         Strides::filled(missing, 0),
                                                         {}};
  for (int axis = 0; axis < array.extents.rank(); ++axis) {
    result.extents.push_back(array.extents[axis]);
    result.strides.push_back(array.strides[axis]);
  }
  return result;
}

template <class F, class Result, class... In, std::size_t... I>
void call_on_device(const Device& exec, const ArrayRef* inputs, const ArrayRef& output, std::index_sequence<I...>) {
  // NumPy's result type is narrower than C++'s for small integers.
  Ufunc<F, int(sizeof...(In))>{}(exec, padded<const In>(inputs[I])..., padded<Result>(output), Kast::unsafe,
                                 Kast::Experimental::policy::compact);
}
template <class F, class Result, class... In>
void call_on_device(const Device& exec, const ArrayRef* inputs, const ArrayRef& output) {
  call_on_device<F, Result, In...>(exec, inputs, output, std::index_sequence_for<In...>{});
}

/// Entries are calls of ufuncs.
struct DeviceTable {
  using Entry = DeviceCall;

#ifdef KAST_ENABLE_ALL_TYPES
  template <class T>
  static constexpr bool takes = true;
#else
  template <class T>
  static constexpr bool takes = is_real_v<T> || std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint8_t>;
#endif

  template <class Result, class... In, class F>
  static Entry make(const Ufunc<F, int(sizeof...(In))>&) {
    return &call_on_device<F, Result, In...>;
  }

  template <class T>
  static Entry make_complex(Op op) {
    switch (op) {
      case Op::sqrt: return make<T, T>(Kast::sqrt);
      case Op::exp: return make<T, T>(Kast::exp);
      case Op::log: return make<T, T>(Kast::log);
      case Op::sin: return make<T, T>(Kast::sin);
      case Op::cos: return make<T, T>(Kast::cos);
      case Op::tanh: return make<T, T>(Kast::tanh);
      default: return nullptr;
    }
  }
};

extern template DeviceCall arithmetic_entry<DeviceTable>(Op, DType);
extern template DeviceCall math_entry<DeviceTable>(Op, DType);
extern template DeviceCall predicate_entry<DeviceTable>(Op, DType, DType);
extern template DeviceCall bit_entry<DeviceTable>(Op, DType);
extern template DeviceCall move_entry<DeviceTable>(Op, DType);

}  // namespace Kast::Tool
