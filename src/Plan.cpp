// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kast/Plan.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <Kast/Error.hpp>
#include <Kast/impl/Overlap.hpp>

namespace Kast {

std::string_view name_of(Strategy strategy) noexcept {
  constexpr std::string_view names[] = {"contiguous", "rows", "transpose", "strided"};
  return names[static_cast<int>(strategy)];
}

namespace {

using Impl::Answer;
using Impl::PlanRequest;

std::string operand_name(int k, int inputs, int outputs) {
  if (k < inputs) return "input " + std::to_string(k);
  if (k < inputs + outputs) return "output " + std::to_string(k - inputs);
  return "the mask";
}

// Stride of an operand along an axis of the broadcast shape: 0 where it is stretched or lacks the axis.
std::ptrdiff_t loop_stride(const Operand& operand, int axis, int loop_rank) noexcept {
  const int own = axis - (loop_rank - operand.extents.rank());
  return own < 0 || operand.extents[own] == 1 ? 0 : operand.strides[own];
}

// Elements that exist in memory: an axis with stride 0 repeats what is there.
std::size_t distinct_elements(const Operand& operand) noexcept {
  std::size_t count = 1;
  for (int axis = 0; axis < operand.extents.rank(); ++axis)
    if (operand.strides[axis] != 0 || operand.extents[axis] == 0) count *= operand.extents[axis];
  return count;
}

[[noreturn]] void refuse_shapes(const PlanRequest& request, int first, int other, int axis) {
  const auto& a   = request.operands[first].extents;
  const auto& b   = request.operands[other].extents;
  const auto name = [&](int k) {
    return operand_name(k, request.inputs, request.outputs) + ' ' + to_string(request.operands[k].extents);
  };
  const int loop_rank = [&] {
    int rank = 0;
    for (const Operand& operand : request.operands) rank = std::max(rank, operand.extents.rank());
    return rank;
  }();
  const std::size_t extent_a = a[axis - (loop_rank - a.rank())], extent_b = b[axis - (loop_rank - b.rank())];
  std::string text = std::string(request.function) + ": " + name(other) + " does not broadcast with " + name(first) +
                     ": axis " + std::to_string(axis) + " of the loop has extent " + std::to_string(extent_b) +
                     " and " + std::to_string(extent_a);
  if (request.operands.size() > 2) {
    text += "; shapes of all operands:";
    for (const Operand& operand : request.operands) text += ' ' + to_string(operand.extents);
  }
  throw Error(ErrorKind::shape, text);
}

[[noreturn]] void refuse_output(const PlanRequest& request, int k, const Extents& shape) {
  const Extents& own = request.operands[k].extents;
  std::string text   = std::string(request.function) + ": " + operand_name(k, request.inputs, request.outputs) + ' ' +
                     to_string(own) + " does not have the broadcast shape " + to_string(shape);
  if (own.rank() < shape.rank()) {
    text += ": its rank is " + std::to_string(own.rank()) + " and not " + std::to_string(shape.rank());
  } else {
    for (int axis = 0; axis < shape.rank(); ++axis) {
      if (own[axis] == shape[axis]) continue;
      text += ": axis " + std::to_string(axis) + " has extent " + std::to_string(own[axis]) + " and not " +
              std::to_string(shape[axis]);
      break;
    }
  }
  text += "; outputs are never stretched; shapes of all operands:";
  for (const Operand& operand : request.operands) text += ' ' + to_string(operand.extents);
  throw Error(ErrorKind::shape, text);
}

}  // namespace

namespace Impl {

Extents loop_extents(const PlanRequest& request) {
  // Inputs and mask first, so that a conflict among them is told apart from an output that does not fit them.
  const Extents* shapes[max_operands];
  int index[max_operands];
  int count      = 0;
  const auto add = [&](int k) {
    shapes[count]  = &request.operands[k].extents;
    index[count++] = k;
  };
  for (int k = 0; k < int(request.operands.size()); ++k)
    if (k < request.inputs || k >= request.inputs + request.outputs) add(k);

  const auto broadcast = [&](Extents& result) {
    return broadcast_shapes(std::span<const Extents* const>(shapes, count), result);
  };
  Extents result;
  if (const auto conflict = broadcast(result)) {
    int rank = 0;  // of these shapes alone; the message counts axes of the whole loop
    for (int k = 0; k < count; ++k) rank = std::max(rank, shapes[k]->rank());
    int loop_rank = rank;
    for (const Operand& operand : request.operands) loop_rank = std::max(loop_rank, operand.extents.rank());
    refuse_shapes(request, index[conflict->first], index[conflict->other], conflict->axis + loop_rank - rank);
  }
  if (request.outputs > 0) {
    const Extents of_inputs = result;
    for (int k = 0; k < request.outputs; ++k) add(request.inputs + k);
    if (const auto conflict = broadcast(result)) refuse_output(request, index[conflict->other], of_inputs);
    for (int k = request.inputs; k < request.inputs + request.outputs; ++k)
      if (!(request.operands[k].extents == result)) refuse_output(request, k, result);
  }
  return result;
}

}  // namespace Impl

Plan::Plan(const Impl::PlanRequest& request)
    : m_function(request.function),
      m_advice(request.advice),
      m_target(request.target),
      m_extents(Impl::loop_extents(request)),
      m_inputs(request.inputs),
      m_outputs(request.outputs),
      m_masked(request.masked) {
  std::copy(request.operands.begin(), request.operands.end(), m_operands);
  const auto count = countable_size(m_extents);
  if (!count)
    throw Error(ErrorKind::size, std::string(m_function) + ": the loop of shape " + to_string(m_extents) +
                                     " has more than 2^63 - 1 elements");
  m_size = *count;
  check_overlap(request.overlap);
  if (m_size > 0) {
    for (int k = 0; k < operand_count(); ++k) {
      const bool written = k >= m_inputs && k < m_inputs + m_outputs;
      const std::size_t bytes =
          m_operands[k].by_value ? 0 : distinct_elements(m_operands[k]) * m_operands[k].value_size;
      (written ? m_bytes_written : m_bytes_read) += bytes;
    }
  }
  merge_axes();
  choose_strategy();
}

// Outputs are held against everything else that is read or written. Same place, same type, same stride on every axis of
// the loop is in-place work: each element is read before it is written by the one worker that owns it.
void Plan::check_overlap(OverlapRule rule) {
  if (rule == OverlapRule::none || m_size == 0) return;
  const int loop_rank = m_extents.rank();
  const auto refuse   = [&](const std::string& what) {
    throw Error(ErrorKind::overlap, std::string(m_function) + ": " + what);
  };
  const auto described = [&](int k) {
    return operand_name(k, m_inputs, m_outputs) + " (shape " + to_string(m_operands[k].extents) + ", strides " +
           to_string(m_operands[k].strides) + ")";
  };
  for (int w = m_inputs; w < m_inputs + m_outputs; ++w) {
    const Operand& out = m_operands[w];
    if (const Answer answer = Impl::meets_itself(out); answer != Answer::no) {
      refuse(described(w) + (answer == Answer::yes ? " overlaps itself" : " may overlap itself") +
             ": two of its indices reach the same element; write to an array of its own");
    }
    const Impl::ByteRange out_range = Impl::byte_range(out);
    for (int k = 0; k < operand_count(); ++k) {
      const Operand& other = m_operands[k];
      if (k == w || other.by_value || (k > w && k < m_inputs + m_outputs)) continue;
      const Impl::ByteRange range = Impl::byte_range(other);
      if (range.high <= out_range.low || out_range.high <= range.low) continue;
      const bool both_written = k >= m_inputs && k < m_inputs + m_outputs;
      if (!both_written && other.data == out.data && other.value_size == out.value_size && other.dtype == out.dtype) {
        bool in_place = true;
        for (int axis = 0; axis < loop_rank; ++axis)
          in_place = in_place &&
                     (m_extents[axis] == 1 || loop_stride(other, axis, loop_rank) == loop_stride(out, axis, loop_rank));
        if (in_place) continue;
      }
      const Answer answer = Impl::share_bytes(out, other);
      if (answer == Answer::no) continue;
      const char* verb = answer == Answer::yes ? " overlaps " : " may overlap ";
      if (both_written) refuse(described(w) + verb + described(k) + ": outputs must be disjoint");
      if (rule == OverlapRule::copy) {
        m_copied |= 1u << (w - m_inputs);
      } else {
        refuse(described(w) + verb + described(k) +
               " and is not the same array; pass Kast::overlap::copy for one temporary, or Kast::overlap::none if the "
               "elements are known to be disjoint");
      }
    }
  }
}

void Plan::merge_axes() {
  const int loop_rank = m_extents.rank();
  const int count     = operand_count();
  m_loop.operands     = count;
  m_loop.rank         = 0;
  for (int k = 0; k < count; ++k) m_loop.offset[k] = 0;
  if (m_size == 0) {
    m_fits_32bit = true;
    return;
  }

  // The first output leads: its strides sort the axes, and it runs forward on all of them.
  const Operand& lead = m_operands[m_inputs];
  int order[max_rank];
  int rank = 0;
  for (int axis = loop_rank - 1; axis >= 0; --axis) {
    if (m_extents[axis] == 1) continue;
    int place = rank++;
    for (; place > 0 && std::abs(lead.strides[order[place - 1]]) > std::abs(lead.strides[axis]); --place)
      order[place] = order[place - 1];
    order[place] = axis;
  }

  for (int place = 0; place < rank; ++place) {
    const int axis           = order[place];
    const std::size_t extent = m_extents[axis];
    const bool reversed      = lead.strides[axis] < 0;
    std::ptrdiff_t stride[max_operands];
    for (int k = 0; k < count; ++k) {
      stride[k] = loop_stride(m_operands[k], axis, loop_rank);
      if (reversed) {
        m_loop.offset[k] += std::ptrdiff_t(extent - 1) * stride[k];
        stride[k] = -stride[k];
      }
    }
    const int last = m_loop.rank - 1;
    bool mergeable = last >= 0;
    for (int k = 0; mergeable && k < count; ++k)
      mergeable = stride[k] == m_loop.stride[k][last] * std::ptrdiff_t(m_loop.extent[last]);
    if (mergeable) {
      m_loop.extent[last] *= extent;
    } else {
      const int next      = m_loop.rank++;
      m_loop.extent[next] = extent;
      for (int k = 0; k < count; ++k) m_loop.stride[k][next] = stride[k];
    }
  }

  // A grid stride past the end may be added to any index; 2^30 leaves room for it.
  constexpr std::size_t limit = std::size_t(1) << 30;
  m_fits_32bit                = m_size <= limit;
  for (int k = 0; k < count; ++k) {
    std::size_t reach = 0;
    for (int axis = 0; axis < m_loop.rank; ++axis) {
      const auto step = static_cast<std::size_t>(std::abs(m_loop.stride[k][axis]));
      // Each factor is held against the limit first, so that no product wraps.
      if (step > limit || m_loop.extent[axis] > limit) reach = limit + 1;
      else reach += step * (m_loop.extent[axis] - 1);
      if (reach > limit) break;
    }
    m_fits_32bit = m_fits_32bit && reach <= limit;
  }
}

void Plan::choose_strategy() {
  bool unit_or_constant = true, constant_rows = false, disagree = false;
  for (int k = 0; k < m_loop.operands; ++k) {
    if (m_operands[k].by_value || m_loop.rank == 0) continue;
    const std::ptrdiff_t first = m_loop.stride[k][0];
    unit_or_constant           = unit_or_constant && (first == 0 || first == 1);
    for (int axis = 1; axis < m_loop.rank; ++axis) {
      const std::ptrdiff_t stride = m_loop.stride[k][axis];
      constant_rows               = constant_rows || stride == 0;
      disagree                    = disagree || (stride != 0 && std::abs(stride) < std::abs(first));
    }
  }
  if (disagree) m_strategy = Strategy::transpose;
  else if (m_loop.rank <= 1 && unit_or_constant) m_strategy = Strategy::contiguous;
  else if (unit_or_constant && constant_rows) m_strategy = Strategy::rows;
  else m_strategy = Strategy::strided;
}

std::size_t Plan::bytes_temporary() const noexcept {
  std::size_t bytes = 0;
  for (int k = 0; k < m_outputs; ++k)
    if (is_copied(k)) bytes += m_size * m_operands[m_inputs + k].value_size;
  return bytes;
}

void Plan::replace_output(int output, const void* data, const Strides& strides) {
  m_operands[m_inputs + output].data    = data;
  m_operands[m_inputs + output].strides = strides;
  merge_axes();
  choose_strategy();
}

std::string Plan::explain() const {
  const auto grouped = [](std::size_t number) {
    std::string text = std::to_string(number);
    for (int place = int(text.size()) - 3; place > 0; place -= 3) text.insert(std::size_t(place), 1, ',');
    return text;
  };
  std::string text = std::string(m_function) + " on " + std::string(m_target.space) + '\n';
  for (int k = 0; k < operand_count(); ++k) {
    const Operand& operand = m_operands[k];
    text += "  " + operand_name(k, m_inputs, m_outputs) + ": ";
    text += operand.by_value ? "a number" : to_string(operand.extents) + " strides " + to_string(operand.strides);
    text += ", " + (operand.dtype == DType::other ? std::to_string(operand.value_size) + " bytes a value"
                                                  : std::string(name_of(operand.dtype)));
    text += '\n';
  }
  text += "  loop: " + to_string(m_extents) + ", walked as";
  for (int axis = m_loop.rank - 1; axis >= 0; --axis) {
    text += ' ';
    text += grouped(m_loop.extent[axis]);
    if (axis > 0) text += " x";
  }
  text += m_size == 0 ? " nothing\n" : m_loop.rank == 0 ? " one element\n" : "\n";
  text += "  workers: " + grouped(workers()) + "; " + std::string(m_target.space) + " runs " +
          grouped(std::size_t(m_target.concurrency)) + " at once\n";
  text +=
      "  strategy: " + std::string(name_of(m_strategy)) + (m_fits_32bit ? ", 32-bit offsets\n" : ", 64-bit offsets\n");
  text += "  bytes: " + grouped(m_bytes_read) + " read, " + grouped(m_bytes_written) + " written";
  if (m_copied != 0) text += ", " + grouped(bytes_temporary()) + " in temporaries (overlap)";
  text += '\n';
  if (!m_advice.empty()) text += "  advice: " + std::string(m_advice) + '\n';
  return text;
}

}  // namespace Kast
