// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that may follow a call's operands, as types, and what a call reads of them at compile time.
#pragma once

#include <type_traits>

#include <Kast/Plan.hpp>

namespace Kast::Impl {

struct Option {};

template <class Mask>
struct Where : Option {
  Mask mask;
  Where(const Mask& m) : mask(m) {}
};

struct Unsafe : Option {};

template <OverlapRule Rule>
struct OverlapOption : Option {};

/// How a call is launched: the form measured fastest, MDRangePolicy, or, on devices, two kernels that serve every plan, for
/// programs that instantiate hundreds of operations.
enum class Form { fastest, mdrange, compact };
template <Form F>
struct FormOption : Option {};

template <class T>
inline constexpr bool is_option_v = std::is_base_of_v<Option, T>;

/// The options of one call as compile-time facts.
template <class... T>
struct Options {
  using mask_type                      = void;
  static constexpr bool masked         = false;
  static constexpr int mask_rank       = 0;
  static constexpr bool is_unsafe      = false;
  static constexpr OverlapRule overlap = OverlapRule::refuse;
  static constexpr Form form           = Form::fastest;
};
template <class Mask, class... Rest>
struct Options<Where<Mask>, Rest...> : Options<Rest...> {
  static_assert(!Options<Rest...>::masked, "Kast: one mask a call");
  using mask_type                = Mask;
  static constexpr bool masked   = true;
  static constexpr int mask_rank = OperandTraits<Mask>::rank;
};
template <class... Rest>
struct Options<Unsafe, Rest...> : Options<Rest...> {
  static constexpr bool is_unsafe = true;
};
template <OverlapRule Rule, class... Rest>
struct Options<OverlapOption<Rule>, Rest...> : Options<Rest...> {
  static constexpr OverlapRule overlap = Rule;
};
template <Form F, class... Rest>
struct Options<FormOption<F>, Rest...> : Options<Rest...> {
  static constexpr Form form = F;
};

}  // namespace Kast::Impl
