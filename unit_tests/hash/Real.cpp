// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on real numbers that must be equal, bit for bit, on every backend.
#include "Cases.hpp"

namespace KastHash {

template <class Space>
void run_real() {
  run_operation<Space, double, double, 2>("add", Kast::add);
  run_operation<Space, double, double, 2>("subtract", Kast::subtract);
  run_operation<Space, double, double, 2>("divide", Kast::divide);
  run_operation<Space, double, double, 1>("sqrt", Kast::sqrt);
  run_operation<Space, double, double, 2>("minimum", Kast::minimum);
  run_operation<Space, double, double, 2>("maximum", Kast::maximum);
  run_operation<Space, double, bool, 2>("less", Kast::less);
  run_operation<Space, float, float, 2, Forms::both>("multiply", Kast::multiply);
  run_operation<Space, float, float, 2>("divide", Kast::divide);
  run_operation<Space, float, float, 1>("sqrt", Kast::sqrt);
  run_operation<Space, float, float, 3>("fma", Kast::fma);
  run_operation<Space, float, bool, 2>("greater_equal", Kast::greater_equal);
}
KAST_HASH_ON_ALL_SPACES(run_real)

}  // namespace KastHash
