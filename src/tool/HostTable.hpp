// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The typed loops of `kast run` on host spaces: operation and loop type to one function over packed values. Everything else
// about a run (casts, broadcasting, threads, stores) is compiled once, in Kast's core.
#pragma once

#include <complex>

#include <Kast/impl/Elementwise.hpp>
#include <Kast/impl/HostLoop.hpp>

#include "OperationTable.hpp"

namespace Kast::Tool {

/// The loop; refused with `ErrorKind::type` where the operation has none for these types.
Impl::InnerLoop host_loop(const Operation& operation, const LoopTypes& types);

/// A function of complex numbers as the C library has it, which is what NumPy calls: it minds infinities and signed zeros
/// that the formulas for devices do not.
template <class F>
struct LibraryFunction {
  template <class T>
  Kokkos::complex<T> operator()(const Kokkos::complex<T>& value) const {
    const std::complex<T> result = F{}(std::complex<T>(value.real(), value.imag()));
    return {result.real(), result.imag()};
  }
};

/// Entries are loops over packed values.
struct HostTable {
  using Entry = Impl::InnerLoop;

  template <class T>
  static constexpr bool takes = true;

  template <class Result, class... In, class F>
  static Entry make(const Ufunc<F, int(sizeof...(In))>&) {
    return &Impl::TypedLoop<F, Impl::TypeList<In...>, Impl::TypeList<Result>>::run;
  }

  template <class T>
  static Entry make_complex(Op op) {
    constexpr auto sqrt = [](auto z) { return std::sqrt(z); };
    constexpr auto exp  = [](auto z) { return std::exp(z); };
    constexpr auto log  = [](auto z) { return std::log(z); };
    constexpr auto sin  = [](auto z) { return std::sin(z); };
    constexpr auto cos  = [](auto z) { return std::cos(z); };
    constexpr auto tanh = [](auto z) { return std::tanh(z); };
    const auto library  = [](auto f) { return make<T, T>(Ufunc<LibraryFunction<decltype(f)>, 1>{}); };
    switch (op) {
      case Op::sqrt: return library(sqrt);
      case Op::exp: return library(exp);
      case Op::log: return library(log);
      case Op::sin: return library(sin);
      case Op::cos: return library(cos);
      case Op::tanh: return library(tanh);
      default: return nullptr;
    }
  }
};

extern template Impl::InnerLoop arithmetic_entry<HostTable>(Op, DType);
extern template Impl::InnerLoop math_entry<HostTable>(Op, DType);
extern template Impl::InnerLoop predicate_entry<HostTable>(Op, DType, DType);
extern template Impl::InnerLoop bit_entry<HostTable>(Op, DType);
extern template Impl::InnerLoop move_entry<HostTable>(Op, DType);

}  // namespace Kast::Tool
