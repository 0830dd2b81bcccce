// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The typed part of an elementwise call: the function and where its operands are. `Body` serves device kernels and
// MDRangePolicy forms on every space, `TypedLoop` the packed loops of host spaces.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

#include <Kast/impl/Values.hpp>

#if defined(__clang__)
#define KAST_IMPL_INDEPENDENT _Pragma("clang loop vectorize(enable)")
#elif defined(__GNUC__)
#define KAST_IMPL_INDEPENDENT _Pragma("GCC ivdep")
#else
#define KAST_IMPL_INDEPENDENT
#endif

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define KAST_IMPL_UNROLL _Pragma("unroll")
#else
#define KAST_IMPL_UNROLL
#endif

namespace Kast::Impl {

/// An input that is read from memory, and one that travels with the kernel.
template <class T>
struct FromMemory {
  using value_type                = T;
  static constexpr bool is_number = false;
  const T* data;
};
template <class T>
struct FromValue {
  using value_type                = T;
  static constexpr bool is_number = true;
  T value;
};

// A tuple that device code can use, by indexed inheritance.
template <std::size_t I, class T>
struct Leaf {
  T value;
};
template <class Sequence, class... T>
struct Leaves;
template <std::size_t... I, class... T>
struct Leaves<std::index_sequence<I...>, T...> : Leaf<I, T>... {};
template <class... T>
using Pack = Leaves<std::index_sequence_for<T...>, T...>;

template <std::size_t I, class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T& get(Leaf<I, T>& leaf) {
  return leaf.value;
}
template <std::size_t I, class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr const T& get(const Leaf<I, T>& leaf) {
  return leaf.value;
}

/// Calls f and hands each result to `store(integral_constant<output>, result)`. Functions return one result, or take
/// references to all of them, which start value-initialized.
template <class F, class... Out, class Store, class... Argument>
KOKKOS_FORCEINLINE_FUNCTION void evaluate(const F& f, TypeList<Out...>, const Store& store, const Argument&... argument) {
  if constexpr (std::is_invocable_v<const F&, const Argument&..., compute_t<Out>&...>) {
    Pack<compute_t<Out>...> results{};
    [&]<std::size_t... O>(std::index_sequence<O...>) {
      f(argument..., get<O>(results)...);
      (store(std::integral_constant<std::size_t, O>{}, get<O>(results)), ...);
    }(std::index_sequence_for<Out...>{});
  } else {
    store(std::integral_constant<std::size_t, 0>{}, f(argument...));
  }
}

/// The function and its operands. Operand numbers: inputs, outputs, mask.
template <class F, class Inputs, class Outputs, bool Masked>
struct Body;

template <class F, class... In, class... Out, bool Masked>
struct Body<F, TypeList<In...>, TypeList<Out...>, Masked> {
  static constexpr int inputs   = int(sizeof...(In));
  static constexpr int outputs  = int(sizeof...(Out));
  static constexpr int operands = inputs + outputs + (Masked ? 1 : 0);

  F f;
  Pack<In...> in;     // FromMemory or FromValue
  Pack<Out*...> out;
  const bool* mask;

  /// Moves every pointer to the first element that the loop visits.
  void advance(const std::ptrdiff_t* offset) {
    [&]<std::size_t... I, std::size_t... O>(std::index_sequence<I...>, std::index_sequence<O...>) {
      (advance_input(get<I>(in), offset[I]), ...);
      ((get<O>(out) += offset[inputs + O]), ...);
    }(std::index_sequence_for<In...>{}, std::index_sequence_for<Out...>{});
    if constexpr (Masked) mask += offset[inputs + outputs];
  }

  /// Computes N elements; `at(operand, item)` is an element's offset. All loads are issued before the first store, so that
  /// they are in flight together.
  template <int N, class At>
  KOKKOS_FORCEINLINE_FUNCTION void run(const At& at) const {
    run<N>(at, std::index_sequence_for<In...>{});
  }

 private:
  template <class T>
  static void advance_input(FromMemory<T>& input, std::ptrdiff_t offset) {
    input.data += offset;
  }
  template <class T>
  static void advance_input(FromValue<T>&, std::ptrdiff_t) {}

  template <class T, int N>
  struct Registers {
    T value[N];
  };

  template <std::size_t I, int N, class T, class At>
  KOKKOS_FORCEINLINE_FUNCTION static void load(Registers<T, N>& to, const FromMemory<T>& from, const At& at) {
    KAST_IMPL_UNROLL
    for (int item = 0; item < N; ++item) to.value[item] = from.data[at(int(I), item)];
  }
  template <std::size_t I, int N, class T, class At>
  KOKKOS_FORCEINLINE_FUNCTION static void load(Registers<T, N>& to, const FromValue<T>& from, const At&) {
    KAST_IMPL_UNROLL
    for (int item = 0; item < N; ++item) to.value[item] = from.value;
  }

  template <int N, class At, std::size_t... I>
  KOKKOS_FORCEINLINE_FUNCTION void run(const At& at, std::index_sequence<I...>) const {
    Pack<Registers<typename In::value_type, N>...> loaded;
    (load<I, N>(get<I>(loaded), get<I>(in), at), ...);
    bool wanted[N];
    if constexpr (Masked) {
      KAST_IMPL_UNROLL
      for (int item = 0; item < N; ++item) wanted[item] = mask[at(inputs + outputs, item)];
    }
    KAST_IMPL_UNROLL
    for (int item = 0; item < N; ++item) {
      if constexpr (Masked) {
        if (!wanted[item]) continue;
      }
      evaluate(
          f, TypeList<Out...>{},
          [&](auto o, const auto& result) {
            auto* target = get<decltype(o)::value>(out);
            target[at(inputs + int(decltype(o)::value), item)] =
                element_from<std::remove_reference_t<decltype(*target)>>(result);
          },
          argument_from(get<I>(loaded).value[item])...);
    }
  }
};

/// Loops over packed values, for HostLoop. Elements of different indices are independent, in place too.
template <class F, class Inputs, class Outputs>
struct TypedLoop;

template <class F, class... In, class... Out>
struct TypedLoop<F, TypeList<In...>, TypeList<Out...>> {
  static void run(const void* state, void* const* pointers, std::size_t count) {
    run(state, pointers, count, std::index_sequence_for<In...>{}, std::index_sequence_for<Out...>{});
  }

  static void run_masked(const void* state, void* const* pointers, const std::ptrdiff_t* out_strides, std::size_t count) {
    run_masked(state, pointers, out_strides, count, std::index_sequence_for<In...>{}, std::index_sequence_for<Out...>{});
  }

 private:
  template <std::size_t... I, std::size_t... O>
  static void run(const void* state, void* const* pointers, std::size_t count, std::index_sequence<I...>,
                  std::index_sequence<O...>) {
    const F f = *static_cast<const F*>(state);
    const Pack<const In*...> in{static_cast<const In*>(pointers[I])...};
    const Pack<Out*...> out{static_cast<Out*>(pointers[sizeof...(In) + O])...};
    if constexpr (sizeof...(Out) == 1) {
      // Written out, since compilers vectorize this form everywhere.
      auto* const target = get<0>(out);
      using Element      = std::remove_pointer_t<std::remove_const_t<decltype(target)>>;
      if constexpr (!std::is_invocable_v<const F&, compute_t<In>..., compute_t<Out>&...>) {
        KAST_IMPL_INDEPENDENT
        for (std::size_t i = 0; i < count; ++i)
          target[i] = element_from<Element>(f(argument_from(get<I>(in)[i])...));
        return;
      }
    }
    KAST_IMPL_INDEPENDENT
    for (std::size_t i = 0; i < count; ++i) {
      evaluate(
          f, TypeList<Out...>{},
          [&](auto o, const auto& result) {
            auto* target = get<decltype(o)::value>(out);
            target[i]    = element_from<std::remove_reference_t<decltype(*target)>>(result);
          },
          argument_from(get<I>(in)[i])...);
    }
  }

  template <std::size_t... I, std::size_t... O>
  static void run_masked(const void* state, void* const* pointers, const std::ptrdiff_t* out_strides, std::size_t count,
                         std::index_sequence<I...>, std::index_sequence<O...>) {
    const F f = *static_cast<const F*>(state);
    const Pack<const In*...> in{static_cast<const In*>(pointers[I])...};
    const Pack<Out*...> out{static_cast<Out*>(pointers[sizeof...(In) + O])...};
    const bool* mask = static_cast<const bool*>(pointers[sizeof...(In) + sizeof...(Out)]);
    for (std::size_t i = 0; i < count; ++i) {
      if (!mask[i]) continue;
      evaluate(
          f, TypeList<Out...>{},
          [&](auto o, const auto& result) {
            constexpr std::size_t output = decltype(o)::value;
            auto* target                 = get<output>(out);
            target[std::ptrdiff_t(i) * out_strides[output]] =
                element_from<std::remove_reference_t<decltype(*target)>>(result);
          },
          argument_from(get<I>(in)[i])...);
    }
  }
};

}  // namespace Kast::Impl
