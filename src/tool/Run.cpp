// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kast run`: an operation on .npy files, with NumPy's result: its values, its type, its shape and its order. Everything
// that can be refused is refused before the output file is begun.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include <Kast/Npy.hpp>
#include <Kast/Plan.hpp>
#include <Kast/impl/Pack.hpp>

#include "DeviceRun.hpp"
#include "HostRun.hpp"
#include "HostTable.hpp"
#include "Output.hpp"
#include "ResultOrder.hpp"
#include "Spaces.hpp"
#include "Tool.hpp"
#include "Types.hpp"

namespace Kast::Tool {
namespace {

/// A call, read and checked as far as that goes without a look at files.
struct Request {
  const Operation* operation;
  std::vector<std::string> inputs;
  std::string output;
  DType target;
  std::string space;
};

std::string counted(int number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

DType parse_target(const Operation& operation, const std::optional<std::string>& name) {
  const bool is_cast = operation.op == Op::cast;
  if (is_cast && !name) throw UsageError{"cast needs --dtype"};
  if (!is_cast && name) throw UsageError{"--dtype belongs to cast only"};
  if (!name) return DType::other;
  const DType dtype = dtype_from_name(*name);
  if (dtype == DType::other) throw UsageError{"unknown type '" + *name + "'"};
  return dtype;
}

Request parse(Arguments& arguments) {
  Request request;
  request.output    = arguments.required("o");
  request.space     = arguments.option("space").value_or("");
  const auto target = arguments.option("dtype");
  request.inputs    = arguments.positionals();
  if (request.inputs.empty()) throw UsageError{"run needs an operation"};
  const std::string name = request.inputs.front();
  request.inputs.erase(request.inputs.begin());

  request.operation = find_operation(name);
  if (request.operation == nullptr) throw UsageError{"unknown operation '" + name + "'"};
  if (int(request.inputs.size()) != request.operation->inputs) {
    throw UsageError{name + " takes " + counted(request.operation->inputs, "input") + ", not " +
                     std::to_string(request.inputs.size())};
  }
  request.target = parse_target(*request.operation, target);
  return request;
}

template <class Values>
std::vector<Operand> described(const Values& arrays) {
  std::vector<Operand> operands;
  for (const ArrayRef& array : arrays) operands.push_back(describe(array));
  return operands;
}

bool has_negative(const ArrayRef& array) {
  constexpr std::size_t chunk = 1024;
  const std::size_t count = size(array.extents), value_size = size_of(array.dtype);
  const auto* from = static_cast<const std::byte*>(array.data);
  alignas(8) std::array<std::byte, chunk * 8> aligned;
  std::array<std::int64_t, chunk> values;
  for (std::size_t done = 0; done < count; done += chunk) {
    const std::size_t now = std::min(chunk, count - done);
    std::memcpy(aligned.data(), from + done * value_size, now * value_size);
    Impl::convert(values.data(), DType::i8, aligned.data(), array.dtype, now);
    if (std::any_of(values.begin(), values.begin() + now, [](std::int64_t value) { return value < 0; })) return true;
  }
  return false;
}

/// What NumPy refuses once it has seen the values.
void check_values(const Operation& operation, const LoopTypes& types, const std::vector<ArrayRef>& inputs,
                  const Extents& extents) {
  if (operation.op != Op::power || !is_integer(types.result) || size(extents) == 0) return;
  if (is_signed_integer(inputs[1].dtype) && has_negative(inputs[1])) {
    throw Error(ErrorKind::argument, "power: integers to negative integer powers are not allowed (input 1)");
  }
}

}  // namespace

std::string run_usage() {
  std::string names;
  std::size_t column = 0;
  for (const Operation& operation : operations()) {
    std::string word(operation.name);
    if (operation.inputs != 2) word.append("/").append(std::to_string(operation.inputs));
    if (column + word.size() > 100) {
      names += '\n';
      column = 0;
    }
    names += (column == 0 ? "  " : " ") + word;
    column += word.size() + 1;
  }
  return "usage: kast run OP IN.npy... -o OUT.npy [--space S] [--dtype D]\n"
         "\n"
         "Broadcasts the arrays of the input files, applies OP, and writes what NumPy would have written.\n"
         "--space is Serial, OpenMP, Cuda, ...: by default the host space with the most threads. --dtype is for cast.\n"
         "\n"
         "OP is one of these, with two inputs where no other number stands behind it:\n" +
         names + "\n";
}

int run(Arguments arguments) {
  const Request request = parse(arguments);
  const Space space     = request.space.empty() ? default_host_space() : find_space(request.space);

  std::vector<NpyFile> files;
  std::vector<ArrayRef> inputs;
  std::vector<DType> dtypes;
  for (const std::string& path : request.inputs) {
    files.emplace_back(path);
    inputs.push_back(files.back().array());
    dtypes.push_back(inputs.back().dtype);
  }
  const auto operands   = described(inputs);
  const LoopTypes types = loop_types(*request.operation, dtypes, request.target);
  const Extents extents =
      Impl::loop_extents({.function = request.operation->name, .operands = operands, .inputs = int(operands.size())});
  const auto host_kernel = space.is_device ? nullptr : host_loop(*request.operation, types);
  if (space.is_device) check_device_loop(*request.operation, types, space);
  check_values(*request.operation, types, inputs, extents);

  const Session session(arguments.for_kokkos());
  Output file(request.output, types.output, extents, result_order(operands, extents));
  const Work work{*request.operation, types, inputs, file.array()};
  if (space.is_device) {
    run_on_device(work);
  } else {
    run_on_host(work, host_kernel, space, session.is_running());
  }
  file.commit();
  return 0;
}

}  // namespace Kast::Tool
