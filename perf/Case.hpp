// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A case of the suite as data: one operation on operands of given extents and strides. Ranks and layouts are values here, so
// that implementations are compiled once for an operation, a value type and a space.
#pragma once

#include <Kast/Extents.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace KastPerf {

inline constexpr int max_inputs   = 5;
inline constexpr int max_operands = max_inputs + 3;  // two outputs and a mask

/// What is computed; a b c d e are the inputs.
enum class Operation {
  multiply,  ///< a * b
  scale,     ///< 3 * a, the factor passed by value
  masked,    ///< a * b where the mask holds
  fma,       ///< a * b + c
  five,      ///< a * b + c * d + e
  two        ///< a * b and a + b
};

enum class Type { f32, f64, i8, c128 };

const char* name_of(Type type) noexcept;
std::size_t size_of(Type type) noexcept;

/// Strides count elements; `first` is where element (0,...,0) lies in the `span` elements of memory.
struct Array {
  Kast::Extents extents;
  Kast::Strides strides;
  std::size_t first = 0;
  std::size_t span  = 1;

  std::size_t size() const { return Kast::size(extents); }
};

struct Case {
  std::string op;      ///< as in names: `multiply`, `multiply.column`, ...
  std::string layout;  ///< `right`, `left`, or `right-left`: the broadcast operand is the other way
  std::string shape;
  Type type           = Type::f64;
  Operation operation = Operation::multiply;
  std::vector<Array> inputs;
  Array output;  ///< every output's

  int outputs() const noexcept { return operation == Operation::two ? 2 : 1; }
  bool masked() const noexcept { return operation == Operation::masked; }
  /// Bytes that must be read and written: each operand once, however often broadcasting repeats it.
  std::size_t bytes() const;
  /// Bytes of memory that the operands lie in.
  std::size_t footprint() const;
  std::string key() const;  ///< op/layout/shape/type
  std::string name(const std::string& implementation, const std::string& space) const;
};

/// The loop of a case for plain implementations: axes of extent 1 dropped, the output's fastest axis first, neighbours merged
/// where every operand allows it. Operands: inputs, outputs, mask.
struct Loop {
  int rank                                 = 0;
  int size                                 = 1;
  int extent[Kast::max_rank]               = {};
  int stride[Kast::max_rank][max_operands] = {};
};
Loop plain_loop(const Case& c);

}  // namespace KastPerf
