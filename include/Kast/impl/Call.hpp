// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call of a ufunc: its arguments sorted into execution space, operands and options, checked at compile time, described,
// planned and launched. Data flows one way: arguments, operands, Plan, launch.
#pragma once

#include <Kokkos_Core.hpp>

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <Kast/Error.hpp>
#include <Kast/Operand.hpp>
#include <Kast/Plan.hpp>
#include <Kast/impl/Functions.hpp>
#include <Kast/impl/Job.hpp>
#include <Kast/impl/Launch.hpp>
#include <Kast/impl/Options.hpp>
#include <Kast/impl/Results.hpp>
#include <Kast/impl/StrictFp.hpp>

namespace Kast::Impl {
KAST_IMPL_FP_BEGIN

inline void check_initialized(std::string_view function) {
  if (Kokkos::is_initialized() && !Kokkos::is_finalized()) return;
  throw Error(ErrorKind::state, std::string(function) + ": Kokkos is not initialized" +
                                    (Kokkos::is_finalized() ? " any more" : "; call Kokkos::initialize first"));
}

template <class T>
auto accessor_for(const T& argument) {
  using Element = std::remove_const_t<typename OperandTraits<T>::element_type>;
  if constexpr (OperandTraits<T>::is_number) return FromValue<Element>{argument};
  else if constexpr (Kokkos::is_view_v<T>) return FromMemory<Element>{argument.data()};
  else return FromMemory<Element>{argument.data};
}
template <class T>
auto pointer_to(const T& argument) {
  if constexpr (Kokkos::is_view_v<T>) return argument.data();
  else return argument.data;
}

template <class U, class... Arguments>
class Call {
  using F = typename U::function_type;

  static constexpr int has_exec = [] {
    if constexpr (sizeof...(Arguments) == 0) return 0;
    else return int(Kokkos::is_execution_space_v<std::tuple_element_t<0, std::tuple<Arguments...>>>);
  }();
  static constexpr int option_count   = (0 + ... + int(is_option_v<Arguments>));
  static constexpr int operand_count  = int(sizeof...(Arguments)) - has_exec - option_count;
  static constexpr bool gives_outputs = operand_count == U::inputs + U::outputs;
  static_assert(
      gives_outputs || operand_count == U::inputs,
      "Kast: wrong number of operands; a call takes the inputs, then all outputs or none, then options, with an "
      "execution space instance first or left out");
  static_assert(operand_count <= max_operands - 1, "Kast: a call takes at most 15 operands and a mask");

  template <std::size_t K>
  using Argument = std::tuple_element_t<K, std::tuple<Arguments...>>;
  template <std::size_t I>
  using Input = Argument<has_exec + I>;
  template <std::size_t O>
  using Output = Argument<has_exec + U::inputs + O>;

  using InputSequence  = std::make_index_sequence<U::inputs>;
  using OutputSequence = std::make_index_sequence<U::outputs>;

  // Options must stand last: operands come before, so any option found among them is a wrong order.
  static constexpr bool ordered = [] {
    bool seen = false, good = true;
    ((good = good && (!seen || is_option_v<Arguments>), seen = seen || is_option_v<Arguments>), ...);
    return good;
  }();
  static_assert(ordered, "Kast: options such as Kast::where come after all operands");

  template <std::size_t... K>
  static constexpr auto operand_types(std::index_sequence<K...>) {
    return TypeList<Argument<has_exec + K>...>{};
  }
  template <std::size_t... K>
  static constexpr auto option_types(std::index_sequence<K...>) {
    return Options<Argument<has_exec + operand_count + K>...>{};
  }
  using Operands = decltype(operand_types(std::make_index_sequence<operand_count>{}));
  static_assert([]<class... T>(TypeList<T...>) { return check_operand_types<T...>(); }(Operands{}));
  using Opts = decltype(option_types(std::make_index_sequence<option_count>{}));

  // The execution space: given, else the first output's, else the first View's.
  template <class... T>
  static auto first_space(TypeList<T...>) {
    using Found = decltype(first_space_of<T...>());
    return Found{};
  }
  template <class T, class... Rest>
  static auto first_space_of() {
    using Space = typename OperandTraits<T>::execution_space;
    if constexpr (!std::is_void_v<Space>) return std::type_identity<Space>{};
    else if constexpr (sizeof...(Rest) > 0) return first_space_of<Rest...>();
    else return std::type_identity<void>{};
  }
  template <std::size_t... I, std::size_t... O>
  static auto exec_type(std::index_sequence<I...>, std::index_sequence<O...>) {
    if constexpr (has_exec) return std::type_identity<Argument<0>>{};
    else if constexpr (gives_outputs) return first_space(TypeList<Output<O>..., Input<I>...>{});
    else return first_space(TypeList<Input<I>...>{});
  }

  using FoundExec = typename decltype(exec_type(InputSequence{}, OutputSequence{}))::type;
  static_assert(!std::is_void_v<FoundExec>,
                "Kast: numbers and bare pointers do not say where to run; pass an execution space instance first");
  using Exec = std::conditional_t<std::is_void_v<FoundExec>, Kokkos::DefaultHostExecutionSpace, FoundExec>;

  template <std::size_t... I>
  static auto results_type(std::index_sequence<I...>) {
    return Results<F, U::outputs, compute_t<typename OperandTraits<Input<I>>::element_type>...>{};
  }
  using ResultTypes = decltype(results_type(InputSequence{}));

  template <class T>
  static constexpr void check_reach() {
    using Space = typename OperandTraits<T>::memory_space;
    if constexpr (!OperandTraits<T>::is_number) {
      static_assert(
          Kokkos::SpaceAccessibility<Exec, Space>::accessible,
          "Kast: the execution space of this call cannot reach the memory space of an operand; copy the operand "
          "there first (Kokkos::create_mirror_view_and_copy), or pass another execution space");
      static_assert(sizeof(typename OperandTraits<T>::element_type) <= 4096, "Kast: a value has at most 4096 bytes");
      static_assert(std::is_trivially_copyable_v<std::remove_cv_t<typename OperandTraits<T>::element_type>>,
                    "Kast: values must be trivially copyable");
    }
  }
  template <class T, std::size_t O, std::size_t... I>
  static constexpr void check_output(std::index_sequence<I...>) {
    using Traits = OperandTraits<T>;
    static_assert(!Traits::is_number, "Kast: an output is an array, not a number");
    using Element = typename Traits::element_type;
    static_assert(!std::is_const_v<Element>, "Kast: an output must not be const");
    if constexpr (ResultTypes::returns) {
      using Result = typename ResultTypes::template type<O>;
      constexpr bool all_unsigned =
          ((kind_of<compute_t<typename OperandTraits<Input<I>>::element_type>>() <= Kind::unsigned_integer) && ...);
      static_assert(
          Opts::is_unsafe || accepts<Result, std::remove_cv_t<Element>, all_unsigned>(),
          "Kast: the output's value type does not accept the result under the same-kind rule (a wider kind into a "
          "narrower one); pass Kast::unsafe to convert all the same");
    }
  }
  template <std::size_t... I, class... Out>
  static constexpr void check_function(std::index_sequence<I...>, TypeList<Out...>) {
    static_assert(
        ResultTypes::returns ||
            std::is_invocable_v<const F&, compute_t<typename OperandTraits<Input<I>>::element_type>...,
                                compute_t<Out>&...>,
        "Kast: the function cannot be called with the operands' value types; inputs come by value, then, with "
        "several outputs, a reference to each output's value");
  }

  template <class Tuple>
  static auto exec_from(const U&, const Tuple& arguments) {
    check_initialized(function_name<F>());
    if constexpr (has_exec) return std::get<0>(arguments);
    else return Exec{};
  }
  template <class Tuple>
  static const auto& mask_from(const Tuple& arguments) {
    return find_mask<has_exec + operand_count>(arguments).mask;
  }
  template <std::size_t K, class Tuple>
  static const auto& find_mask(const Tuple& arguments) {
    if constexpr (requires { std::get<K>(arguments).mask; }) return std::get<K>(arguments);
    else return find_mask<K + 1>(arguments);
  }

  // Descriptions of all operands and the request made of them. `outputs` is a tuple of arrays, or empty before allocation.
  template <class Tuple, class Outputs>
  static void describe_all(const Exec& exec, const Tuple& arguments, const Outputs& outputs, Operand* operands,
                           PlanRequest& request) {
    constexpr int output_count = int(std::tuple_size_v<Outputs>);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((operands[I] = describe(std::get<has_exec + I>(arguments))), ...);
    }
    (InputSequence{});
    [&]<std::size_t... O>(std::index_sequence<O...>) {
      ((operands[U::inputs + O] = describe(std::get<O>(outputs))), ...);
    }
    (std::make_index_sequence<output_count>{});
    int count = U::inputs + output_count;
    if constexpr (Opts::masked) operands[count++] = describe(mask_from(arguments));
    request.function = function_name<F>();
    request.operands = {operands, std::size_t(count)};
    request.inputs   = U::inputs;
    request.outputs  = output_count;
    request.masked   = Opts::masked;
    request.overlap  = Opts::overlap;
    request.target   = target_of(exec);
    request.advice   = function_advice<F, is_host_space_v<Exec>>();
  }

  // The outputs: references to those given, or new Views.
  template <class Tuple>
  static auto outputs_of(const Exec& exec, const Tuple& arguments) {
    return [&]<std::size_t... O>(std::index_sequence<O...>) {
      if constexpr (gives_outputs) {
        return std::tie(std::get<has_exec + U::inputs + O>(arguments)...);
      } else {
        Operand operands[U::inputs + 1];
        PlanRequest request;
        describe_all(exec, arguments, std::tuple<>{}, operands, request);
        const Extents extents = loop_extents(request);
        (check_countable(function_name<F>(), extents, sizeof(typename ResultTypes::template type<O>)), ...);
        using Place = decltype(result_place(InputSequence{}));
        return std::tuple(allocate<ResultView<typename ResultTypes::template type<O>, Place>>(exec, function_label<F>(),
                                                                                              extents,
                                                                                              Opts::masked)...);
      }
    }
    (OutputSequence{});
  }
  template <std::size_t... I>
  static auto result_place(std::index_sequence<I...>) -> ResultPlace<Exec, Opts::mask_rank, Input<I>...>;

  template <class Outputs>
  static constexpr void check(const Outputs&) {
    [&]<std::size_t... I, std::size_t... O>(std::index_sequence<I...>, std::index_sequence<O...>) {
      (check_reach<Input<I>>(), ...);
      check_function(
          InputSequence{},
          TypeList<std::remove_cv_t<
              typename OperandTraits<std::remove_cvref_t<std::tuple_element_t<O, Outputs>>>::element_type>...>{});
      (check_output<std::remove_cvref_t<std::tuple_element_t<O, Outputs>>, O>(InputSequence{}), ...);
      (check_reach<std::remove_cvref_t<std::tuple_element_t<O, Outputs>>>(), ...);
      if constexpr (Opts::masked) check_reach<typename Opts::mask_type>();
    }
    (InputSequence{}, OutputSequence{});
  }

  // The job of a call: plan, typed body and, where asked, the owners of its memory.
  template <bool KeepAlive, class Tuple, class Outputs>
  static auto job_of(const U& ufunc, const Exec& exec, const Tuple& arguments, const Outputs& outputs) {
    check(outputs);
    Operand operands[U::inputs + U::outputs + 1];
    PlanRequest request;
    describe_all(exec, arguments, outputs, operands, request);
    return [&]<std::size_t... I, std::size_t... O>(std::index_sequence<I...>, std::index_sequence<O...>) {
      using BodyType =
          Body<F, TypeList<decltype(accessor_for(std::get<has_exec + I>(arguments)))...>,
               TypeList<std::remove_pointer_t<decltype(pointer_to(std::get<O>(outputs)))>...>, Opts::masked>;
      BodyType body{ufunc.function(),
                    {{accessor_for(std::get<has_exec + I>(arguments))}...},
                    {{pointer_to(std::get<O>(outputs))}...},
                    nullptr};
      if constexpr (Opts::masked) body.mask = pointer_to(mask_from(arguments));
      const auto owners = [&] {
        if constexpr (KeepAlive)
          return std::tuple_cat(std::tuple<Arguments...>(arguments), std::tuple(std::get<O>(outputs)...));
        else return std::tuple<>{};
      }();
      return Job<Exec, BodyType, Opts::form, Opts::overlap == OverlapRule::copy, std::remove_const_t<decltype(owners)>>(
          exec, function_label<F>(), Plan(request), body, owners);
    }
    (InputSequence{}, OutputSequence{});
  }

 public:
  static auto run(const U& ufunc, const Arguments&... given) {
    const std::tuple<const Arguments&...> arguments(given...);
    const Exec exec    = exec_from(ufunc, arguments);
    const auto outputs = outputs_of(exec, arguments);
    job_of<false>(ufunc, exec, arguments, outputs)();
    if constexpr (!gives_outputs) {
      if constexpr (U::outputs == 1) return std::get<0>(outputs);
      else return outputs;
    }
  }

  static auto prepare(const U& ufunc, const Arguments&... given) {
    static_assert(gives_outputs, "Kast::prepare: give the outputs");
    const std::tuple<const Arguments&...> arguments(given...);
    const Exec exec = exec_from(ufunc, arguments);
    return job_of<true>(ufunc, exec, arguments, outputs_of(exec, arguments));
  }

  static Plan plan(const U& ufunc, const Arguments&... given) {
    const std::tuple<const Arguments&...> arguments(given...);
    const Exec exec = exec_from(ufunc, arguments);
    Operand operands[U::inputs + U::outputs + 1];
    PlanRequest request;
    if constexpr (gives_outputs) {
      const auto outputs = outputs_of(exec, arguments);
      check(outputs);
      describe_all(exec, arguments, outputs, operands, request);
    } else {
      // Outputs as they would be allocated.
      describe_all(exec, arguments, std::tuple<>{}, operands, request);
      const Extents extents = loop_extents(request);
      if constexpr (Opts::masked) operands[U::inputs + U::outputs] = operands[U::inputs];
      using Place       = decltype(result_place(InputSequence{}));
      const Order order = std::is_same_v<typename Place::array_layout, Kokkos::LayoutLeft> ? Order::left : Order::right;
      [&]<std::size_t... O>(std::index_sequence<O...>) {
        (check_countable(function_name<F>(), extents, sizeof(typename ResultTypes::template type<O>)), ...);
        ((operands[U::inputs + O]         = described(static_cast<typename ResultTypes::template type<O>*>(nullptr)),
          operands[U::inputs + O].extents = extents, operands[U::inputs + O].strides = dense_strides(extents, order)),
         ...);
      }
      (OutputSequence{});
      request.operands = {operands, std::size_t(U::inputs + U::outputs + (Opts::masked ? 1 : 0))};
      request.outputs  = U::outputs;
      request.overlap  = OverlapRule::none;
    }
    return Plan(request);
  }
};

KAST_IMPL_FP_END
}  // namespace Kast::Impl
