// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type-free side of Operand.hpp: value types by name, and what plans are made of. Knows no Kokkos, so that the compiled
// core does not either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <Kast/Extents.hpp>

namespace Kast {

/// Value types that Kast knows by name, spelled as in .npy files; `other` is any further trivially copyable type.
enum class DType : std::uint8_t { other, boolean, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8, c8, c16 };

/// Bytes of one value; 0 for `other`.
std::size_t size_of(DType dtype) noexcept;
/// `f8`, `u1`, `bool`, ...
std::string_view name_of(DType dtype) noexcept;

/// The type-free description of one argument. A number passed by value has `by_value` set and no data pointer.
struct Operand {
  const void* data = nullptr;
  Extents extents;
  Strides strides;  ///< in elements, one an axis
  std::uint32_t value_size = 0;
  DType dtype              = DType::other;
  bool by_value            = false;
};

/// Who can reach the memory behind an `ArrayRef`.
enum class Reach : std::uint8_t { host, device, both };

/// An array whose rank and value type are known only at run time: a mapped .npy file, a DynRankView, an mdspan.
/// Strides count elements. The memory stays the caller's.
struct ArrayRef {
  void* data = nullptr;
  Extents extents;
  Strides strides;
  DType dtype = DType::other;
  Reach space = Reach::host;
};

/// The description of an array known at run time only.
inline Operand describe(const ArrayRef& array) {
  Operand operand;
  operand.data       = array.data;
  operand.extents    = array.extents;
  operand.strides    = array.strides;
  operand.value_size = static_cast<std::uint32_t>(size_of(array.dtype));
  operand.dtype      = array.dtype;
  return operand;
}

}  // namespace Kast
