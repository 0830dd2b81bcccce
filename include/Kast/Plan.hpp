// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Plan of a call: what will run, decided on the host from descriptions alone. No templates, no data touched, no
// allocation, about a microsecond. Launches, explanations and everything else read this one value.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <Kast/Extents.hpp>
#include <Kast/impl/Description.hpp>

namespace Kast {

/// The most operands of one call: inputs, outputs and a mask.
inline constexpr int max_operands = 16;

/// How a plan walks memory.
enum class Strategy {
  contiguous,  ///< everything merged to one axis
  rows,        ///< an operand is constant along an outer axis: loaded once for several rows
  transpose,   ///< operands disagree about the fastest axis
  strided      ///< anything else
};
std::string_view name_of(Strategy strategy) noexcept;

/// What a call does about an output that shares memory with another operand.
enum class OverlapRule { refuse, copy, none };

/// What a plan needs to know about the execution space.
struct Target {
  std::string_view space = "Serial";  ///< Kokkos' name of the space; outlives the plan
  bool is_device         = false;
  int concurrency        = 1;  ///< workers that the space can run at once
};

namespace Impl {

/// What a Plan is made from. Operands come as inputs, outputs, then the mask if there is one.
struct PlanRequest {
  std::string_view function;  ///< for messages; outlives the plan
  std::span<const Operand> operands;
  int inputs          = 0;
  int outputs         = 0;
  bool masked         = false;
  OverlapRule overlap = OverlapRule::refuse;
  Target target{};
  std::string_view advice{};  ///< what explain() adds about the function; outlives the plan
};

/// A loop nest over all operands: axes are sorted by the first output's stride, fastest first, and merged wherever every
/// operand allows; axes of extent 1 are gone; the first output runs forward on every axis.
struct Loop {
  int rank     = 0;
  int operands = 0;
  std::size_t extent[max_rank];
  std::ptrdiff_t stride[max_operands][max_rank];  ///< in elements
  std::ptrdiff_t offset[max_operands];  ///< of the first element visited, from the operand's data, in elements
};

}  // namespace Impl

class Plan {
 public:
  /// Checks the request and decides everything. Refuses what design rules refuse, before anything is written.
  explicit Plan(const Impl::PlanRequest& request);

  std::string_view function() const noexcept { return m_function; }
  /// The broadcast shape.
  const Extents& extents() const noexcept { return m_extents; }
  /// Elements of the broadcast shape.
  std::size_t size() const noexcept { return m_size; }
  /// Independent pieces of work: every element is its own worker.
  std::size_t workers() const noexcept { return m_size; }
  /// Bytes that must be read: every operand once, however often broadcasting repeats it.
  std::size_t bytes_read() const noexcept { return m_bytes_read; }
  std::size_t bytes_written() const noexcept { return m_bytes_written; }
  /// Bytes of the temporaries that `Kast::overlap::copy` asks for; 0 without overlap.
  std::size_t bytes_temporary() const noexcept;
  Strategy strategy() const noexcept { return m_strategy; }
  const Target& target() const noexcept { return m_target; }

  int inputs() const noexcept { return m_inputs; }
  int outputs() const noexcept { return m_outputs; }
  bool masked() const noexcept { return m_masked; }
  int operand_count() const noexcept { return m_inputs + m_outputs + (m_masked ? 1 : 0); }
  const Operand& operand(int k) const noexcept { return m_operands[k]; }
  /// Whether output `k` is computed into a temporary first.
  bool is_copied(int output) const noexcept { return (m_copied >> output) & 1u; }
  /// The operands as they are once temporaries have replaced outputs; `dense` ones in the layout of the output's strides.
  void replace_output(int output, const void* data, const Strides& strides);

  /// Whether every offset, and the range plus one grid stride, fits in 31 bits.
  bool fits_32bit() const noexcept { return m_fits_32bit; }
  const Impl::Loop& loop() const noexcept { return m_loop; }

  /// One screen of text: shapes, workers, strategy, bytes.
  std::string explain() const;

 private:
  void merge_axes();
  void check_overlap(OverlapRule rule);
  void choose_strategy();

  std::string_view m_function;
  std::string_view m_advice;
  Target m_target;
  Extents m_extents;
  std::size_t m_size          = 0;
  std::size_t m_bytes_read    = 0;
  std::size_t m_bytes_written = 0;
  int m_inputs = 0, m_outputs = 0;
  unsigned m_copied   = 0;
  bool m_masked       = false;
  bool m_fits_32bit   = false;
  Strategy m_strategy = Strategy::contiguous;
  Operand m_operands[max_operands];
  Impl::Loop m_loop;
};

namespace Impl {

/// The broadcast shape of a request, checked with NumPy's rules: inputs and mask stretch, outputs may enlarge the shape but
/// never stretch. Works without outputs, for results that are still to be allocated.
Extents loop_extents(const PlanRequest& request);

}  // namespace Impl

/// The Plan of a call that would be `operation(arguments...)`: the same checks, the same refusals, nothing runs.
/// An execution space instance may come first. Outputs may be left out, as in the call.
template <class Operation, class... Arguments>
requires requires(const Operation& operation, const Arguments&... arguments) { operation.plan(arguments...); }
Plan plan(const Operation& operation, const Arguments&... arguments) { return operation.plan(arguments...); }
template <class ExecutionSpace, class Operation, class... Arguments>
requires requires { typename ExecutionSpace::execution_space; }
Plan plan(const ExecutionSpace& exec, const Operation& operation, const Arguments&... arguments) {
  return operation.plan(exec, arguments...);
}
}  // namespace Kast
