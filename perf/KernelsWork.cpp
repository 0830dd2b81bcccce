// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KokkosBlas::mult, y(i) = a(i) * x(i) and y(i,j) = a(i) * x(i,j): two patterns.
#include <Kokkos_Core.hpp>

#include "Spaces.hpp"
#include "Works.hpp"

#ifdef KAST_HAVE_KOKKOS_KERNELS
#include <KokkosBlas1_mult.hpp>
#endif

namespace KastPerf {

bool has_kernels([[maybe_unused]] const Case& c) {
#ifdef KAST_HAVE_KOKKOS_KERNELS
  return c.type == Type::f64 && c.layout != "right-left" && (c.op == "multiply.flat" || c.op == "multiply.column");
#else
  return false;
#endif
}

#ifdef KAST_HAVE_KOKKOS_KERNELS
namespace {

template <class Exec, class Layout>
Work column_work(const Case& c, const Operands<double>& operands) {
  using Space  = typename Exec::memory_space;
  using Matrix = Kokkos::View<double**, Layout, Space, Kokkos::MemoryUnmanaged>;
  using Input  = Kokkos::View<const double**, Layout, Space, Kokkos::MemoryUnmanaged>;
  using Vector = Kokkos::View<const double*, Layout, Space, Kokkos::MemoryUnmanaged>;
  const auto n = c.output.extents[0], rest = c.output.size() / n;
  const Matrix y(operands.out[0], n, rest);
  const Input x(operands.in[1], n, rest);
  const Vector a(operands.in[0], n);
  return [=] { KokkosBlas::mult(Exec{}, 0.0, y, 1.0, a, x); };
}

template <class Exec>
Work flat_work(const Case& c, const Operands<double>& operands) {
  using Space  = typename Exec::memory_space;
  using Input  = Kokkos::View<const double*, Space, Kokkos::MemoryUnmanaged>;
  const auto n = c.output.size();
  const Kokkos::View<double*, Space, Kokkos::MemoryUnmanaged> y(operands.out[0], n);
  const Input a(operands.in[0], n), x(operands.in[1], n);
  return [=] { KokkosBlas::mult(Exec{}, 0.0, y, 1.0, a, x); };
}

}  // namespace
#endif

template <class Exec>
Work KernelsWork<Exec>::make([[maybe_unused]] const Case& c, [[maybe_unused]] const Operands<double>& operands) {
#ifdef KAST_HAVE_KOKKOS_KERNELS
  if (c.op == "multiply.flat") return flat_work<Exec>(c, operands);
  if (c.layout == "left") return column_work<Exec, Kokkos::LayoutLeft>(c, operands);
  return column_work<Exec, Kokkos::LayoutRight>(c, operands);
#else
  return {};
#endif
}

#define KAST_PERF_INSTANTIATE(Exec) template struct KernelsWork<Exec>;
KAST_PERF_FOR_SPACES(KAST_PERF_INSTANTIATE)

}  // namespace KastPerf
