// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Universal functions: a scalar function plus the broadcasting rule, called on Views and numbers. `vectorize` makes one of
// any scalar function; Math.hpp has the usual ones ready.
#pragma once

#include <Kokkos_Core.hpp>

#include <tuple>

#include <Kast/Operand.hpp>
#include <Kast/Plan.hpp>
#include <Kast/impl/Call.hpp>
#include <Kast/impl/StrictFp.hpp>

namespace Kast {

/// Computes only where `mask` holds. The mask is an array of bool that broadcasts like one more input. Outputs keep their
/// old elements elsewhere; results that the call allocates hold zeros there.
template <class Mask>
Impl::Where<Mask> where(const Mask& mask) {
  using Traits = Impl::OperandTraits<Mask>;
  static_assert(Impl::check_operand_types<Mask>());
  static_assert(!Traits::is_number && std::is_same_v<std::remove_cv_t<typename Traits::element_type>, bool>,
                "Kast::where: a mask is an array of bool");
  return {mask};
}

/// Outputs take results of any type that C++ converts, beyond NumPy's same-kind rule.
inline constexpr Impl::Unsafe unsafe{};

namespace overlap {
/// An output that shares memory with another operand is computed into one temporary and copied back.
inline constexpr Impl::OverlapOption<OverlapRule::copy> copy{};
/// The caller knows that operands are disjoint, or that it does not matter; nothing is checked.
inline constexpr Impl::OverlapOption<OverlapRule::none> none{};
}  // namespace overlap

namespace Experimental::policy {
/// The MDRangePolicy form of the strategy, on every space.
inline constexpr Impl::FormOption<Impl::Form::mdrange> mdrange{};
/// Two kernels an operation on devices instead of nine: a quarter of the compile time, at some of the speed.
inline constexpr Impl::FormOption<Impl::Form::compact> compact{};
}  // namespace Experimental::policy

KAST_IMPL_FP_BEGIN

/// A scalar function over broadcast operands. `Inputs` and `Outputs` count its arguments.
///
/// `ufunc(exec, inputs..., outputs..., options...)` launches once on `exec` and returns at once like Kokkos::parallel_for.
/// `ufunc(exec, inputs..., options...)` allocates the outputs and returns them: a View, or a tuple of Views, of the broadcast
/// shape. Without `exec` the first output's execution space is used, else the first View's.
/// Options: Kast::where, Kast::unsafe, Kast::overlap::copy, Kast::overlap::none, Kast::Experimental::policy::mdrange.
///
/// Refuses (Kast::Error) before anything is launched or written: shapes that do not broadcast (NumPy's rule), outputs that
/// would be stretched, outputs that overlap (design in Plan.hpp), sizes past 2^63 - 1. What types decide does not compile.
template <class F, int Inputs, int Outputs = 1>
class Ufunc {
 public:
  using function_type          = F;
  static constexpr int inputs  = Inputs;
  static constexpr int outputs = Outputs;

  constexpr Ufunc() = default;
  constexpr explicit Ufunc(F f) : m_f(f) {}

  constexpr const F& function() const { return m_f; }

  template <class... Arguments>
  auto operator()(const Arguments&... arguments) const {
    return Impl::Call<Ufunc, Arguments...>::run(*this, arguments...);
  }

  /// The Plan of this call; see Kast::plan.
  template <class... Arguments>
  Plan plan(const Arguments&... arguments) const {
    return Impl::Call<Ufunc, Arguments...>::plan(*this, arguments...);
  }

  /// The call, ready to be launched again and again; see Kast::prepare.
  template <class... Arguments>
  auto prepare(const Arguments&... arguments) const {
    return Impl::Call<Ufunc, Arguments...>::prepare(*this, arguments...);
  }

  /// The same function with its types fixed: needed where the call operator is a template or overloaded.
  template <class Signature>
  constexpr auto types() const {
    using Typed = Impl::Typed<F, Signature>;
    return Ufunc<Typed, Typed::arity, Outputs>(Typed{m_f});
  }

 private:
  [[no_unique_address]] F m_f{};
};

/// Plan and operands of a call together: `job()` launches it, again and again; `job.plan()` is its Plan. Views are kept alive.
/// `job.policy()` and `job.functor()` feed a Kokkos graph. Outputs must be given. An execution space instance may come first.
template <class Operation, class... Arguments>
requires requires { Operation::inputs; }
auto prepare(const Operation& operation, const Arguments&... arguments) { return operation.prepare(arguments...); }
template <class ExecutionSpace, class Operation, class... Arguments>
requires Kokkos::is_execution_space_v<ExecutionSpace>
auto prepare(const ExecutionSpace& exec, const Operation& operation, const Arguments&... arguments) {
  return operation.prepare(exec, arguments...);
}

/// A ufunc from a function object with one call operator, `R operator()(A...) const`: functors at namespace scope, or lambdas
/// with named parameter types. Where the call operator is a template or overloaded, follow with `.types<R(A...)>()`.
template <class F>
constexpr auto vectorize(F f) {
  if constexpr (Impl::HasOneCallOperator<F>) {
    return Ufunc<F, Impl::CallOperator<F>::arity, 1>(f);
  } else {
    return Impl::Untyped<F>{f};
  }
}

/// A ufunc with `Inputs` arguments and `Outputs` results. With one result `f` may return it; with several it takes
/// references to them after the inputs: `f(in..., out&...)`. Results start value-initialized.
template <int Inputs, int Outputs, class F>
constexpr auto vectorize(F f) {
  static_assert(Inputs >= 0 && Outputs >= 1 && Inputs + Outputs < max_operands,
                "Kast::vectorize: a ufunc has at least one output and at most 16 operands");
  return Ufunc<F, Inputs, Outputs>(f);
}

KAST_IMPL_FP_END
}  // namespace Kast

namespace Kast::Impl {
KAST_IMPL_FP_BEGIN

template <class F>
template <class Signature>
constexpr auto Untyped<F>::types() const {
  using Fixed = Typed<F, Signature>;
  return Ufunc<Fixed, Fixed::arity, 1>(Fixed{f});
}

KAST_IMPL_FP_END
}  // namespace Kast::Impl
