// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on integers and complex numbers.
#include "Cases.hpp"

namespace KastHash {

template <class Space>
void run_others() {
  run_operation<Space, std::int8_t, std::int8_t, 2, Forms::both>("multiply", Kast::multiply);
  run_operation<Space, std::int8_t, std::int8_t, 2>("divide", Kast::divide);
  run_operation<Space, std::int8_t, std::int8_t, 2>("maximum", Kast::maximum);
  run_operation<Space, std::int32_t, std::int32_t, 2>("add", Kast::add);
  run_operation<Space, std::int32_t, std::int32_t, 2>("left_shift", Kast::left_shift);
  run_operation<Space, std::int32_t, bool, 2>("equal", Kast::equal);
  run_operation<Space, Complex, Complex, 2>("add", Kast::add);
  run_operation<Space, Complex, Complex, 2, Forms::both>("multiply", Kast::multiply);
  run_operation<Space, Complex, Complex, 2>("divide", Kast::divide);
  run_operation<Space, Complex, bool, 2>("less", Kast::less);
}
KAST_HASH_ON_ALL_SPACES(run_others)

}  // namespace KastHash
