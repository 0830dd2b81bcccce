// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be an argument, and its type-free description. Views, numbers and the wrappers of this header all become an
// `Operand`: a pointer, extents, strides, and the size and kind of one value. Plans are made of nothing else.
#pragma once

#include <Kokkos_Core.hpp>

#include <array>
#include <complex>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include <Kast/Error.hpp>
#include <Kast/Extents.hpp>
#include <Kast/impl/Description.hpp>

namespace Kast {

/// The `DType` of a C++ value type.
template <class T>
constexpr DType dtype_of() noexcept {
  using V = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<V, bool>) {
    return DType::boolean;
  } else if constexpr (std::is_integral_v<V>) {
    constexpr bool is_signed = std::is_signed_v<V>;
    switch (sizeof(V)) {
      case 1: return is_signed ? DType::i1 : DType::u1;
      case 2: return is_signed ? DType::i2 : DType::u2;
      case 4: return is_signed ? DType::i4 : DType::u4;
      case 8: return is_signed ? DType::i8 : DType::u8;
      default: return DType::other;
    }
  } else if constexpr (std::is_same_v<V, float>) {
    return DType::f4;
  } else if constexpr (std::is_same_v<V, double>) {
    return DType::f8;
  } else if constexpr (std::is_same_v<V, Kokkos::complex<float>> || std::is_same_v<V, std::complex<float>>) {
    return DType::c8;
  } else if constexpr (std::is_same_v<V, Kokkos::complex<double>> || std::is_same_v<V, std::complex<double>>) {
    return DType::c16;
  } else if constexpr (std::is_same_v<V, Kokkos::Experimental::half_t>) {
    return DType::f2;
  } else {
    return DType::other;
  }
}

/// A View-like operand with any strides, negative ones included, and a rank known at compile time.
/// `owner` keeps the memory alive where there is an owner.
template <class T, int Rank, class MemorySpace, class Owner = std::nullptr_t>
struct StridedArray {
  using value_type   = T;
  using memory_space = MemorySpace;
  using owner_type   = Owner;

  static constexpr int rank() noexcept { return Rank; }

  T* data = nullptr;
  Extents extents;
  Strides strides;
  Owner owner{};
};

/// An operand from a pointer, extents and strides (in elements). `MemorySpace` says where the memory is; the default
/// vouches that the execution space of the call can reach it.
template <class MemorySpace = Kokkos::AnonymousSpace, class T, std::size_t Rank>
StridedArray<T, int(Rank), MemorySpace> strided(T* data, const std::array<std::size_t, Rank>& extents,
                                                const std::array<std::ptrdiff_t, Rank>& strides) {
  return {data, Extents(std::span<const std::size_t>(extents)), Strides(std::span<const std::ptrdiff_t>(strides)), {}};
}
template <class MemorySpace = Kokkos::AnonymousSpace, class T, std::size_t Rank>
StridedArray<T, int(Rank), MemorySpace> strided(T* data, const std::size_t (&extents)[Rank],
                                                const std::ptrdiff_t (&strides)[Rank]) {
  return {data,
          Extents(std::span<const std::size_t>(extents, Rank)),
          Strides(std::span<const std::ptrdiff_t>(strides, Rank)),
          {}};
}

namespace Impl {

template <class T>
inline constexpr bool is_strided_array_v = false;
template <class T, int Rank, class MemorySpace, class Owner>
inline constexpr bool is_strided_array_v<StridedArray<T, Rank, MemorySpace, Owner>> = true;

template <class T>
inline constexpr bool is_std_complex_v = false;
template <class T>
inline constexpr bool is_std_complex_v<std::complex<T>> = true;

template <class T>
inline constexpr bool is_complex_v = is_std_complex_v<T>;
template <class T>
inline constexpr bool is_complex_v<Kokkos::complex<T>> = true;

template <class T>
inline constexpr bool is_number_v = std::is_arithmetic_v<T> || is_complex_v<T> || dtype_of<T>() != DType::other;

#ifdef KOKKOS_ENABLE_CUDA
inline constexpr bool builds_for_device = true;
#else
inline constexpr bool builds_for_device = false;
#endif

// Kokkos classes that look like Views and are none. They are recognized by shape, so that no header of theirs is needed.
template <class T>
concept LooksLikeDualView = requires {
  typename T::t_dev;
  typename T::t_host;
};
template <class T>
concept LooksLikeOffsetView = !Kokkos::is_view_v<T> && requires(T t) {
  t.begins();
};
template <class T>
concept LooksLikeScatterView = requires(T t) {
  t.contribute_into(t.subview());
};
template <class T>
concept LooksLikeDynRankView = !Kokkos::is_view_v<T> && !is_strided_array_v<T> && requires(T t) {
  t.rank();
  t.data();
  t.layout();
};

/// A View of plain memory: elements are references, or read through a cache of their own (RandomAccess on CUDA), or promised
/// not to be aliased (Restrict); never atomic and never a custom accessor's.
template <class T>
concept PlainView = Kokkos::is_view_v<T> && !T::traits::memory_traits::is_atomic &&
                    (std::is_lvalue_reference_v<typename T::reference_type> || T::traits::memory_traits::is_restrict ||
                     (std::is_const_v<typename T::value_type> && T::traits::memory_traits::is_random_access));

}  // namespace Impl

/// What a call accepts as an operand.
template <class T>
concept OperandArgument = Impl::PlainView<std::remove_cvref_t<T>> || Impl::is_strided_array_v<std::remove_cvref_t<T>> ||
    Impl::is_number_v<std::remove_cvref_t<T>>;

namespace Impl {

/// Ends compilation with the one sentence that says why `T` is no operand. The ladder goes from the likeliest cause down.
template <class T>
constexpr void check_operand_type() {
  static_assert(!LooksLikeDualView<T>, "Kast: a DualView is no operand; pass .view_device() or .view_host() of it");
  static_assert(!LooksLikeOffsetView<T>, "Kast: an OffsetView is no operand; pass .view() of it");
  static_assert(!LooksLikeScatterView<T>, "Kast: a ScatterView is no operand; contribute it into a View and pass that");
  static_assert(!LooksLikeDynRankView<T>,
                "Kast: an operand's rank must be known at compile time; where it is not, use Kast::ArrayRef");
  if constexpr (Kokkos::is_view_v<T>) {
    static_assert(PlainView<T>,
                  "Kast: Views with Atomic or custom element access are no operands; pass a plain View of "
                  "the same data");
    static_assert(T::rank() <= std::size_t(max_rank), "Kast: the rank of an operand is at most 8");
    static_assert(!(builds_for_device && is_std_complex_v<typename T::non_const_value_type>),
                  "Kast: std::complex does not work on devices; use Kokkos::complex");
  } else if constexpr (is_number_v<T>) {
    static_assert(!(builds_for_device && is_std_complex_v<T>),
                  "Kast: std::complex does not work on devices; use Kokkos::complex");
  } else {
    static_assert(is_strided_array_v<T>,
                  "Kast: an operand is a Kokkos::View, a number, or what Kast::flip, Kast::strided "
                  "and their like return");
  }
}

/// Checks all types of a list; for static_assert.
template <class... T>
constexpr bool check_operand_types() {
  (check_operand_type<T>(), ...);
  return true;
}

/// What the templates need to know of an operand's type. What is no operand has stand-ins, so that the sentence of
/// check_operand_type is not buried.
template <class T>
struct OperandTraits {
  using element_type               = const int;
  using memory_space               = void;
  using execution_space            = void;
  static constexpr int rank        = 0;
  static constexpr bool is_number  = true;
  static constexpr bool has_layout = false;
  using array_layout               = void;
};

template <class T>
requires Kokkos::is_view_v<T>
struct OperandTraits<T> {
  using element_type               = typename T::value_type;
  using memory_space               = typename T::memory_space;
  using execution_space            = typename T::execution_space;
  static constexpr int rank        = int(T::rank());
  static constexpr bool is_number  = false;
  static constexpr bool has_layout = std::is_same_v<typename T::array_layout, Kokkos::LayoutRight> ||
                                     std::is_same_v<typename T::array_layout, Kokkos::LayoutLeft>;
  using array_layout = typename T::array_layout;
};

template <class T, int Rank, class MemorySpace, class Owner>
struct OperandTraits<StridedArray<T, Rank, MemorySpace, Owner>> {
  using element_type               = T;
  using memory_space               = MemorySpace;
  using execution_space            = void;
  static constexpr int rank        = Rank;
  static constexpr bool is_number  = false;
  static constexpr bool has_layout = false;
  using array_layout               = Kokkos::LayoutStride;
};
template <class T, int Rank, class MemorySpace, class Owner>
requires Kokkos::is_view_v<Owner>
struct OperandTraits<StridedArray<T, Rank, MemorySpace, Owner>>
    : OperandTraits<StridedArray<T, Rank, MemorySpace, std::nullptr_t>> {
  using execution_space = typename Owner::execution_space;
};

template <class T>
requires is_number_v<T>
struct OperandTraits<T> : OperandTraits<void> {
  using element_type = const T;
};

template <class T>
Operand described(T* data) {
  Operand operand;
  operand.data       = data;
  operand.value_size = sizeof(T);
  operand.dtype      = dtype_of<T>();
  return operand;
}

}  // namespace Impl

/// The description of a View. Asks for pointer, extents and strides only: `span()` means nothing for Views with
/// stride 0 or negative strides, which people make by hand.
template <class V>
requires Kokkos::is_view_v<V> Operand describe(const V& view) {
  Operand operand = Impl::described(view.data());
  for (int axis = 0; axis < int(V::rank()); ++axis) {
    operand.extents.push_back(view.extent(axis));
    operand.strides.push_back(static_cast<std::ptrdiff_t>(view.stride(axis)));
  }
  return operand;
}

template <class T, int Rank, class MemorySpace, class Owner>
Operand describe(const StridedArray<T, Rank, MemorySpace, Owner>& array) {
  Operand operand = Impl::described(array.data);
  operand.extents = array.extents;
  operand.strides = array.strides;
  return operand;
}

/// A number is an operand of rank 0, passed by value.
template <class T>
requires Impl::is_number_v<T> Operand describe(const T&) {
  Operand operand;
  operand.value_size = sizeof(T);
  operand.dtype      = dtype_of<T>();
  operand.by_value   = true;
  return operand;
}

/// The same elements with one axis reversed; `axis` may be negative, counted from the end. Copies nothing and keeps the
/// View alive. An axis out of range is refused with `ErrorKind::argument`.
template <class V>
requires(Impl::PlainView<V> || Impl::is_strided_array_v<V>) auto flip(const V& array, int axis) {
  using Traits          = Impl::OperandTraits<V>;
  const Operand operand = describe(array);
  const int rank        = Traits::rank;
  if (axis < -rank || axis >= rank) {
    throw Error(ErrorKind::argument, "Kast::flip: axis " + std::to_string(axis) + " is out of range for shape " +
                                         to_string(operand.extents));
  }
  if (axis < 0) axis += rank;
  using T      = typename Traits::element_type;
  auto flipped = [&](auto owner) {
    StridedArray<T, Traits::rank, typename Traits::memory_space, decltype(owner)> result{
        const_cast<T*>(static_cast<const T*>(operand.data)), operand.extents, operand.strides, owner};
    if (operand.extents[axis] > 0) result.data += std::ptrdiff_t(operand.extents[axis] - 1) * operand.strides[axis];
    result.strides[axis] = -operand.strides[axis];
    return result;
  };
  if constexpr (Kokkos::is_view_v<V>) {
    return flipped(array);
  } else {
    return flipped(array.owner);
  }
}

}  // namespace Kast
