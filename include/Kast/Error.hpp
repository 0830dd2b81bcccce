// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a refused call throws. Every refusal comes before anything is launched or written.
#pragma once

#include <stdexcept>
#include <string>

namespace Kast {

/// What a refusal is about, for callers that react to it; people read `what()`.
enum class ErrorKind {
  shape,       ///< extents or ranks that do not fit each other
  overlap,     ///< an output that shares memory with another operand, or with itself
  type,        ///< a value type that the operation does not take
  space,       ///< an execution or memory space that cannot do the work
  size,        ///< a size that cannot be represented
  allocation,  ///< memory that could not be had; the cause is nested
  state,       ///< Kokkos is not initialized, or already finalized
  argument,    ///< an argument out of its range
  file         ///< a file that is not what it should be, or cannot be read or written
};

/// The one exception type of Kast. `what()` names the function, the operand, the axis, the shapes and, where there is
/// one, the remedy; the text is the same in every build type.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& text) : std::runtime_error(text), m_kind(kind) {}

  ErrorKind kind() const noexcept { return m_kind; }

 private:
  ErrorKind m_kind;
};

}  // namespace Kast
