// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call knows of a function object: its arity, its parameter types, its name in messages and kernel labels.
#pragma once

#include <Kokkos_Core.hpp>

#include <string>
#include <string_view>

#include <Kast/impl/StrictFp.hpp>
#include <Kast/impl/Values.hpp>

namespace Kast::Impl {
KAST_IMPL_FP_BEGIN

template <class F>
concept HasOneCallOperator = requires {
  &F::operator();
};

template <class Member>
struct MemberSignature;
template <class R, class C, class... A>
struct MemberSignature<R (C::*)(A...) const> {
  static constexpr int arity = int(sizeof...(A));
  using parameters           = TypeList<A...>;
};
template <class R, class C, class... A>
struct MemberSignature<R (C::*)(A...) const noexcept> : MemberSignature<R (C::*)(A...) const> {};

template <class F>
using CallOperator = MemberSignature<decltype(&F::operator())>;

/// A function with its types fixed.
template <class F, class Signature>
struct Typed;
template <class F, class R, class... A>
struct Typed<F, R(A...)> {
  static constexpr int arity = int(sizeof...(A));
  F f;  // never [[no_unique_address]]: nvcc's device side then reads operands from the wrong place
  KOKKOS_FUNCTION R operator()(A... arguments) const { return f(arguments...); }
};

/// What `vectorize` makes of a function whose types it cannot see.
template <class F>
struct Untyped {
  F f;

  template <class Signature>
  constexpr auto types() const;

  template <class... Arguments>
  void operator()(const Arguments&...) const {
    static_assert(
        sizeof...(Arguments) > 1000,
        "Kast::vectorize: this function's call operator is a template or overloaded (generic lambdas are); name its "
        "types: vectorize(f).types<double(double, double)>()");
  }
};

/// `Kast::multiply`, ... for functions that carry a name, else `Kast::vectorize`.
template <class F>
constexpr std::string_view function_name() {
  if constexpr (requires { F::name; }) return F::name;
  else return "Kast::vectorize";
}
/// What explain() says about a function on an execution space; empty where there is nothing to say.
template <class F, bool OnHost>
constexpr std::string_view function_advice() {
#if defined(__CUDACC_EXTENDED_LAMBDA__)
  // nvcc wraps such a lambda for hosts in a call that compilers cannot inline.
  if (OnHost && __nv_is_extended_host_device_lambda_closure_type(F))
    return "the function is a __host__ __device__ lambda, which runs about five times slower on host spaces of a CUDA "
           "build; "
           "write a functor at namespace scope";
#endif
  return {};
}
/// The label of its kernels: made once, since Kokkos takes a std::string and long ones would allocate at each launch.
template <class F>
const std::string& function_label() {
  static const std::string label(function_name<F>());
  return label;
}

KAST_IMPL_FP_END
}  // namespace Kast::Impl
