#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`kast run` on every space that works here: the files are the same, byte for byte. On devices, functions of the mathematics
library may differ by 4 units in the last place. Standard library only.

usage: test_spaces.py KAST"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

KAST = sys.argv[1]
HOSTS = ("Serial", "OpenMP", "Threads")
TYPES = ("f4", "f8", "i4", "u1")  # what every build has on its device
UNARY = ("negative", "absolute", "sqrt", "exp", "log", "sin", "cos", "tanh", "floor", "ceil", "logical_not", "invert", "copy")
BINARY = ("add", "subtract", "multiply", "divide", "minimum", "maximum", "power", "equal", "not_equal", "less", "less_equal",
          "greater", "greater_equal", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor",
          "left_shift", "right_shift")
TERNARY = ("select", "clip", "fma")
LIBRARY = {"exp", "log", "sin", "cos", "tanh", "power"}
SHAPES = (("30x41x7", "41x1", "7"), ("1000", "1000", "1"), ("3x5x7x2", "scalar", "7x1"), ("0x4", "4", "1"), ("257x129", "1x129", "257x1"))


def steps(data, code):
    """Floats as integers that count representable values."""
    size = {"f": "i", "d": "q"}[code]
    count = len(data) // struct.calcsize(code)
    mask = (1 << (8 * struct.calcsize(code) - 1)) - 1
    return [v if v >= 0 else -(v & mask) for v in struct.unpack(f"<{count}{size}", data)]


class Spaces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        facts = json.loads(subprocess.run([KAST, "info", "--json"], check=True, capture_output=True, text=True).stdout)
        cls.spaces = facts["available"]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def make(self, shape, dtype, order, seed):
        path = self.path / f"{shape}-{dtype}-{order}-{seed}.npy"
        if not path.exists():
            subprocess.run([KAST, "make", shape, "-o", path, "--dtype", dtype, "--order", order, "--seed", str(seed)], check=True)
        return path

    def run_on(self, space, operation, inputs):
        path = self.path / "out.npy"
        path.unlink(missing_ok=True)
        done = subprocess.run([KAST, "run", operation, *inputs, "-o", path, "--space", space], capture_output=True, text=True)
        return path.read_bytes() if done.returncode == 0 else done.stderr

    def compare(self, operation, inputs, names):
        expected = self.run_on(self.spaces[0], operation, inputs)
        for space in self.spaces[1:]:
            got = self.run_on(space, operation, inputs)
            what = f"{operation} of {names} on {space}"
            if isinstance(got, str):
                # Some loop types are on hosts only in a build with the short list.
                if space not in HOSTS and "kernel for" in got:
                    continue
                self.assertEqual(got, expected, what)
            elif operation in LIBRARY and space not in HOSTS and isinstance(expected, bytes):
                self.check_near(got, expected, what)
            else:
                self.assertEqual(got, expected, what)

    def check_near(self, got, expected, what):
        start = 10 + struct.unpack("<H", expected[8:10])[0]
        self.assertEqual(got[:start], expected[:start], what)
        code = {b"<f4": "f", b"<f8": "d"}.get(expected[start - 118:].split(b"'")[3] if start == 128 else b"")
        if code is None:
            self.assertEqual(got, expected, what)
            return
        values = struct.unpack(f"<{(len(expected) - start) // struct.calcsize(code)}{code}", expected[start:])
        for value, a, b in zip(values, steps(got[start:], code), steps(expected[start:], code)):
            if value == value:
                self.assertLessEqual(abs(a - b), 4, f"{what}: {value}")

    def cases(self, operations, count):
        for number, operation in enumerate(operations):
            for dtype in TYPES:
                shapes = SHAPES[(number + TYPES.index(dtype)) % len(SHAPES)]
                orders = "CF"[number % 2], "C", "F"
                inputs = [self.make(shapes[k], dtype, orders[k], k) for k in range(count)]
                with self.subTest(operation=operation, dtype=dtype):
                    self.compare(operation, inputs, f"{dtype} {shapes[:count]}")

    def test_unary(self):
        self.cases(UNARY, 1)

    def test_binary(self):
        self.cases(BINARY, 2)

    def test_ternary(self):
        self.cases(TERNARY, 3)

    def test_every_pair_of_shapes(self):
        for shapes in SHAPES:
            # A device takes most of a second to start, so it gets fewer of these.
            for orders in ("CC", "CF", "FC", "FF") if set(self.spaces) <= set(HOSTS) else ("CF",):
                for dtypes in (("f8", "f8"), ("u1", "f4"), ("i4", "f4"), ("f2", "f4"), ("bool", "f8")):
                    inputs = [self.make(shapes[k], dtypes[k], orders[k], k) for k in range(2)]
                    self.compare("multiply", inputs, f"{dtypes} {shapes} {orders}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
