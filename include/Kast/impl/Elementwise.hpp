// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The typed part of an elementwise call: the function and where its operands are. `Body` serves device kernels and
// MDRangePolicy forms on every space, `TypedLoop` the packed loops of host spaces.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <Kast/impl/Stream.hpp>
#include <Kast/impl/StrictFp.hpp>
#include <Kast/impl/Values.hpp>

// Elements of a loop do not depend on each other, in place too. clang has no way to say so that stays quiet about the loops it
// cannot vectorize; it checks at run time instead.
#if defined(__GNUC__) && !defined(__clang__)
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
KAST_IMPL_FP_BEGIN

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
KOKKOS_FORCEINLINE_FUNCTION void evaluate(const F& f, TypeList<Out...>, const Store& store,
                                          const Argument&... argument) {
  if constexpr (std::is_invocable_v<const F&, const Argument&..., compute_t<Out>&...>) {
    Pack<compute_t<Out>...> results{};
    [&]<std::size_t... O>(std::index_sequence<O...>) {
      f(argument..., get<O>(results)...);
      (store(std::integral_constant<std::size_t, O>{}, get<O>(results)), ...);
    }
    (std::index_sequence_for<Out...>{});
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
  /// Bytes of the widest value in memory; 3, for which there are no vectors, where some size is no power of two.
  static constexpr std::size_t widest = [] {
    std::size_t most = 1;
    bool powers      = true;
    const auto count = [&](bool is_number, std::size_t size) {
      if (is_number) return;
      most   = size > most ? size : most;
      powers = powers && (size & (size - 1)) == 0;
    };
    (count(In::is_number, sizeof(typename In::value_type)), ...);
    (count(false, sizeof(Out)), ...);
    return powers || most > 8 ? most : std::size_t(3);
  }();

  F f;
  Pack<In...> in;  // FromMemory or FromValue
  Pack<Out*...> out;
  const bool* mask;

  /// Moves every pointer to the first element that the loop visits.
  void advance(const std::ptrdiff_t* offset) {
    [&]<std::size_t... I, std::size_t... O>(std::index_sequence<I...>, std::index_sequence<O...>) {
      (advance_input(get<I>(in), offset[I]), ...);
      ((get<O>(out) += offset[inputs + O]), ...);
    }
    (std::index_sequence_for<In...>{}, std::index_sequence_for<Out...>{});
    if constexpr (Masked) mask += offset[inputs + outputs];
  }

  /// Computes N elements; `at(operand, item)` is an element's offset. All loads are issued before the first store, so that
  /// they are in flight together.
  template <int N, class At>
  KOKKOS_FORCEINLINE_FUNCTION void run(const At& at) const {
    run<N>(at, std::index_sequence_for<In...>{});
  }

  /// Computes R runs of V neighbouring elements, each run moved as one vector; `at(operand, run)` is the offset of a run's
  /// first element, which is aligned to the vector, and `constant(operand)` tells that an operand has one element for a run.
  template <int R, int V, class At, class Constant>
  KOKKOS_FORCEINLINE_FUNCTION void run_vectors(const At& at, const Constant& constant) const {
    run_vectors<R, V>(at, constant, std::index_sequence_for<In...>{});
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

  template <class T, int V>
  struct alignas(sizeof(T) * V) Vector {
    T value[V];
  };

  template <std::size_t I, int R, int V, class T, class At, class Constant>
  KOKKOS_FORCEINLINE_FUNCTION static void load_vectors(Vector<T, V> (&to)[R], const FromMemory<T>& from, const At& at,
                                                       const Constant& constant) {
    if (constant(int(I))) {
      KAST_IMPL_UNROLL
      for (int run = 0; run < R; ++run) {
        const T value = from.data[at(int(I), run)];
        KAST_IMPL_UNROLL
        for (int v = 0; v < V; ++v) to[run].value[v] = value;
      }
    } else {
      KAST_IMPL_UNROLL
      for (int run = 0; run < R; ++run) to[run] = *reinterpret_cast<const Vector<T, V>*>(from.data + at(int(I), run));
    }
  }
  template <std::size_t I, int R, int V, class T, class At, class Constant>
  KOKKOS_FORCEINLINE_FUNCTION static void load_vectors(Vector<T, V> (&to)[R], const FromValue<T>& from, const At&,
                                                       const Constant&) {
    KAST_IMPL_UNROLL
    for (int item = 0; item < R * V; ++item) to[item / V].value[item % V] = from.value;
  }

  template <int R, int V, class At, class Constant, std::size_t... I>
  KOKKOS_FORCEINLINE_FUNCTION void run_vectors(const At& at, const Constant& constant,
                                               std::index_sequence<I...>) const {
    Pack<Vector<typename In::value_type, V>[R]...> loaded;
    (load_vectors<I, R, V>(get<I>(loaded), get<I>(in), at, constant), ...);
    Pack<Vector<Out, V>[R]...> results;
    KAST_IMPL_UNROLL
    for (int item = 0; item < R * V; ++item) {
      evaluate(
          f, TypeList<Out...>{},
          [&](auto o, const auto& result) {
            auto& target = get<decltype(o)::value>(results)[item / V].value[item % V];
            target       = element_from<std::remove_reference_t<decltype(target)>>(result);
          },
          argument_from(get<I>(loaded)[item / V].value[item % V])...);
    }
    [&]<std::size_t... O>(std::index_sequence<O...>) {
      KAST_IMPL_UNROLL
      for (int run = 0; run < R; ++run)
        ((*reinterpret_cast<Vector<Out, V>*>(get<O>(out) + at(inputs + int(O), run)) = get<O>(results)[run]), ...);
    }
    (std::index_sequence_for<Out...>{});
  }
};

/// Loops over packed values, for HostLoop. Elements of different indices are independent, in place too.
template <class F, class Inputs, class Outputs>
struct TypedLoop;

template <class F, class... In, class... Out>
struct TypedLoop<F, TypeList<In...>, TypeList<Out...>> {
  static constexpr bool returns =
      sizeof...(Out) == 1 && !std::is_invocable_v<const F&, compute_t<In>..., compute_t<Out>&...>;
  /// Whether cache lines of the output can be computed whole.
  static constexpr bool can_stream = returns && ((cache_line % sizeof(Out) == 0) && ...);

  static void run(const void* state, void* const* pointers, std::size_t count) {
    const F f = *static_cast<const F*>(state);
    if constexpr (returns) {
      auto* const target = get<0>(outputs(pointers));
      with_elements(f, pointers, [=](const auto& element) {
        KAST_IMPL_INDEPENDENT
        for (std::size_t i = 0; i < count; ++i) target[i] = element(i);
      });
    } else {
      for_each(f, pointers, count, nullptr, nullptr);
    }
  }

  /// As `run`, with streaming stores: a line is computed in registers and leaves while the next is read. That is 1.3 times
  /// as fast as computing a block and streaming it then (float64 multiply, one core of an AMD EPYC).
  static void run_streamed(const void* state, void* const* pointers, std::size_t count,
                           const std::ptrdiff_t* ahead) requires can_stream {
    const F f          = *static_cast<const F*>(state);
    auto* const target = get<0>(outputs(pointers));
    using Element      = std::remove_cvref_t<decltype(*target)>;
    with_elements(f, pointers, [=](const auto& element) {
      constexpr std::size_t line = cache_line / sizeof(Element);
      std::size_t i              = 0;
      for (; i < count && reinterpret_cast<std::uintptr_t>(target + i) % cache_line != 0; ++i) target[i] = element(i);
      for (; i + line <= count; i += line) {
        prefetch(pointers, i, ahead);
        alignas(cache_line) Element values[line];
        for (std::size_t j = 0; j < line; ++j) values[j] = element(i + j);
        stream_line(target + i, values);
      }
      for (; i < count; ++i) target[i] = element(i);
    });
  }

  static void run_masked(const void* state, void* const* pointers, const std::ptrdiff_t* out_strides,
                         std::size_t count) {
    const F f        = *static_cast<const F*>(state);
    const bool* mask = static_cast<const bool*>(pointers[sizeof...(In) + sizeof...(Out)]);
    for_each(f, pointers, count, out_strides, mask);
  }

 private:
  static void prefetch(void* const* pointers, std::size_t i, const std::ptrdiff_t* ahead) {
    int k = 0;
    ((prefetch_line(static_cast<const char*>(pointers[k]) + std::ptrdiff_t(i * sizeof(In)) + ahead[k]), ++k), ...);
  }

  using FirstOutput = std::tuple_element_t<0, std::tuple<Out...>>;

  static Pack<const In*...> inputs(void* const* pointers) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return Pack<const In*...>{{static_cast<const In*>(pointers[I])}...};
    }
    (std::index_sequence_for<In...>{});
  }
  static Pack<Out*...> outputs(void* const* pointers) {
    return [&]<std::size_t... O>(std::index_sequence<O...>) {
      return Pack<Out*...>{{static_cast<Out*>(pointers[sizeof...(In) + O])}...};
    }
    (std::index_sequence_for<Out...>{});
  }

  /// Calls `loop` with a function from an index to the one output's element there.
  template <class Loop>
  static void with_elements(const F& f, void* const* pointers, const Loop& loop) {
    const auto in = inputs(pointers);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      loop([=]([[maybe_unused]] std::size_t i) {
        return element_from<FirstOutput>(f(argument_from(get<I>(in)[i])...));
      });
    }
    (std::index_sequence_for<In...>{});
  }

  /// Stores results to the outputs' elements of one index. Marked for devices only because `evaluate` is.
  struct Store {
    Pack<Out*...> out;
    const std::ptrdiff_t* strides;  ///< one an output; null: packed
    std::ptrdiff_t index;

    template <std::size_t O, class Result>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(std::integral_constant<std::size_t, O>, const Result& result) const {
      auto* const target = get<O>(out) + index * (strides == nullptr ? 1 : strides[O]);
      *target            = element_from<std::remove_cvref_t<decltype(*target)>>(result);
    }
  };

  /// The general loop: several outputs, outputs with strides, elements left out by a mask.
  static void for_each(const F& f, void* const* pointers, std::size_t count, const std::ptrdiff_t* strides,
                       const bool* mask) {
    const auto in  = inputs(pointers);
    const auto out = outputs(pointers);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      KAST_IMPL_INDEPENDENT
      for (std::size_t i = 0; i < count; ++i) {
        if (mask != nullptr && !mask[i]) continue;
        evaluate(f, TypeList<Out...>{}, Store{out, strides, std::ptrdiff_t(i)}, argument_from(get<I>(in)[i])...);
      }
    }
    (std::index_sequence_for<In...>{});
  }
};

KAST_IMPL_FP_END
}  // namespace Kast::Impl
