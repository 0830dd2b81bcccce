// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Case.hpp"

#include <algorithm>
#include <cstdlib>

namespace KastPerf {

const char* name_of(Type type) noexcept {
  switch (type) {
    case Type::f32: return "f32";
    case Type::f64: return "f64";
    case Type::i8: return "i8";
    case Type::c128: return "c128";
  }
  return "";
}

std::size_t size_of(Type type) noexcept {
  switch (type) {
    case Type::f32: return 4;
    case Type::f64: return 8;
    case Type::i8: return 1;
    case Type::c128: return 16;
  }
  return 0;
}

std::size_t Case::bytes() const {
  std::size_t elements = std::size_t(outputs()) * output.size();
  for (const Array& input : inputs) elements += input.size();
  return elements * size_of(type) + (masked() ? output.size() : 0);
}

std::size_t Case::footprint() const {
  std::size_t elements = std::size_t(outputs()) * output.span;
  for (const Array& input : inputs) elements += input.span;
  return elements * size_of(type) + (masked() ? output.span : 0);
}

std::string Case::key() const { return op + '/' + layout + '/' + shape + '/' + name_of(type); }

std::string Case::name(const std::string& implementation, const std::string& space) const {
  return op + '/' + implementation + '/' + space + '/' + layout + '/' + shape + '/' + name_of(type);
}

namespace {

struct Axis {
  int extent;
  int stride[max_operands];
};

// Whether `slow` continues `fast` for every operand.
bool continues(const Axis& fast, const Axis& slow, int operands) {
  for (int k = 0; k < operands; ++k)
    if (slow.stride[k] != fast.stride[k] * fast.extent) return false;
  return true;
}

}  // namespace

Loop plain_loop(const Case& c) {
  const int rank     = c.output.extents.rank();
  const int inputs   = int(c.inputs.size());
  const int operands = inputs + c.outputs() + (c.masked() ? 1 : 0);
  std::vector<Axis> axes;
  for (int axis = 0; axis < rank; ++axis) {
    if (c.output.extents[axis] == 1) continue;
    Axis one{int(c.output.extents[axis]), {}};
    for (int k = 0; k < operands; ++k) {
      const Array& array = k < inputs ? c.inputs[std::size_t(k)] : c.output;
      const int own      = axis - (rank - array.extents.rank());
      one.stride[k]      = own < 0 || array.extents[own] == 1 ? 0 : int(array.strides[own]);
    }
    axes.push_back(one);
  }
  std::stable_sort(axes.begin(), axes.end(), [&](const Axis& a, const Axis& b) {
    return std::abs(a.stride[inputs]) < std::abs(b.stride[inputs]);
  });
  Loop loop;
  std::vector<Axis> merged;
  for (const Axis& axis : axes) {
    if (!merged.empty() && continues(merged.back(), axis, operands)) merged.back().extent *= axis.extent;
    else merged.push_back(axis);
    loop.size *= axis.extent;
  }
  for (const Axis& axis : merged) {
    loop.extent[loop.rank] = axis.extent;
    std::copy(axis.stride, axis.stride + max_operands, loop.stride[loop.rank]);
    ++loop.rank;
  }
  return loop;
}

}  // namespace KastPerf
