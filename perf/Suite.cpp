// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Suite.hpp"

#include <initializer_list>
#include <string>
#include <utility>

namespace KastPerf {
namespace {

using Kast::Extents;
using Kast::Order;

std::string text(const Extents& extents) {
  std::string result;
  for (std::size_t extent : extents) result += (result.empty() ? "" : "x") + std::to_string(extent);
  return result;
}

Array dense(const Extents& extents, Order order) {
  return {extents, Kast::dense_strides(extents, order), 0, Kast::size(extents)};
}

// The extents with 1 on every axis that is not among `axes`.
Extents only(const Extents& shape, std::initializer_list<int> axes) {
  Extents result = Extents::filled(shape.rank(), 1);
  for (int axis : axes) result[axis] = shape[axis];
  return result;
}

Extents without_first(const Extents& shape) {
  Extents result;
  for (int axis = 1; axis < shape.rank(); ++axis) result.push_back(shape[axis]);
  return result;
}

// Every other axis is broadcast, so that no two axes merge.
Extents alternating(const Extents& shape) {
  Extents result = shape;
  for (int axis = 0; axis < shape.rank(); axis += 2) result[axis] = 1;
  return result;
}

int fastest(const Array& array) { return array.strides[0] == 1 ? 0 : array.extents.rank() - 1; }

// The same array with its fastest axis walked backwards.
Array reversed(Array array) {
  const int axis = fastest(array);
  array.first += (array.extents[axis] - 1) * std::size_t(array.strides[axis]);
  array.strides[axis] = -array.strides[axis];
  return array;
}

// Every second element of an array twice as long.
Array every_second(Array array) {
  for (auto& stride : array.strides) stride *= 2;
  array.span *= 2;
  return array;
}

// Rows that begin `gap` elements after the end of the row before.
Array padded(Array array, std::size_t gap) {
  const int axis = fastest(array);
  Extents wider  = array.extents;
  wider[axis] += gap;
  array.strides = Kast::dense_strides(wider, axis == 0 ? Order::left : Order::right);
  array.span    = Kast::size(wider);
  return array;
}

class Suite {
 public:
  Suite(std::size_t max_bytes) : m_max_bytes(max_bytes) {}

  // Inputs of two operands: one that is broadcast, and one of the full shape.
  void add(const std::string& pattern, const Extents& shape, const std::string& layout, Type type) {
    const Order order = layout == "left" ? Order::left : Order::right;
    const Order other = layout == "right-left" ? Order::left : order;
    const Array full  = dense(shape, order);
    Case c{
        pattern.empty() ? "multiply" : "multiply." + pattern, layout, text(shape), type, Operation::multiply, {}, full};
    const auto with = [&](const Extents& broadcast) { c.inputs = {dense(broadcast, other), full}; };
    if (pattern.empty() || pattern.rfind("short", 0) == 0) with(without_first(shape));
    else if (pattern == "flat" || pattern.rfind("rank", 0) == 0) with(pattern == "rank0" ? Extents{} : shape);
    else if (pattern == "scalar") c.operation = Operation::scale, c.inputs = {full};
    else if (pattern == "column") with(only(shape, {0}));
    else if (pattern == "middle") with(only(shape, {0, shape.rank() - 1}));
    else if (pattern.rfind("channel", 0) == 0) with(only(shape, {pattern.back() - '0'}));
    else if (pattern == "outer") c.inputs = {dense(only(shape, {0}), order), dense(only(shape, {1}), order)};
    else if (pattern == "alternating") with(alternating(shape));
    else if (pattern == "padded") with(without_first(shape)), c.inputs[1] = c.output = padded(full, 24);
    else if (pattern == "strided") with(without_first(shape)), c.inputs[1] = every_second(full);
    else if (pattern == "reversed") with(without_first(shape)), c.inputs[1] = reversed(full);
    else if (pattern == "transposed")
      c.inputs = {dense(shape, order == Order::left ? Order::right : Order::left), full};
    add(c);
  }

  // Operations beside multiply, on the story's shapes.
  void add(Operation operation, const Extents& shape, const std::string& layout, Type type) {
    const Order order = layout == "left" ? Order::left : Order::right;
    const Array full = dense(shape, order), last = dense(without_first(shape), order),
                column = dense(only(shape, {0}), order);
    const auto add_as  = [&](const char* op, std::vector<Array> inputs) {
      add(Case{op, layout, text(shape), type, operation, std::move(inputs), full});
    };
    if (operation == Operation::masked) add_as("multiply.masked", {last, full});
    if (operation == Operation::fma) add_as("multiply.three", {last, full, column});
    if (operation == Operation::five) add_as("multiply.five", {last, full, column, full, dense({}, order)});
    if (operation == Operation::two) add_as("multiply.two", {last, full});
  }

  std::vector<Case> take() { return std::move(m_cases); }

 private:
  void add(const Case& c) {
    // Plain implementations count elements in 32 bits.
    if (c.footprint() > m_max_bytes || c.output.span >= (std::size_t(1) << 31)) return;
    m_cases.push_back(c);
  }

  std::size_t m_max_bytes;
  std::vector<Case> m_cases;
};

// What differs between sizes.
struct Shapes {
  std::vector<Extents> story;  // three axes
  Extents four;                // images: batch, channel, height, width
  Extents square;              // transposed operands
  Extents padded;              // rows that are not whole cache lines
  std::size_t short_elements;  // of cases with a short innermost axis
  std::vector<Extents> ranks;  // rank 1 to 8 of one size
};

std::vector<Extents> ranks_of(int bits) {
  std::vector<Extents> result;
  for (int rank = 1; rank <= Kast::max_rank; ++rank) {
    Extents shape;
    for (int axis = 0, left = bits; axis < rank; ++axis) {
      const int own = left / (rank - axis);
      shape.push_back(std::size_t(1) << own);
      left -= own;
    }
    result.push_back(shape);
  }
  return result;
}

Shapes shapes_of(Size size, bool device) {
  if (size == Size::small) return {{{3, 40, 5}, {7, 1, 33}}, {2, 3, 4, 5}, {40, 30}, {13, 37}, 420, ranks_of(8)};
  if (size == Size::cache && device)
    return {{{100, 4000, 5}}, {16, 64, 32, 32}, {1500, 1000}, {1000, 1001}, 2000040, ranks_of(20)};
  if (size == Size::cache)
    return {
        {{100, 4000, 5}, {100, 400, 5}, {1000, 20, 5}}, {8, 64, 32, 32}, {600, 500}, {500, 1001}, 500010, ranks_of(18)};
  if (device)
    return {{{100, 400000, 5}, {200, 1000, 512}, {1000, 1, 100003}},
            {64, 256, 64, 64},
            {12000, 10000},
            {10000, 10001},
            200000010,
            ranks_of(27)};
  return {{{100, 40000, 5}, {200, 100, 512}, {100, 1, 100003}},
          {16, 64, 96, 96},
          {4000, 2500},
          {4000, 2501},
          10000200,
          ranks_of(23)};
}

}  // namespace

std::vector<Case> suite(Size size, bool device, std::size_t max_bytes) {
  const Shapes shapes = shapes_of(size, device);
  Suite suite(max_bytes);
  const std::string both[] = {"right", "left"};
  // The patterns that have goals, in both layouts, on all shapes.
  for (const Extents& shape : shapes.story) {
    const Extents flat2 = {shape[0], shape[1] * shape[2]};
    for (const std::string& layout : both) {
      for (const char* pattern : {"", "flat", "scalar", "column", "middle", "channel1"})
        suite.add(pattern, shape, layout, Type::f64);
      suite.add("outer", flat2, layout, Type::f64);
    }
  }
  const Extents story = shapes.story.front();
  for (const char* pattern : {"", "middle", "flat"}) suite.add(pattern, story, "right-left", Type::f64);
  suite.add("rank0", story, "right", Type::f64);
  for (Type type : {Type::f32, Type::i8, Type::c128})
    for (const char* pattern : {"", "flat", "column"}) suite.add(pattern, story, "right", type);
  for (const std::string& layout : both) {
    for (const char* pattern : {"channel0", "channel1", "channel2", "channel3"})
      suite.add(pattern, shapes.four, layout, Type::f64);
    suite.add("transposed", shapes.square, layout, Type::f64);
    suite.add("padded", shapes.padded, layout, Type::f64);
  }
  suite.add("transposed", shapes.square, "right", Type::f32);
  for (std::size_t extent : {2, 3, 5, 7})
    suite.add("short" + std::to_string(extent), {shapes.short_elements / extent, extent}, "right", Type::f64);
  suite.add("short3", {shapes.short_elements / 3, 3}, "left", Type::f64);
  suite.add("short3", {shapes.short_elements / 3, 3}, "right", Type::f32);
  for (const char* pattern : {"strided", "reversed"}) suite.add(pattern, story, "right", Type::f64);
  for (std::size_t k = 0; k < shapes.ranks.size(); ++k)
    suite.add("rank" + std::to_string(k + 1), shapes.ranks[k], "right", Type::f64);
  suite.add("alternating", shapes.ranks.back(), "right", Type::f64);
  for (Operation operation : {Operation::fma, Operation::five, Operation::masked, Operation::two})
    for (Type type : {Type::f64, Type::f32}) suite.add(operation, story, "right", type);
  return suite.take();
}

}  // namespace KastPerf
