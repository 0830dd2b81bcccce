// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EngineOf.hpp"

template KastPerf::Engines KastPerf::make_engines<std::int8_t>();
