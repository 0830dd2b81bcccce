// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of a call: their value types, and the Views that are allocated where no outputs are given.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <Kast/Error.hpp>
#include <Kast/Operand.hpp>
#include <Kast/impl/Functions.hpp>
#include <Kast/impl/StrictFp.hpp>

namespace Kast::Impl {
KAST_IMPL_FP_BEGIN

/// The types of a function's results for given argument types.
template <class F, int Outputs, class... In>
struct Results {
  static constexpr bool returns = Outputs == 1 && std::is_invocable_v<const F&, In...>;

  template <std::size_t O>
  static constexpr auto type_of() {
    if constexpr (returns) {
      static_assert(!std::is_void_v<std::invoke_result_t<const F&, In...>>, "Kast: the function returns nothing");
      return std::type_identity<std::remove_cvref_t<std::invoke_result_t<const F&, In...>>>{};
    } else if constexpr (HasOneCallOperator<F>) {
      return parameter<sizeof...(In) + O>(typename CallOperator<F>::parameters{});
    } else {
      static_assert(returns, "Kast: the result types of this function are unknown; give the outputs");
    }
  }
  template <std::size_t K, class... A>
  static constexpr auto parameter(TypeList<A...>) {
    return std::type_identity<std::remove_cvref_t<std::tuple_element_t<K, std::tuple<A...>>>>{};
  }
  template <std::size_t O>
  using type = typename decltype(type_of<O>())::type;
};

template <class T, int Rank>
struct ViewData {
  using type = typename ViewData<T*, Rank - 1>::type;
};
template <class T>
struct ViewData<T, 0> {
  using type = T;
};

/// Where allocated results live: rank, layout of the first input of highest rank, common memory space of the inputs. A mask
/// broadcasts like one more input, so that its rank counts, but lends nothing else.
template <class Exec, int MaskRank, class... In>
struct ResultPlace {
  static constexpr int input_rank = [] {
    int most = 0;
    ((most = OperandTraits<In>::rank > most ? OperandTraits<In>::rank : most), ...);
    return most;
  }();
  static constexpr int rank = input_rank > MaskRank ? input_rank : MaskRank;

  template <class First, class... Rest>
  static auto layout() {
    using Traits = OperandTraits<First>;
    if constexpr (!Traits::is_number && Traits::rank == input_rank) {
      if constexpr (Traits::has_layout) return typename Traits::array_layout{};
      else return typename Exec::array_layout{};
    } else {
      return layout<Rest...>();
    }
  }
  template <class...>
  requires(sizeof...(In) >= 0) static auto layout_or_default() {
    if constexpr ((!OperandTraits<In>::is_number || ...)) return layout<In...>();
    else return typename Exec::array_layout{};
  }
  using array_layout = decltype(layout_or_default<>());

  template <class Space, class First, class... Rest>
  static auto common_space() {
    using Own             = typename OperandTraits<First>::memory_space;
    constexpr bool counts = !OperandTraits<First>::is_number && !std::is_same_v<Own, Kokkos::AnonymousSpace>;
    if constexpr (counts && !std::is_void_v<Space> && !std::is_same_v<Own, Space>) {
      return std::type_identity<typename Exec::memory_space>{};
    } else {
      using Next = std::conditional_t<counts, Own, Space>;
      if constexpr (sizeof...(Rest) > 0) return common_space<Next, Rest...>();
      else return std::type_identity<std::conditional_t<std::is_void_v<Next>, typename Exec::memory_space, Next>>{};
    }
  }
  using memory_space = typename decltype(common_space<void, In...>())::type;
};

template <class T, class Place>
using ResultView =
    Kokkos::View<typename ViewData<T, Place::rank>::type, typename Place::array_layout, typename Place::memory_space>;

template <class View>
auto layout_of(const Extents& extents) {
  typename View::array_layout layout;
  for (int axis = 0; axis < extents.rank(); ++axis) layout.dimension[axis] = extents[axis];
  return layout;
}

/// Refuses a result whose bytes cannot be counted.
inline void check_countable(std::string_view function, const Extents& extents, std::size_t value_size) {
  const auto count = countable_size(extents);
  if (count && *count <= std::size_t(PTRDIFF_MAX) / value_size) return;
  throw Error(ErrorKind::size,
              std::string(function) + ": a result of shape " + to_string(extents) + " has more than 2^63 - 1 bytes");
}

template <class View, class Exec>
View allocate(const Exec& exec, const std::string& label, const Extents& extents, bool zeroed) {
  try {
    if (zeroed) return View(Kokkos::view_alloc(exec, label), layout_of<View>(extents));
    return View(Kokkos::view_alloc(exec, label, Kokkos::WithoutInitializing), layout_of<View>(extents));
  } catch (...) {
    std::throw_with_nested(
        Error(ErrorKind::allocation, label + ": a result of shape " + to_string(extents) + " (" +
                                         std::to_string(size(extents) * sizeof(typename View::value_type)) +
                                         " bytes) could not be allocated"));
  }
}

KAST_IMPL_FP_END
}  // namespace Kast::Impl
