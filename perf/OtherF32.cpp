// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OtherWork.hpp"
#include "Spaces.hpp"

#define KAST_PERF_INSTANTIATE(Exec) template struct KastPerf::OtherWork<Exec, float>;
KAST_PERF_FOR_SPACES(KAST_PERF_INSTANTIATE)
