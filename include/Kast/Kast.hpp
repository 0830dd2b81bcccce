// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of Kast.
#pragma once

#include <Kast/Error.hpp>
#include <Kast/Extents.hpp>
#include <Kast/Math.hpp>
#include <Kast/Npy.hpp>
#include <Kast/Operand.hpp>
#include <Kast/Plan.hpp>
#include <Kast/Ufunc.hpp>
