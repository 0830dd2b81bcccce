// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases of kast_hash: patterns of broadcasting and memory, and how one case runs and is hashed. Element values depend on
// the logical index alone, so that a hash depends on pattern, type and operation, and not on layout or form.
#pragma once

#include <bit>
#include <cstdio>
#include <string>
#include <vector>

#include <Kast/Math.hpp>

#include "TestArrays.hpp"

namespace KastHash {

using Kast::Extents;
using Kast::Strides;
using KastTest::Array;
using KastTest::Complex;
using KastTest::Placement;

/// How an array lies in memory, beside its layout.
enum class Walk { dense, padded, strided, reversed, transposed };

/// Shapes of the loop and of up to five inputs (used in turn), and how inputs and outputs are walked.
struct Pattern {
  const char* name;
  Extents loop;
  std::vector<Extents> inputs;
  Walk input_walk  = Walk::dense;
  Walk output_walk = Walk::dense;
};

/// All patterns; the first is the story's.
const std::vector<Pattern>& patterns();

enum class Layout { right, left, mixed };  ///< mixed: inputs right, outputs left
inline const char* name_of(Layout layout) {
  return layout == Layout::right ? "right" : layout == Layout::left ? "left" : "mixed";
}

Placement placement(const Extents& extents, Kast::Order order, Walk walk);

/// FNV-1a, 64 bits. NaNs are all alike: their bits differ between processors.
class Hash {
 public:
  template <class T>
  void add(const T& value) {
    if constexpr (Kast::Impl::is_complex_v<T>) {
      add(value.real());
      add(value.imag());
    } else if constexpr (std::is_same_v<T, double>) {
      add_bytes(value != value ? ~std::uint64_t(0) : std::bit_cast<std::uint64_t>(value), 8);
    } else if constexpr (std::is_same_v<T, float>) {
      add_bytes(value != value ? ~std::uint32_t(0) : std::bit_cast<std::uint32_t>(value), 4);
    } else {
      add_bytes(static_cast<std::uint64_t>(value), sizeof(T));
    }
  }
  std::uint64_t value() const { return m_value; }

 private:
  void add_bytes(std::uint64_t bits, std::size_t count) {
    for (std::size_t byte = 0; byte < count; ++byte)
      m_value = (m_value ^ ((bits >> (8 * byte)) & 255)) * 0x100000001b3u;
  }
  std::uint64_t m_value = 0xcbf29ce484222325u;
};

/// Fills an array in logical order, whatever its strides.
template <class T, class Space>
void fill_by_index(Array<T, Space>& array, std::uint64_t salt) {
  std::uint64_t count = salt << 40;
  KastTest::for_each_index(array.place.extents, [&](const Extents& index) {
    std::uint64_t h = ++count * 0x9e3779b97f4a7c15u;
    h               = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
    array.at(index) = KastTest::value_from<T>(h ^ (h >> 32));
  });
  array.upload();
}

/// Which forms of the kernels a case runs: default and MDRangePolicy, or the one that nvcc compiles in a quarter of the time.
enum class Forms { compact, both };

/// One case: a line for each form. `Out` holds the results.
template <class Space, class T, class Out, int Inputs, int Outputs, bool Masked, Forms forms, class U>
void run_case(const Pattern& pattern, Layout layout, const std::string& operation, const U& ufunc) {
  const auto in_order  = layout == Layout::left ? Kast::Order::left : Kast::Order::right;
  const auto out_order = layout == Layout::right ? Kast::Order::right : Kast::Order::left;
  std::vector<Array<T, Space>> inputs;
  for (int k = 0; k < Inputs; ++k) {
    inputs.emplace_back(placement(pattern.inputs[std::size_t(k) % pattern.inputs.size()], in_order,
                                  k == 0 ? pattern.input_walk : Walk::dense));
    fill_by_index(inputs.back(), std::uint64_t(k + 1));
  }
  Array<bool, Space> mask(placement(Masked ? pattern.inputs[0] : Extents{}, in_order, Walk::dense));
  fill_by_index(mask, 90);

  const auto run = [&]<std::size_t... I, std::size_t... O>(const char* form, std::index_sequence<I...>,
                                                           std::index_sequence<O...>, const auto&... options) {
    std::vector<Array<Out, Space>> outputs;
    for (int k = 0; k < Outputs; ++k) {
      outputs.emplace_back(placement(pattern.loop, out_order, pattern.output_walk));
      fill_by_index(outputs.back(), std::uint64_t(k + 70));
    }
    if constexpr (Masked) {
      ufunc(Space{}, inputs[I].template argument<8>()..., outputs[O].template argument<8>()...,
            Kast::where(mask.template argument<8>()), options...);
    } else {
      ufunc(Space{}, inputs[I].template argument<8>()..., outputs[O].template argument<8>()..., options...);
    }
    Space{}.fence();
    Hash hash;
    for (auto& out : outputs) {
      out.download();
      KastTest::for_each_index(out.place.extents, [&](const Extents& index) { hash.add(out.at(index)); });
    }
    std::printf("%s %s %s %s %s %016llx\n", pattern.name, name_of(layout), KastTest::value_name<T>().c_str(),
                operation.c_str(), form, static_cast<unsigned long long>(hash.value()));
  };
  constexpr auto in_sequence  = std::make_index_sequence<Inputs>{};
  constexpr auto out_sequence = std::make_index_sequence<Outputs>{};
  if constexpr (forms == Forms::both) {
    run("default", in_sequence, out_sequence);
    run("mdrange", in_sequence, out_sequence, Kast::Experimental::policy::mdrange);
  } else {
    run("compact", in_sequence, out_sequence, Kast::Experimental::policy::compact);
  }
}

/// One operation on the patterns that show most: the story's, an outer product, and transposed operands.
template <class Space, class T, class Out, int Inputs, Forms forms = Forms::compact, class U>
void run_operation(const char* operation, const U& ufunc) {
  for (const Pattern& pattern : patterns()) {
    const std::string name = pattern.name;
    if (name == "row") run_case<Space, T, Out, Inputs, 1, false, forms>(pattern, Layout::right, operation, ufunc);
    if (name == "outer") run_case<Space, T, Out, Inputs, 1, false, forms>(pattern, Layout::left, operation, ufunc);
    if (name == "transposed")
      run_case<Space, T, Out, Inputs, 1, false, forms>(pattern, Layout::mixed, operation, ufunc);
  }
}

/// The cases of real and of other value types, each in a source file of its own.
template <class Space>
void run_patterns();
template <class Space>
void run_real();
template <class Space>
void run_others();

}  // namespace KastHash

/// Instantiates a template function for every space of the build.
#ifdef KOKKOS_ENABLE_SERIAL
#define KAST_HASH_SERIAL(function) template void function<Kokkos::Serial>();
#else
#define KAST_HASH_SERIAL(function)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define KAST_HASH_OPENMP(function) template void function<Kokkos::OpenMP>();
#else
#define KAST_HASH_OPENMP(function)
#endif
#ifdef KOKKOS_ENABLE_THREADS
#define KAST_HASH_THREADS(function) template void function<Kokkos::Threads>();
#else
#define KAST_HASH_THREADS(function)
#endif
#ifdef KOKKOS_ENABLE_CUDA
#define KAST_HASH_CUDA(function) template void function<Kokkos::Cuda>();
#else
#define KAST_HASH_CUDA(function)
#endif
#define KAST_HASH_ON_ALL_SPACES(function) \
  KAST_HASH_SERIAL(function) KAST_HASH_OPENMP(function) KAST_HASH_THREADS(function) KAST_HASH_CUDA(function)
