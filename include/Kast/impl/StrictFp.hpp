// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target Kast::strict_fp compiles without contraction and defines KAST_STRICT_FP. Templates that compute then live in an
// inline namespace of their own: else the linker would keep one of two instantiations that round differently.
#pragma once

#ifdef KAST_STRICT_FP
#define KAST_IMPL_FP_BEGIN inline namespace strict_fp {
#define KAST_IMPL_FP_END }
#else
#define KAST_IMPL_FP_BEGIN
#define KAST_IMPL_FP_END
#endif
