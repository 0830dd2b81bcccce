// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kast/impl/Description.hpp>

namespace Kast {

std::size_t size_of(DType dtype) noexcept {
  switch (dtype) {
    case DType::boolean:
    case DType::i1:
    case DType::u1: return 1;
    case DType::i2:
    case DType::u2:
    case DType::f2: return 2;
    case DType::i4:
    case DType::u4:
    case DType::f4: return 4;
    case DType::i8:
    case DType::u8:
    case DType::f8:
    case DType::c8: return 8;
    case DType::c16: return 16;
    case DType::other: break;
  }
  return 0;
}

std::string_view name_of(DType dtype) noexcept {
  constexpr std::string_view names[] = {"other", "bool", "i1", "i2", "i4", "i8", "u1", "u2",
                                        "u4",    "u8",   "f2", "f4", "f8", "c8", "c16"};
  return names[static_cast<std::size_t>(dtype)];
}

}  // namespace Kast
