// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands in memory: allocated once and reused by every case, filled in parallel, and the check of results against a plain
// loop. Values are small integers, so that every result is exact in every type.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>

#include "Case.hpp"

namespace KastPerf {

/// Pointers to element (0,...,0) of each operand, and the loop over them.
template <class T>
struct Operands {
  const T* in[max_inputs] = {};
  T* out[2]               = {};
  const bool* mask        = nullptr;
  Loop loop;
};

KOKKOS_INLINE_FUNCTION std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// 1 to 7, by place and operand.
template <class T>
KOKKOS_INLINE_FUNCTION T input_value(std::uint64_t place, int operand) {
  const std::uint64_t bits = scrambled(place * 8 + std::uint64_t(operand) + 1);
  if constexpr (std::is_arithmetic_v<T>) return T(1 + bits % 7);
  else return T(double(1 + bits % 7), double(1 + (bits >> 32) % 7));
}

/// The bytes of a value as a number; zero for the value 0.
template <class T>
KOKKOS_INLINE_FUNCTION std::uint64_t bits_of(const T& value) {
  if constexpr (!std::is_arithmetic_v<T>) {
    return bits_of(value.real()) + 3 * bits_of(value.imag());
  } else {
    std::uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(T));
    return bits;
  }
}
/// A checksum is the sum of these over all of an output's memory: it depends on each value and on its place.
template <class T>
KOKKOS_INLINE_FUNCTION std::uint64_t weighted(const T& value, std::uint64_t place, int output) {
  return scrambled(bits_of(value)) * (2 * place + 1 + std::uint64_t(output));
}

template <class T>
KOKKOS_INLINE_FUNCTION void evaluate(Operation operation, const T* x, T* result) {
  switch (operation) {
    case Operation::multiply:
    case Operation::masked: result[0] = T(x[0] * x[1]); break;
    case Operation::scale: result[0] = T(T(3) * x[0]); break;
    case Operation::fma: result[0] = T(x[0] * x[1] + x[2]); break;
    case Operation::five: result[0] = T(x[0] * x[1] + x[2] * x[3] + x[4]); break;
    case Operation::two:
      result[0] = T(x[0] * x[1]);
      result[1] = T(x[0] + x[1]);
      break;
  }
}

template <class T>
struct Fill {
  T* data;
  int operand;
  KOKKOS_FUNCTION void operator()(const std::int64_t place) const {
    data[place] = input_value<T>(std::uint64_t(place), operand);
  }
};
struct FillMask {
  bool* data;
  KOKKOS_FUNCTION void operator()(const std::int64_t place) const {
    data[place] = scrambled(std::uint64_t(place)) % 4 != 0;
  }
};

/// Memory of one memory space, by slot. Grows, never shrinks.
template <class MemorySpace>
class Pool {
 public:
  /// At least `bytes` bytes, aligned to a cache line.
  char* get(int slot, std::size_t bytes) {
    auto& view = m_slots[slot];
    if (view.size() < bytes) {
      view = {};  // first, so that old and new never exist together
      view = View(Kokkos::view_alloc("kast_perf", Kokkos::WithoutInitializing), (bytes + 63) / 64 * 64);
      touch(view);
    }
    return view.data();
  }

 private:
  using View = Kokkos::View<char*, MemorySpace>;

  // In parallel, and with values: memory that holds nothing but zeros may be copied faster than any other.
  static void touch(const View& view) {
    using Range = Kokkos::RangePolicy<typename MemorySpace::execution_space, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for("touch", Range(0, std::int64_t(view.size())), Fill<char>{view.data(), 0});
    Kokkos::fence();
  }

  std::map<int, View> m_slots;
};

/// The checksum of memory as it is.
template <class T>
struct MemorySum {
  const T* data;
  int output;
  KOKKOS_FUNCTION void operator()(const std::int64_t place, std::uint64_t& sum) const {
    sum += weighted(data[place], std::uint64_t(place), output);
  }
};

/// The plain loop: what each element should be.
template <class T>
struct Expected {
  Operands<T> operands;
  std::int64_t first;  ///< of the outputs, in their memory
  Operation operation;
  int inputs, outputs;

  /// Calls back with (output, offset from the first element, value) for each output of an element.
  template <class Call>
  KOKKOS_FUNCTION void element(int index, const Call& call) const {
    int offset[max_operands] = {};
    for (int axis = 0; axis < operands.loop.rank; ++axis) {
      const int at = index % operands.loop.extent[axis];
      index /= operands.loop.extent[axis];
      for (int k = 0; k <= inputs + outputs; ++k) offset[k] += at * operands.loop.stride[axis][k];
    }
    T x[max_inputs] = {}, result[2] = {};
    for (int k = 0; k < inputs; ++k) x[k] = operands.in[k][offset[k]];
    if (!operands.mask || operands.mask[offset[inputs + outputs]]) evaluate(operation, x, result);
    for (int k = 0; k < outputs; ++k) call(k, offset[inputs + k], result[k]);
  }
};
template <class T>
struct ExpectedSum {
  Expected<T> expected;
  KOKKOS_FUNCTION void operator()(const std::int64_t index, std::uint64_t& sum) const {
    expected.element(int(index), Add{sum, expected.first});
  }
  struct Add {
    std::uint64_t& sum;
    std::int64_t first;
    KOKKOS_FUNCTION void operator()(int output, int offset, const T& value) const {
      sum += weighted(value, std::uint64_t(first + offset), output);
    }
  };
};
/// The lowest index, in the order of memory, at which a result is wrong. Looks at all indices or at `samples` random ones.
template <class T>
struct FirstWrong {
  Expected<T> expected;
  bool sampled;
  KOKKOS_FUNCTION void operator()(const std::int64_t i, std::int64_t& lowest) const {
    const int size  = expected.operands.loop.size;
    const int index = sampled ? int(scrambled(std::uint64_t(i)) % std::uint64_t(size)) : int(i);
    bool wrong      = false;
    expected.element(index, Compare{wrong, expected.operands});
    if (wrong && index < lowest) lowest = index;
  }
  struct Compare {
    bool& wrong;
    const Operands<T>& operands;
    KOKKOS_FUNCTION void operator()(int output, int offset, const T& value) const {
      if (!(operands.out[output][offset] == value)) wrong = true;
    }
  };
};

template <class T>
struct Spoil {
  T* data;
  KOKKOS_FUNCTION void operator()(const std::int64_t) const { *data = T(*data + T(1)); }
};

/// The operands of one case at a time, of one value type in one memory space.
template <class MemorySpace, class T>
class Data {
  using Exec  = typename MemorySpace::execution_space;
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

 public:
  explicit Data(Pool<MemorySpace>& pool) : m_pool(pool) {}

  /// Fills the inputs and computes what the results should be.
  void load(const Case& c) {
    m_case            = c;
    const auto copied = (c.bytes() + 1) / 2;  // source and target of a copy of the same bytes
    Operands<T> operands;
    operands.loop = plain_loop(c);
    for (int k = 0; k < int(c.inputs.size()); ++k) {
      const Array& array = c.inputs[std::size_t(k)];
      T* data            = slot(k, array.span);
      Kokkos::parallel_for("fill", Range(Exec{}, 0, std::int64_t(array.span)), Fill<T>{data, k});
      operands.in[k] = data + array.first;
    }
    for (int k = 0; k < c.outputs(); ++k) operands.out[k] = slot(max_inputs + k, c.output.span) + c.output.first;
    if (c.masked()) {
      bool* mask = reinterpret_cast<bool*>(m_pool.get(max_inputs + 2, c.output.span));
      Kokkos::parallel_for("fill", Range(Exec{}, 0, std::int64_t(c.output.span)), FillMask{mask});
      operands.mask = mask + c.output.first;
    }
    m_source   = m_pool.get(max_inputs + 3, copied);
    m_target   = m_pool.get(max_inputs + 4, copied);
    m_operands = operands;
    m_checksum = 0;
    Kokkos::parallel_reduce("expect", Range(Exec{}, 0, operands.loop.size), ExpectedSum<T>{expected()}, m_checksum);
    Exec{}.fence();
  }

  const Operands<T>& operands() const { return m_operands; }
  std::uint64_t checksum() const { return m_checksum; }
  char* source() const { return m_source; }
  char* target() const { return m_target; }

  void clear_outputs() {
    for (int k = 0; k < m_case.outputs(); ++k)
      Kokkos::deep_copy(Kokkos::View<char*, MemorySpace, Kokkos::MemoryUnmanaged>(reinterpret_cast<char*>(memory(k)),
                                                                                  m_case.output.span * sizeof(T)),
                        char(0));
  }
  void spoil() {
    Kokkos::parallel_for("spoil", Range(Exec{}, 0, 1), Spoil<T>{m_operands.out[0]});
    Exec{}.fence();
  }

  /// Empty where the outputs are right, and nothing beside them was written; else what is wrong.
  std::string check() const {
    std::uint64_t sum = 0;
    for (int k = 0; k < m_case.outputs(); ++k) {
      std::uint64_t one = 0;
      Kokkos::parallel_reduce("sum", Range(Exec{}, 0, std::int64_t(m_case.output.span)), MemorySum<T>{memory(k), k},
                              one);
      sum += one;
    }
    constexpr int few  = 1 << 16;
    std::int64_t wrong = first_wrong(m_operands.loop.size > few);
    if (sum == m_checksum && wrong == none) return {};
    if (wrong == none) wrong = first_wrong(false);
    if (wrong == none) return "memory beside the output was written";
    return "element " + std::to_string(wrong) + " (in the order of memory) is wrong";
  }

 private:
  static constexpr std::int64_t none = INT64_MAX;

  T* slot(int slot, std::size_t elements) { return reinterpret_cast<T*>(m_pool.get(slot, elements * sizeof(T))); }
  T* memory(int output) const { return m_operands.out[output] - m_case.output.first; }
  Expected<T> expected() const {
    return {m_operands, std::int64_t(m_case.output.first), m_case.operation, int(m_case.inputs.size()),
            m_case.outputs()};
  }
  std::int64_t first_wrong(bool sampled) const {
    std::int64_t lowest = none;
    Kokkos::parallel_reduce("compare", Range(Exec{}, 0, sampled ? 4096 : m_operands.loop.size),
                            FirstWrong<T>{expected(), sampled}, Kokkos::Min<std::int64_t>(lowest));
    return lowest;
  }

  Pool<MemorySpace>& m_pool;
  Case m_case;
  Operands<T> m_operands;
  std::uint64_t m_checksum = 0;
  char* m_source           = nullptr;
  char* m_target           = nullptr;
};

}  // namespace KastPerf
