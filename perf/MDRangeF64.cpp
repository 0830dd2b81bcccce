// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MDRange.hpp"
#include "Spaces.hpp"

#define KAST_PERF_INSTANTIATE(Exec) template struct KastPerf::MDRangeWork<Exec, double>;
KAST_PERF_FOR_SPACES(KAST_PERF_INSTANTIATE)

bool KastPerf::has_mdrange(const Case& c) {
  if (c.operation != Operation::multiply || c.output.extents.rank() != 3 || c.layout == "right-left") return false;
  for (const char* op : {"multiply", "multiply.flat", "multiply.column", "multiply.middle", "multiply.rank0"})
    if (c.op == op) return true;
  return false;
}
