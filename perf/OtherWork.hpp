// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kast's implementations of the operations beside multiply.
#pragma once

#include <Kast/Math.hpp>

#include "KastWork.hpp"
#include "Works.hpp"

namespace KastPerf {

template <class T>
struct Five {
  KOKKOS_FUNCTION T operator()(T a, T b, T c, T d, T e) const { return a * b + c * d + e; }
};
template <class T>
struct Two {
  KOKKOS_FUNCTION void operator()(T a, T b, T& product, T& sum) const {
    product = a * b;
    sum     = a + b;
  }
};

template <class Exec, class T>
Work OtherWork<Exec, T>::make(const Case& c, const Operands<T>& operands) {
  const KastOperands<T, typename Exec::memory_space> k(c, operands);
  const Exec exec{};
  switch (c.operation) {
    case Operation::masked: return [=] { Kast::multiply(exec, k.in[0], k.in[1], k.out[0], Kast::where(k.mask)); };
    case Operation::fma: return [=] { Kast::fma(exec, k.in[0], k.in[1], k.in[2], k.out[0]); };
    case Operation::five: {
      constexpr auto five = Kast::vectorize(Five<T>{});
      return [=] { five(exec, k.in[0], k.in[1], k.in[2], k.in[3], k.in[4], k.out[0]); };
    }
    case Operation::two: {
      constexpr auto two = Kast::vectorize<2, 2>(Two<T>{});
      return [=] { two(exec, k.in[0], k.in[1], k.out[0], k.out[1]); };
    }
    default: return {};
  }
}

}  // namespace KastPerf
