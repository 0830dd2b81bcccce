// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All patterns under one operation, with masks, several outputs, three and five operands.
#include "Cases.hpp"

namespace KastHash {

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> all{
      {"row", {30, 40, 5}, {{40, 5}, {30, 40, 5}}},
      {"flat", {3001}, {{3001}}},
      {"rank0", {57, 33}, {{}, {57, 33}}},
      {"column", {70, 90}, {{70, 1}, {70, 90}}},
      {"middle", {9, 20, 11}, {{9, 1, 11}, {9, 20, 11}}},
      {"outer", {61, 83}, {{61, 1}, {1, 83}}},
      {"channel", {40, 30, 3}, {{40, 30, 3}, {3}}},
      {"short2", {300, 2}, {{2}, {300, 2}}},
      {"short3", {300, 3}, {{3}, {300, 3}}},
      {"short5", {300, 5}, {{5}, {300, 5}}},
      {"short7", {300, 7}, {{7}, {300, 7}}},
      {"long", {2, 40009}, {{40009}, {2, 1}}},
      {"padded", {50, 37}, {{50, 37}, {37}}, Walk::padded, Walk::padded},
      {"strided", {50, 37}, {{50, 37}, {50, 1}}, Walk::strided, Walk::dense},
      {"reversed", {50, 37}, {{50, 37}, {37}}, Walk::reversed, Walk::dense},
      {"reversed_output", {50, 37}, {{50, 37}, {37}}, Walk::dense, Walk::reversed},
      {"transposed", {130, 71}, {{130, 71}, {130, 71}}, Walk::transposed, Walk::dense},
      {"transposed3", {13, 40, 31}, {{13, 40, 31}, {40, 1}}, Walk::transposed, Walk::dense},
      {"rank1", {129}, {{129}, {1}}},
      {"rank2", {12, 19}, {{12, 1}, {19}}},
      {"rank3", {5, 6, 7}, {{5, 1, 7}, {6, 1}}},
      {"rank4", {3, 4, 5, 6}, {{3, 1, 5, 1}, {1, 4, 1, 6}}},
      {"rank5", {3, 4, 3, 4, 5}, {{3, 1, 3, 1, 5}, {4, 1, 4, 1}}},
      {"rank6", {2, 3, 4, 2, 3, 4}, {{2, 1, 4, 1, 3, 1}, {1, 3, 1, 2, 1, 4}}},
      {"rank7", {2, 3, 2, 3, 2, 3, 2}, {{2, 1, 2, 1, 2, 1, 2}, {3, 1, 3, 1, 3, 1}}},
      {"rank8", {2, 3, 2, 3, 2, 3, 2, 2}, {{2, 1, 2, 1, 2, 1, 2, 1}, {1, 3, 1, 3, 1, 3, 1, 2}}},
      {"empty", {4, 0, 3}, {{4, 1, 3}, {0, 3}}},
  };
  return all;
}

Placement placement(const Extents& extents, Kast::Order order, Walk walk) {
  const int rank = extents.rank();
  if (rank == 0) return KastTest::dense(extents);
  if (walk == Walk::transposed) order = order == Kast::Order::right ? Kast::Order::left : Kast::Order::right;
  Extents spaced    = extents;
  const int fastest = order == Kast::Order::right ? rank - 1 : 0;
  if (walk == Walk::padded) spaced[fastest] += 3;
  if (walk == Walk::strided)
    for (int axis = 0; axis < rank; ++axis) spaced[axis] *= 2;
  Placement place = KastTest::dense(spaced, order);
  place.extents   = extents;
  for (int axis = 0; axis < rank; ++axis) {
    if (walk == Walk::strided) place.strides[axis] *= 2;
    if (walk == Walk::reversed) {
      place.offset += place.strides[axis] * (std::ptrdiff_t(extents[axis]) - 1);
      place.strides[axis] = -place.strides[axis];
    }
  }
  return place;
}

namespace {

// Built from the functions that are equal on every backend: with Kast::strict_fp nothing may be contracted.
struct Weighted {
  KOKKOS_FUNCTION double operator()(double a, double b, double c, double d) const {
    return a * b + c * d - a / (d * d + 1.0);
  }
};
struct SumAndProduct {
  KOKKOS_FUNCTION void operator()(double a, double b, double& sum, double& product) const {
    sum     = a + b * 3.0;
    product = a * b - b;
  }
};

}  // namespace

template <class Space>
void run_patterns() {
  const auto weighted = Kast::vectorize(Weighted{});
  const auto two      = Kast::vectorize<2, 2>(SumAndProduct{});
  for (const Pattern& pattern : patterns())
    for (const Layout layout : {Layout::right, Layout::left, Layout::mixed})
      run_case<Space, double, double, 2, 1, false, Forms::both>(pattern, layout, "multiply", Kast::multiply);
  for (const Pattern& pattern : patterns()) {
    const std::string name = pattern.name;
    const bool chosen =
        name == "row" || name == "outer" || name == "transposed" || name == "short3" || name == "padded";
    if (!chosen) continue;
    run_case<Space, double, double, 2, 1, true, Forms::both>(pattern, Layout::right, "multiply_masked", Kast::multiply);
    run_case<Space, double, double, 2, 2, false, Forms::both>(pattern, Layout::right, "sum_and_product", two);
    run_case<Space, double, double, 3, 1, false, Forms::both>(pattern, Layout::right, "fma", Kast::fma);
    run_case<Space, double, double, 4, 1, false, Forms::both>(pattern, Layout::right, "weighted", weighted);
  }
}
KAST_HASH_ON_ALL_SPACES(run_patterns)

}  // namespace KastHash
