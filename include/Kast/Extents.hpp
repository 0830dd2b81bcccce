// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes and strides: small host values, and the pure functions on them. Nothing here knows Kokkos.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace Kast {

/// The highest rank of an operand and of a loop.
inline constexpr int max_rank = 8;

/// One number an axis, stored inline: never allocates. Unused places are zero.
template <class T>
class AxisArray {
 public:
  using value_type = T;

  constexpr AxisArray() = default;
  constexpr AxisArray(std::initializer_list<T> values) { assign(values.begin(), static_cast<int>(values.size())); }
  constexpr explicit AxisArray(std::span<const T> values) { assign(values.data(), static_cast<int>(values.size())); }
  /// `rank` places that all hold `value`.
  static constexpr AxisArray filled(int rank, T value) {
    AxisArray result;
    for (int axis = 0; axis < rank; ++axis) result.push_back(value);
    return result;
  }

  constexpr int rank() const noexcept { return m_rank; }
  constexpr T& operator[](int axis) noexcept { return m_values[axis]; }
  constexpr const T& operator[](int axis) const noexcept { return m_values[axis]; }
  constexpr const T* begin() const noexcept { return m_values; }
  constexpr const T* end() const noexcept { return m_values + m_rank; }
  constexpr T* begin() noexcept { return m_values; }
  constexpr T* end() noexcept { return m_values + m_rank; }
  /// Adds an axis at the end. A rank over `max_rank` is refused with `Kast::Error`.
  constexpr void push_back(T value) {
    if (m_rank == max_rank) refuse_rank();
    m_values[m_rank++] = value;
  }

  friend constexpr bool operator==(const AxisArray& a, const AxisArray& b) noexcept {
    if (a.m_rank != b.m_rank) return false;
    for (int axis = 0; axis < a.m_rank; ++axis)
      if (a.m_values[axis] != b.m_values[axis]) return false;
    return true;
  }

 private:
  [[noreturn]] static void refuse_rank();

  constexpr void assign(const T* values, int count) {
    for (int axis = 0; axis < count; ++axis) push_back(values[axis]);
  }

  T m_values[max_rank] = {};
  int m_rank           = 0;
};

using Extents = AxisArray<std::size_t>;
using Strides = AxisArray<std::ptrdiff_t>;  ///< in elements; negative and zero are meaningful

/// The order in which a dense array keeps its elements: `right` has the last axis fastest (C), `left` the first (Fortran).
enum class Order { right, left };

/// NumPy's spelling: `()`, `(5,)`, `(100,4000,5)`.
std::string to_string(const Extents& extents);
std::string to_string(const Strides& strides);

/// Product of the extents; 1 for rank 0, 0 where an extent is 0, nothing where it is over 2^63 - 1.
std::optional<std::size_t> countable_size(const Extents& extents) noexcept;
/// The same; a product over 2^63 - 1 is refused with `ErrorKind::size`.
std::size_t size(const Extents& extents);

/// Strides of a dense array.
Strides dense_strides(const Extents& extents, Order order);

/// Two extents of one axis that do not fit each other.
struct BroadcastConflict {
  int axis;           ///< of the broadcast shape
  std::size_t first;  ///< position of the operand that set the extent
  std::size_t other;  ///< position of the operand that contradicts it
};

/// NumPy's broadcasting rule: shapes are aligned at their last axes, missing axes count as 1, and on each axis the extents
/// other than 1 must agree (0 is such an extent). Writes the broadcast shape to `result`; returns the first conflict, if any.
/// The order of the shapes does not matter for the result. Source: NumPy user guide, "Broadcasting".
std::optional<BroadcastConflict> broadcast_shapes(std::span<const Extents* const> shapes, Extents& result) noexcept;

/// The same for values; a conflict is refused with both shapes and the axis in the text.
Extents broadcast_shapes(std::span<const Extents> shapes);

extern template class AxisArray<std::size_t>;
extern template class AxisArray<std::ptrdiff_t>;

}  // namespace Kast
