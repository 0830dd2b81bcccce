// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool's rules for value types and for the order of results, held against what NumPy said.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <Kast/Error.hpp>

#include "ResultOrder.hpp"
#include "Types.hpp"

namespace {

using Kast::DType;
using Kast::Tool::find_operation;
using Kast::Tool::loop_types;

/// The type of the result, `-` where it is refused.
std::string result_of(const std::string& operation, const std::vector<DType>& inputs) {
  try {
    return std::string(name_of(loop_types(*find_operation(operation), inputs).output));
  } catch (const Kast::Error& error) {
    EXPECT_EQ(error.kind(), Kast::ErrorKind::type);
    EXPECT_TRUE(std::string(error.what()).starts_with(operation + ": " + std::string(name_of(inputs[0]))))
        << error.what();
    return "-";
  }
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

// Written by oracle/make_types.py, which says what the lines mean.
TEST(ToolTypes, AreNumPys) {
  std::ifstream file(KAST_NUMPY_TYPES);
  ASSERT_TRUE(file) << KAST_NUMPY_TYPES;
  std::vector<DType> last;
  int checked = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t colon = line.find(':');
    ASSERT_NE(colon, line.npos) << line;
    const auto front   = words_of(line.substr(0, colon));
    const auto results = words_of(line.substr(colon + 1));
    if (front[0] == "last") {
      for (const std::string& name : results) last.push_back(Kast::Tool::dtype_from_name(name));
      continue;
    }
    ASSERT_NE(find_operation(front[0]), nullptr) << line;
    ASSERT_EQ(results.size(), last.size()) << line;
    for (std::size_t k = 0; k < results.size(); ++k) {
      std::vector<DType> inputs;
      for (std::size_t i = 1; i < front.size(); ++i) inputs.push_back(Kast::Tool::dtype_from_name(front[i]));
      inputs.push_back(last[k]);
      EXPECT_EQ(result_of(front[0], inputs), results[k]) << line.substr(0, colon) << " " << name_of(last[k]);
      ++checked;
    }
  }
  EXPECT_EQ(checked, 14 * (13 + 21 * 14 + 14 * 14 + 14));
}

TEST(ToolTypes, EveryOperationIsInTheTableOrHasNoTwin) {
  for (const auto& operation : Kast::Tool::operations()) {
    EXPECT_EQ(find_operation(operation.name), &operation);
    EXPECT_GE(operation.inputs, 1);
    EXPECT_LE(operation.inputs, 3);
  }
  EXPECT_EQ(find_operation("add "), nullptr);
  EXPECT_EQ(result_of("fma", {DType::f4, DType::f4, DType::f8}), "f8");
  EXPECT_EQ(result_of("fma", {DType::i4, DType::i4, DType::i4}), "-");
}

TEST(ToolTypes, HalfIsStorageOnly) {
  const auto types = loop_types(*find_operation("add"), std::vector{DType::f2, DType::u1});
  EXPECT_EQ(types.inputs, (std::vector{DType::f4, DType::f4}));
  EXPECT_EQ(types.result, DType::f4);
  EXPECT_EQ(types.output, DType::f2);
  // Moved values are not computed with: no bit of them changes.
  EXPECT_EQ(loop_types(*find_operation("copy"), std::vector{DType::f2}).result, DType::f2);
}

TEST(ToolTypes, IntegersOfBothSignsAreComparedAsTheyAre) {
  const auto types = loop_types(*find_operation("less"), std::vector{DType::u8, DType::i1});
  EXPECT_EQ(types.inputs, (std::vector{DType::u8, DType::i8}));
}

TEST(ToolTypes, NamesCountBytesFirst) {
  EXPECT_EQ(Kast::Tool::dtype_from_name("i8"), DType::i8);
  EXPECT_EQ(Kast::Tool::dtype_from_name("i16"), DType::i2);
  EXPECT_EQ(Kast::Tool::dtype_from_name("f64"), DType::f8);
  EXPECT_EQ(Kast::Tool::dtype_from_name("uint8"), DType::u1);
  EXPECT_EQ(Kast::Tool::dtype_from_name("other"), DType::other);
  EXPECT_EQ(Kast::Tool::dtype_from_name(""), DType::other);
}

Kast::Operand array(const Kast::Extents& extents, Kast::Order order) {
  Kast::Operand operand;
  operand.extents = extents;
  operand.strides = dense_strides(extents, order);
  return operand;
}

// The expectations are NumPy's flags of the sum of such arrays.
TEST(ToolOrder, FollowsTheInputs) {
  constexpr auto C = Kast::Order::right, F = Kast::Order::left;
  using Inputs = std::vector<Kast::Operand>;
  auto order   = [](const Inputs& inputs, const Kast::Extents& extents) {
    return Kast::Tool::result_order(inputs, extents);
  };
  EXPECT_EQ(order(Inputs{array({2, 3, 4}, C)}, {2, 3, 4}), C);
  EXPECT_EQ(order(Inputs{array({2, 3, 4}, F)}, {2, 3, 4}), F);
  EXPECT_EQ(order(Inputs{array({2, 3, 4}, C), array({2, 3, 4}, F)}, {2, 3, 4}), C);
  EXPECT_EQ(order(Inputs{array({2, 3, 4}, F), array({2, 3, 4}, C)}, {2, 3, 4}), C);
  EXPECT_EQ(order(Inputs{array({2, 3, 4}, F), array({3, 4}, F)}, {2, 3, 4}), F);
  EXPECT_EQ(order(Inputs{array({2, 3, 4}, F), array({4}, C)}, {2, 3, 4}), F);
  EXPECT_EQ(order(Inputs{array({2, 3, 4}, F), array({3, 4}, C)}, {2, 3, 4}), C);  // neither, so written in C order
  EXPECT_EQ(order(Inputs{array({2, 1}, F), array({1, 3}, F)}, {2, 3}), C);        // no input sees both axes
  EXPECT_EQ(order(Inputs{array({5}, F)}, {5}), C);
  EXPECT_EQ(order(Inputs{array({0, 3}, F)}, {0, 3}), C);
  EXPECT_EQ(order(Inputs{array({}, C)}, {}), C);
}

}  // namespace
