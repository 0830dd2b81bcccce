// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kast/Extents.hpp>

#include <algorithm>
#include <cstdint>

#include <Kast/Error.hpp>

namespace Kast {

template <class T>
void AxisArray<T>::refuse_rank() {
  throw Error(ErrorKind::argument, "Kast: more than " + std::to_string(max_rank) + " axes");
}
template class AxisArray<std::size_t>;
template class AxisArray<std::ptrdiff_t>;

namespace {

template <class T>
std::string text_of(const AxisArray<T>& values) {
  std::string text = "(";
  for (int axis = 0; axis < values.rank(); ++axis) {
    if (axis > 0) text += ',';
    text += std::to_string(values[axis]);
  }
  if (values.rank() == 1) text += ',';
  return text + ')';
}

}  // namespace

std::string to_string(const Extents& extents) { return text_of(extents); }
std::string to_string(const Strides& strides) { return text_of(strides); }

std::optional<std::size_t> countable_size(const Extents& extents) noexcept {
  if (std::find(extents.begin(), extents.end(), std::size_t(0)) != extents.end()) return 0;
  std::size_t product = 1;
  for (std::size_t extent : extents) {
    if (extent > std::size_t(PTRDIFF_MAX) / product) return std::nullopt;
    product *= extent;
  }
  return product;
}

std::size_t size(const Extents& extents) {
  if (const auto count = countable_size(extents)) return *count;
  throw Error(ErrorKind::size, "Kast::size: shape " + to_string(extents) + " has more than 2^63 - 1 elements");
}

Strides dense_strides(const Extents& extents, Order order) {
  const int rank   = extents.rank();
  Strides strides  = Strides::filled(rank, 0);
  std::size_t step = 1;  // unsigned: an empty array may have other extents whose product wraps
  for (int place = 0; place < rank; ++place) {
    const int axis = order == Order::right ? rank - 1 - place : place;
    strides[axis]  = static_cast<std::ptrdiff_t>(step);
    step *= extents[axis];
  }
  return strides;
}

std::optional<BroadcastConflict> broadcast_shapes(std::span<const Extents* const> shapes, Extents& result) noexcept {
  int rank = 0;
  for (const Extents* shape : shapes) rank = std::max(rank, shape->rank());
  result = Extents::filled(rank, 1);
  for (int axis = 0; axis < rank; ++axis) {
    std::size_t first = shapes.size();
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const int own = axis - (rank - shapes[k]->rank());
      if (own < 0 || (*shapes[k])[own] == 1) continue;
      if (first == shapes.size()) {
        first        = k;
        result[axis] = (*shapes[k])[own];
      } else if ((*shapes[k])[own] != result[axis]) {
        return BroadcastConflict{axis, first, k};
      }
    }
  }
  return std::nullopt;
}

Extents broadcast_shapes(std::span<const Extents> shapes) {
  // More shapes than fit here are folded in pieces: the rule is associative.
  constexpr std::size_t batch = 32;
  Extents result;
  for (std::size_t begin = 0; begin < shapes.size(); begin += batch) {
    const Extents* pointers[batch + 1] = {&result};
    Extents so_far                     = result;
    pointers[0]                        = &so_far;
    std::size_t count                  = 1;
    for (std::size_t k = begin; k < std::min(shapes.size(), begin + batch); ++k) pointers[count++] = &shapes[k];
    if (const auto conflict = broadcast_shapes(std::span<const Extents* const>(pointers, count), result)) {
      throw Error(ErrorKind::shape, "Kast::broadcast_shapes: shapes " + to_string(*pointers[conflict->first]) +
                                        " and " + to_string(*pointers[conflict->other]) +
                                        " do not broadcast: they differ on axis " + std::to_string(conflict->axis) +
                                        " of the result");
    }
  }
  return result;
}

}  // namespace Kast
