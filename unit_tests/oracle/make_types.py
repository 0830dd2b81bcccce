#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes numpy_types.txt: the result type of every operation of `kast run` for every combination of input types, as
NumPy has it for arrays. Run again when NumPy's rules change; TestToolTypes.cpp holds the tool against the file."""
import itertools
import pathlib
import warnings

import numpy as np

TYPES = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
UNARY = ["negative", "absolute", "sqrt", "exp", "log", "sin", "cos", "tanh", "floor", "ceil", "logical_not", "invert", "copy"]
BINARY = ["add", "subtract", "multiply", "divide", "minimum", "maximum", "power",
          "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
          "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor",
          "left_shift", "right_shift"]
FUNCTIONS = {name: getattr(np, name) for name in UNARY + BINARY}
FUNCTIONS["select"] = np.where
FUNCTIONS["clip"] = np.clip


def array(name):
    return np.ones((2,), dtype=np.dtype(name))


def short(dtype):
    return "bool" if dtype == np.bool_ else dtype.str[1:]


def result(name, types):
    try:
        return short(FUNCTIONS[name](*map(array, types)).dtype)
    except TypeError:
        return "-"


def main():
    warnings.simplefilter("ignore")
    lines = [f"# NumPy {np.__version__}: operation, types of the inputs but the last: result for each type of the last input",
             "last: " + " ".join(TYPES)]
    for names, arity in ((UNARY, 1), (BINARY, 2), (["clip"], 3)):
        for name in names:
            for front in itertools.product(TYPES, repeat=arity - 1):
                row = [result(name, front + (last,)) for last in TYPES]
                lines.append(f"{' '.join((name,) + front)}: {' '.join(row)}")
    for front in TYPES:  # the condition's type never matters
        lines.append(f"select i4 {front}: " + " ".join(result("select", ("i4", front, last)) for last in TYPES))
    pathlib.Path(__file__).with_name("numpy_types.txt").write_text("\n".join(lines) + "\n")


main()
