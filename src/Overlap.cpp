// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kast/impl/Overlap.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace Kast::Impl {
namespace {

using Int = std::int64_t;

// One term of the equation: coefficient * v with low <= v <= high.
struct Term {
  Int coefficient;
  Int low, high;
};

Int floor_div(Int a, Int b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
Int ceil_div(Int a, Int b) { return -floor_div(-a, b); }

// Insertion: a handful of terms.
template <class Before>
void sort_terms(Term* terms, int count, const Before& before) {
  for (int k = 1; k < count; ++k)
    for (int place = k; place > 0 && before(terms[place], terms[place - 1]); --place)
      std::swap(terms[place], terms[place - 1]);
}

// Decides whether sum coefficient_i * v_i = target has a solution within the bounds. Terms are taken from the largest
// coefficient down; the interval that the remaining terms can reach leaves few values for each v: one or two where
// strides nest, as those of subviews of one parent do, so that the search is then exact and short.
// The general problem is NP-hard, hence the cap. Method: as in NumPy's mem_overlap, bounds and gcd pruning.
class BoundedEquation {
 public:
  void add(Int coefficient, Int low, Int high) {
    if (low == high && low == 0) return;
    if (coefficient < 0) {
      coefficient = -coefficient;
      std::swap(low, high);
      low  = -low;
      high = -high;
    }
    if (coefficient == 0) return;
    for (int k = 0; k < m_count; ++k) {
      if (m_terms[k].coefficient == coefficient) {
        m_terms[k].low += low;
        m_terms[k].high += high;
        return;
      }
    }
    m_terms[m_count++] = {coefficient, low, high};
  }

  Answer solve(Int target) {
    sort_terms(m_terms, m_count, [](const Term& a, const Term& b) { return a.coefficient > b.coefficient; });
    m_low[m_count] = m_high[m_count] = m_gcd[m_count] = 0;
    for (int k = m_count - 1; k >= 0; --k) {
      const Term& t = m_terms[k];
      m_low[k]      = m_low[k + 1] + t.coefficient * t.low;
      m_high[k]     = m_high[k + 1] + t.coefficient * t.high;
      m_gcd[k]      = std::gcd(m_gcd[k + 1], t.coefficient);
    }
    m_steps_left = 20000;
    return search(0, target);
  }

 private:
  Answer search(int k, Int rest) {
    if (rest < m_low[k] || rest > m_high[k]) return Answer::no;
    if (k == m_count) return Answer::yes;
    if (rest % m_gcd[k] != 0) return Answer::no;
    if (m_steps_left-- <= 0) return Answer::perhaps;
    const Term& t   = m_terms[k];
    const Int first = std::max(t.low, ceil_div(rest - m_high[k + 1], t.coefficient));
    const Int last  = std::min(t.high, floor_div(rest - m_low[k + 1], t.coefficient));
    for (Int v = first; v <= last; ++v) {
      const Answer answer = search(k + 1, rest - t.coefficient * v);
      if (answer != Answer::no) return answer;
    }
    return Answer::no;
  }

  static constexpr int capacity = 2 * max_rank + 2;
  Term m_terms[capacity];
  int m_count = 0;
  Int m_low[capacity + 1], m_high[capacity + 1], m_gcd[capacity + 1];
  int m_steps_left = 0;
};

bool is_empty(const Operand& a) {
  return std::find(a.extents.begin(), a.extents.end(), std::size_t(0)) != a.extents.end();
}

// Reach of all elements in bytes; beyond this no address space holds the array and sums could wrap.
bool is_representable(const Operand& a) {
  double reach = a.value_size;
  for (int axis = 0; axis < a.extents.rank(); ++axis)
    reach += double(a.extents[axis]) * std::fabs(double(a.strides[axis])) * a.value_size;
  return reach < 0x1p60;
}

}  // namespace

ByteRange byte_range(const Operand& operand) noexcept {
  auto low = reinterpret_cast<std::uintptr_t>(operand.data), high = low;
  for (int axis = 0; axis < operand.extents.rank(); ++axis) {
    if (operand.extents[axis] == 0) return {low, low};
    const std::ptrdiff_t reach =
        std::ptrdiff_t(operand.extents[axis] - 1) * operand.strides[axis] * std::ptrdiff_t(operand.value_size);
    (reach < 0 ? low : high) += static_cast<std::uintptr_t>(reach);
  }
  return {low, high + operand.value_size};
}

Answer share_bytes(const Operand& a, const Operand& b) noexcept {
  if (is_empty(a) || is_empty(b)) return Answer::no;
  if (!is_representable(a) || !is_representable(b)) return Answer::perhaps;
  const ByteRange ra = byte_range(a), rb = byte_range(b);
  if (ra.high <= rb.low || rb.high <= ra.low) return Answer::no;

  // a.data + sum stride*x + p = b.data + sum stride*y + q, with p and q counting the bytes of one value.
  BoundedEquation equation;
  const Int size_a = a.value_size, size_b = b.value_size;
  for (int axis = 0; axis < a.extents.rank(); ++axis)
    equation.add(a.strides[axis] * size_a, 0, Int(a.extents[axis]) - 1);
  for (int axis = 0; axis < b.extents.rank(); ++axis)
    equation.add(-b.strides[axis] * size_b, 0, Int(b.extents[axis]) - 1);
  equation.add(1, -(size_b - 1), size_a - 1);
  return equation.solve(static_cast<Int>(reinterpret_cast<std::uintptr_t>(b.data)) -
                        static_cast<Int>(reinterpret_cast<std::uintptr_t>(a.data)));
}

Answer meets_itself(const Operand& a) noexcept {
  if (is_empty(a)) return Answer::no;
  Term axes[max_rank];  // coefficient: |stride| in bytes; high: extent - 1
  int count = 0;
  if (!is_representable(a)) return Answer::perhaps;
  for (int axis = 0; axis < a.extents.rank(); ++axis) {
    if (a.extents[axis] == 1) continue;
    if (a.strides[axis] == 0) return Answer::yes;
    axes[count++] = {std::abs(a.strides[axis]) * Int(a.value_size), 0, Int(a.extents[axis]) - 1};
  }
  sort_terms(axes, count, [](const Term& x, const Term& y) { return x.coefficient < y.coefficient; });

  Int reach   = a.value_size;
  bool nested = true;
  for (int k = 0; k < count && nested; ++k) {
    nested = axes[k].coefficient >= reach;
    reach += axes[k].coefficient * axes[k].high;
  }
  if (nested) return Answer::no;

  // Two indices that differ first on axis k (by sign at least 1 there) and reach the same bytes.
  Answer worst = Answer::no;
  for (int k = 0; k < count; ++k) {
    BoundedEquation equation;
    equation.add(1, -(Int(a.value_size) - 1), Int(a.value_size) - 1);
    for (int other = k + 1; other < count; ++other)
      equation.add(axes[other].coefficient, -axes[other].high, axes[other].high);
    // The shift by one keeps the bounds of the merged terms right when coefficients coincide.
    equation.add(axes[k].coefficient, 0, axes[k].high - 1);
    const Answer answer = equation.solve(-axes[k].coefficient);
    if (answer == Answer::yes) return answer;
    if (answer == Answer::perhaps) worst = answer;
  }
  return worst;
}

}  // namespace Kast::Impl
