// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: Kast: numbers and bare pointers do not say where to run; pass an execution space instance first
#include <Kast/Math.hpp>

void call() { Kast::add(1.0, 2.0); }
