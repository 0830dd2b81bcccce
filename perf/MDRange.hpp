// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MDRangePolicy of rank 3 as people write it: Kokkos' defaults, Views indexed in the body. For operands of one layout.
#pragma once

#include <Kokkos_Core.hpp>

#include "Works.hpp"

namespace KastPerf {

/// Which of the three indices the first operand has.
enum class Indexed { all, last_two, first, outer_two, none };

template <class Out, class A, class B, Indexed indexed>
struct MDRangeBody {
  Out out;
  A a;
  B b;
  KOKKOS_FUNCTION void operator()(const int i, const int j, const int k) const {
    using T = typename Out::value_type;
    if constexpr (indexed == Indexed::all) out(i, j, k) = T(a(i, j, k) * b(i, j, k));
    if constexpr (indexed == Indexed::last_two) out(i, j, k) = T(a(j, k) * b(i, j, k));
    if constexpr (indexed == Indexed::first) out(i, j, k) = T(a(i) * b(i, j, k));
    if constexpr (indexed == Indexed::outer_two) out(i, j, k) = T(a(i, k) * b(i, j, k));
    if constexpr (indexed == Indexed::none) out(i, j, k) = T(a() * b(i, j, k));
  }
};

template <class Exec, class T, class Layout, Indexed indexed, class Data>
Work mdrange_work(const Case& c, const Operands<T>& operands) {
  using Space      = typename Exec::memory_space;
  using Full       = Kokkos::View<T***, Layout, Space, Kokkos::MemoryUnmanaged>;
  using Input      = Kokkos::View<const T***, Layout, Space, Kokkos::MemoryUnmanaged>;
  using First      = Kokkos::View<Data, Layout, Space, Kokkos::MemoryUnmanaged>;
  const auto n     = [&](int axis) { return int(c.output.extents[axis]); };
  const auto first = [&] {
    if constexpr (indexed == Indexed::all) return First(operands.in[0], n(0), n(1), n(2));
    else if constexpr (indexed == Indexed::last_two) return First(operands.in[0], n(1), n(2));
    else if constexpr (indexed == Indexed::first) return First(operands.in[0], n(0));
    else if constexpr (indexed == Indexed::outer_two) return First(operands.in[0], n(0), n(2));
    else return First(operands.in[0]);
  }();
  using Body = MDRangeBody<Full, First, Input, indexed>;
  const Body body{Full(operands.out[0], n(0), n(1), n(2)), first, Input(operands.in[1], n(0), n(1), n(2))};
  const Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>> policy(Exec{}, {0, 0, 0}, {n(0), n(1), n(2)});
  return [=] { Kokkos::parallel_for("mdrange", policy, body); };
}

template <class Exec, class T, class Layout>
Work mdrange_work_of_layout(const Case& c, const Operands<T>& operands) {
  if (c.op == "multiply") return mdrange_work<Exec, T, Layout, Indexed::last_two, const T**>(c, operands);
  if (c.op == "multiply.flat") return mdrange_work<Exec, T, Layout, Indexed::all, const T***>(c, operands);
  if (c.op == "multiply.column") return mdrange_work<Exec, T, Layout, Indexed::first, const T*>(c, operands);
  if (c.op == "multiply.middle") return mdrange_work<Exec, T, Layout, Indexed::outer_two, const T**>(c, operands);
  return mdrange_work<Exec, T, Layout, Indexed::none, const T>(c, operands);
}

template <class Exec, class T>
Work MDRangeWork<Exec, T>::make(const Case& c, const Operands<T>& operands) {
  if (c.layout == "left") return mdrange_work_of_layout<Exec, T, Kokkos::LayoutLeft>(c, operands);
  return mdrange_work_of_layout<Exec, T, Kokkos::LayoutRight>(c, operands);
}

}  // namespace KastPerf
