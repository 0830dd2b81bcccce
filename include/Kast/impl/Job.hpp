// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A planned call with its typed operands: what Kast::prepare returns, and what every call runs once.
#pragma once

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <tuple>

#include <Kast/Error.hpp>
#include <Kast/Plan.hpp>
#include <Kast/impl/Launch.hpp>
#include <Kast/impl/StrictFp.hpp>

namespace Kast::Impl {
KAST_IMPL_FP_BEGIN

/// What copies a temporary back: an element as it is.
struct Identity {
  template <class T>
  KOKKOS_FUNCTION constexpr T operator()(const T& value) const {
    return value;
  }
};

template <class Exec, class BodyType, Form form, bool CopyOnOverlap, class Owners>
class Job;

template <class Exec, class F, class Inputs, class... Out, bool Masked, Form form, bool CopyOnOverlap, class Owners>
class Job<Exec, Body<F, Inputs, TypeList<Out...>, Masked>, form, CopyOnOverlap, Owners> {
  using BodyType                    = Body<F, Inputs, TypeList<Out...>, Masked>;
  using OutputSequence              = std::index_sequence_for<Out...>;
  using Memory                      = Kokkos::View<std::byte*, typename Exec::memory_space>;
  static constexpr int output_count = int(sizeof...(Out));

 public:
  Job(const Exec& exec, const std::string& label, const Plan& plan, const BodyType& body, const Owners& owners)
      : m_exec(exec), m_label(&label), m_plan(plan), m_body(body), m_owners(owners) {
    if constexpr (CopyOnOverlap) redirect_outputs(OutputSequence{});
  }

  /// Launches the work on the instance it was prepared for; nothing when the loop is empty.
  void operator()() const {
    if constexpr (CopyOnOverlap && Masked) fill_temporaries(OutputSequence{});
    launch<form>(m_exec, *m_label, m_plan, m_body);
    if constexpr (CopyOnOverlap) copy_back(OutputSequence{});
  }

  const Plan& plan() const { return m_plan; }

  /// Policy and functor of the one kernel, for Kokkos graphs. A job that needs a temporary has more than one kernel and is
  /// refused.
  auto policy() const {
    refuse_temporaries();
    if constexpr (is_host_space_v<Exec>) {
      return host_policy(m_exec, m_plan.size() == 0 ? 0 : functor().workers);
    } else {
      const auto kernel = functor();
      using Index       = std::int64_t;
      const Index items = m_plan.size() == 0 ? 0 : kernel.g.items();
      return light(Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>>(m_exec, Index(0), items));
    }
  }
  auto functor() const {
    refuse_temporaries();
    if constexpr (is_host_space_v<Exec>) {
      const HostLoop loop = typed_host_loop(m_plan, m_body);
      return HostKernel<F>{m_body.f, loop, loop.workers};
    } else {
      return DeviceLaunch<Exec, BodyType, std::int64_t, BlockSize<4, 1>>::kernel(m_plan, m_body,
                                                                                 block_shape(m_plan, 1));
    }
  }

 private:
  void refuse_temporaries() const {
    if (m_plan.bytes_temporary() > 0)
      throw Error(ErrorKind::overlap,
                  *m_label + ": a call with a temporary has no single kernel; make the operands disjoint");
  }

  // Outputs that overlap are computed into dense temporaries; the Plan and the body then speak of those.
  template <std::size_t... O>
  void redirect_outputs(std::index_sequence<O...>) {
    m_originals = m_body.out;
    for (int k = 0; k < output_count; ++k) m_targets[k] = m_plan.operand(m_plan.inputs() + k);
    (redirect<O>(get<O>(m_body.out)), ...);
  }
  template <std::size_t O, class T>
  void redirect(T*& pointer) {
    if (!m_plan.is_copied(O)) return;
    try {
      m_memory[O] =
          Memory(Kokkos::view_alloc(m_exec, *m_label, Kokkos::WithoutInitializing), m_plan.size() * sizeof(T));
    } catch (...) {
      std::throw_with_nested(
          Error(ErrorKind::allocation, *m_label + ": a temporary of " + std::to_string(m_plan.size() * sizeof(T)) +
                                           " bytes for an output that overlaps could not be allocated"));
    }
    pointer         = reinterpret_cast<T*>(m_memory[O].data());
    const bool left = m_plan.extents().rank() > 1 &&
                      std::abs(m_targets[O].strides[0]) < std::abs(m_targets[O].strides[m_plan.extents().rank() - 1]);
    m_plan.replace_output(int(O), pointer, dense_strides(m_plan.extents(), left ? Order::left : Order::right));
  }

  // Where the mask is false a temporary holds the output's old elements, so that copying back changes nothing there.
  template <std::size_t... O>
  void fill_temporaries(std::index_sequence<O...>) const {
    (fill_temporary<O>(get<O>(m_body.out), get<O>(m_originals)), ...);
  }
  template <std::size_t O, class T>
  void fill_temporary(T* temporary, T* target) const {
    if (m_plan.is_copied(O)) copy(target, m_targets[O], temporary, m_plan.operand(m_plan.inputs() + int(O)));
  }

  template <std::size_t... O>
  void copy_back(std::index_sequence<O...>) const {
    (copy_back<O>(get<O>(m_body.out), get<O>(m_originals)), ...);
  }
  template <std::size_t O, class T>
  void copy_back(T* temporary, T* target) const {
    if (m_plan.is_copied(O)) copy(temporary, m_plan.operand(m_plan.inputs() + int(O)), target, m_targets[O]);
  }
  template <class T>
  void copy(const T* from, const Operand& source, T* to, const Operand& target) const {
    const Operand operands[2] = {source, target};
    PlanRequest request;
    request.function = m_plan.function();
    request.operands = operands;
    request.inputs = request.outputs = 1;
    request.target                   = m_plan.target();
    launch<form>(m_exec, *m_label, Plan(request),
                 Body<Identity, TypeList<FromMemory<T>>, TypeList<T>, false>{{}, {FromMemory<T>{from}}, {to}, nullptr});
  }

  Exec m_exec;
  const std::string* m_label;
  Plan m_plan;
  BodyType m_body;
  [[no_unique_address]] Owners m_owners;
  struct Nothing {};
  [[no_unique_address]] std::conditional_t<CopyOnOverlap, Pack<Out*...>, Nothing> m_originals{};
  [[no_unique_address]] std::conditional_t<CopyOnOverlap, std::array<Operand, std::size_t(output_count)>, Nothing>
      m_targets{};
  [[no_unique_address]] std::conditional_t<CopyOnOverlap, std::array<Memory, std::size_t(output_count)>, Nothing>
      m_memory{};
};

KAST_IMPL_FP_END
}  // namespace Kast::Impl
