#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`kast run` and `kast make` against NumPy: whole files, byte for byte.

usage: test_tool.py KAST [SPACE]"""
import io
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy_env

numpy_env.use_numpy()
import numpy as np  # noqa: E402

KAST = sys.argv[1]
SPACE = sys.argv[2] if len(sys.argv) > 2 else None
SEED = int(os.environ.get("KAST_TEST_SEED", "20261201"))

TYPES = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
UNARY = ["negative", "absolute", "sqrt", "exp", "log", "sin", "cos", "tanh", "floor", "ceil", "logical_not", "invert", "copy"]
BINARY = ["add", "subtract", "multiply", "divide", "minimum", "maximum", "power",
          "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
          "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor",
          "left_shift", "right_shift"]
# Functions of the C library: the sign of a NaN is nobody's promise. The magnitude of a complex number is one more of them,
# which NumPy computes by a formula of its own.
LIBRARY = {"sqrt", "exp", "log", "sin", "cos", "tanh", "power"}
FUNCTIONS = {name: getattr(np, name) for name in UNARY + BINARY if name != "copy"}
FUNCTIONS.update(copy=lambda a: np.copy(a, order="K"), select=np.where, clip=np.clip)
SPECIAL_FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-3, 100.25, np.inf, -np.inf, np.nan, 6e-8, 65504.0]


def file_bytes(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def values(dtype, count=64, shift=0):
    """Values of a type that reach its corners; `shift` turns them, so that two operands meet in different pairs."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        base = np.array([False, True, True])
    elif dtype.kind in "iu":
        info = np.iinfo(dtype)
        base = np.array([0, 1, 2, 3, 7, 100, info.max, info.max - 1, info.min, info.min + 1], dtype=dtype)
    elif dtype.kind == "f":
        base = np.array(SPECIAL_FLOATS).astype(dtype)
    else:
        parts = [0.0, -0.0, 1.0, -1.5, 2.0, 1e-3, 50.0]
        base = np.array([complex(a, b) for a, b in itertools.product(parts, parts)]).astype(dtype)
    return np.roll(np.resize(base, count), shift)


class ToolTest(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def kast(self, *words):
        return subprocess.run([KAST, *map(str, words)], capture_output=True, text=True)

    def save(self, name, array):
        (self.path / name).write_bytes(array if isinstance(array, bytes) else file_bytes(array))
        return self.path / name

    def run_kast(self, operation, inputs, options=()):
        """The bytes of the result, or the refusal's text."""
        paths = [self.save(f"in{k}.npy", array) for k, array in enumerate(inputs)]
        output = self.path / "out.npy"
        output.unlink(missing_ok=True)
        space = ["--space", SPACE] if SPACE else []
        done = self.kast("run", operation, *paths, "-o", output, *space, *options)
        if done.returncode == 0:
            return output.read_bytes()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("kast: "), done.stderr)
        self.assertFalse(output.exists())
        return done.stderr

    def check(self, operation, inputs, expected=None, options=(), what=""):
        arrays = [np.load(io.BytesIO(a)) if isinstance(a, bytes) else a for a in inputs]
        if expected is None:
            expected = FUNCTIONS[operation](*arrays)
        result = self.run_kast(operation, inputs, options)
        what = f"{operation} {what} " + ", ".join(f"{a.dtype.str}{a.shape}{'F' if a.flags.fnc else ''}" for a in arrays)
        self.assertIsInstance(result, bytes, f"{what}: {result}")
        if result == file_bytes(expected):
            return
        got = np.load(io.BytesIO(result))
        self.assertEqual((got.dtype, got.shape, got.flags.fnc), (expected.dtype, expected.shape, np.load(io.BytesIO(file_bytes(expected))).flags.fnc), what)
        if operation in LIBRARY and np.array_equal(got, expected, equal_nan=True):
            return
        if operation == "absolute" and arrays[0].dtype.kind == "c":
            np.testing.assert_array_max_ulp(got, expected, 1)
            return
        raw = [np.ascontiguousarray(a).reshape(-1).view(np.uint8).reshape(a.size, -1) for a in (got, expected)]
        wrong = np.flatnonzero((raw[0] != raw[1]).any(axis=1))
        first = [tuple(np.ravel(np.broadcast_to(a, expected.shape))[i] for a in arrays) for i in wrong[:4]]
        self.fail(f"{what}: {wrong.size} of {expected.size} differ; inputs {first}, kast {np.ravel(got)[wrong[:4]]!r}, "
                  f"numpy {np.ravel(expected)[wrong[:4]]!r}")


class RealInput(ToolTest):
    def test_story(self):
        multiply_by = np.arange(20000.0).reshape(4000, 5)
        discount = np.arange(2000000.0).reshape(100, 4000, 5)
        self.check("multiply", [multiply_by, discount])
        self.check("multiply", [np.asfortranarray(multiply_by), np.asfortranarray(discount)])
        self.check("multiply", [multiply_by.astype("f4"), discount])
        self.check("multiply", [multiply_by, np.asfortranarray(discount.astype("f4"))])

    def test_image(self):
        random = np.random.default_rng(SEED)
        image = random.integers(0, 256, (480, 640, 3), dtype=np.uint8)
        self.check("multiply", [image, np.array([0.5, 1.25, 2.0], dtype="f4")])
        self.check("multiply", [image.astype("f4"), np.array([0.5, 1.25, 2.0], dtype="f4")])
        self.check("multiply", [image, np.array([1, 2, 3], dtype="u1")])
        self.check("add", [image, np.array(7, dtype="i4")])
        self.check("greater", [image, np.array([100, 120, 140], dtype="u1")])


class EveryOperation(ToolTest):
    def expect(self, operation, inputs):
        """Compares with NumPy's result, or with its refusal."""
        names = [a.dtype.str for a in inputs]
        try:
            expected = FUNCTIONS[operation](*inputs)
        except (TypeError, ValueError):
            self.assertIsInstance(self.run_kast(operation, inputs), str, f"{operation} {names}: NumPy refuses this")
            return
        if operation == "power" and expected.dtype.kind == "c":
            return  # not offered
        with self.subTest(operation=operation, types=names):
            self.check(operation, inputs, expected)

    def test_unary(self):
        for operation, dtype in itertools.product(UNARY, TYPES):
            self.expect(operation, [values(dtype)])

    def test_binary_of_one_type(self):
        for operation, dtype in itertools.product(BINARY, TYPES):
            for shift in (1, 3):
                second = values(dtype, shift=shift)
                if operation == "power" and np.dtype(dtype).kind == "i":
                    second = np.abs(second // 2)
                self.expect(operation, [values(dtype), second])

    def test_binary_of_mixed_types(self):
        random = np.random.default_rng(SEED)
        pairs = list(itertools.permutations(TYPES, 2))
        for operation in BINARY:
            for k in random.choice(len(pairs), 16, replace=False):
                a, b = (values(dtype, shift=shift) for dtype, shift in zip(pairs[k], (0, 3)))
                if operation == "power" and b.dtype.kind == "i":
                    b = np.abs(b // 2)
                self.expect(operation, [a, b])

    def test_integers_of_both_signs_compare_exactly(self):
        for operation in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
            for shift in range(10):
                self.expect(operation, [values("u8"), values("i8", shift=shift)])
                self.expect(operation, [values("i1"), values("u8", shift=shift)])

    def test_negative_powers_are_refused(self):
        text = self.run_kast("power", [np.arange(4), np.array([1, 2, -1, 3])])
        self.assertIn("negative integer powers", text)
        self.check("power", [np.zeros((0,), "i8"), np.array([-1])])

    def test_select(self):
        condition = np.resize([True, False, False], 64)
        for dtype in TYPES:
            self.check("select", [condition, values(dtype), values(dtype, shift=2)])
        self.check("select", [np.arange(64) % 3, values("i4"), values("u1")])
        self.check("select", [values("f4"), values("f2"), values("u1")])

    def test_clip(self):
        for dtype in TYPES:
            self.check("clip", [values(dtype), values(dtype, shift=2), values(dtype, shift=5)])
        self.check("clip", [values("i4"), values("u1"), np.array(50, dtype="i2")])

    def test_fma(self):
        for dtype in ("f4", "f8"):
            a, b, c = (np.linspace(0.1, 9, 64).astype(dtype) * k for k in (1, 3, 7))
            exact = (a.astype("f8") * b.astype("f8") + c.astype("f8")).astype("f4") if dtype == "f4" else None
            got = np.load(io.BytesIO(self.run_kast("fma", [a, b, c])))
            self.assertEqual(got.dtype, a.dtype)
            np.testing.assert_allclose(got, exact if exact is not None else a * b + c, rtol=2 * np.finfo(dtype).eps)

    def test_cast(self):
        for source, target in itertools.product(TYPES, TYPES):
            array = values(source)
            if np.dtype(source).kind in "fc" and np.dtype(target).kind in "iu":
                array = np.array([0, 1, 2.75, 100]).astype(source)  # what does not fit is undefined
            with self.subTest(source=source, target=target):
                self.check("cast", [array], array.astype(target), ["--dtype", target])

    def test_cast_rounds_once(self):
        halfway = np.array([1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-11, 1 + 3 * 2.0**-11 - 2.0**-40, 2.0**-25, 2.0**-25 * (1 + 2.0**-30)])
        self.check("cast", [halfway], halfway.astype("f2"), ["--dtype", "f2"])
        self.check("cast", [halfway], halfway.astype("f4"), ["--dtype", "f4"])


class ShapesAndOrders(ToolTest):
    def test_drawn_at_random(self):
        random = np.random.default_rng(SEED)
        for case in range(150):
            full = [int(n) for n in random.integers(1, 5, random.integers(0, 6))]
            if case % 10 == 9 and full:
                full[0] = 0
            inputs = []
            for _ in range(2):
                shape = full[random.integers(0, len(full) + 1):]
                shape = [1 if random.random() < 0.25 else n for n in shape]
                array = random.integers(-9, 9, shape).astype(random.choice(["i4", "f4", "f8", "u1"]))
                inputs.append(np.asfortranarray(array) if random.random() < 0.5 else array)
            with self.subTest(case=case, seed=SEED):
                self.check(str(random.choice(["add", "subtract", "multiply", "less"])), inputs)

    def test_order_follows_the_inputs(self):
        a = np.arange(24.0).reshape(2, 3, 4)
        f = np.asfortranarray(a)
        for inputs in ([a, f], [f, a], [f, f], [f, a[0]], [f, np.asfortranarray(a[0])], [a, np.asfortranarray(a[0])],
                       [f, np.ones((1, 3, 1))], [f, np.float64(2)], [np.ones((2, 1, 1), order="F"), f[:1]]):
            self.check("add", [np.asarray(x) for x in inputs])
        for operation in ("negative", "copy"):
            self.check(operation, [f])
        self.check("select", [f > 3, f, a])
        self.check("clip", [f, np.float64(3) * np.ones(()), np.ones(()) * 9])

    def test_rank_8(self):
        a = np.arange(256, dtype="i2").reshape((2,) * 8)
        self.check("add", [a, np.asfortranarray(a)])
        self.check("multiply", [np.asfortranarray(a), np.asfortranarray(a)])

    def test_large(self):
        random = np.random.default_rng(SEED)
        a = random.random((300, 40, 70))
        for b in (random.random((40, 70)), random.random((300, 1, 70)), random.random((40, 1)), np.asfortranarray(a)):
            self.check("multiply", [a, b])
            self.check("add", [a.astype("f4"), b])


class ReadingFiles(ToolTest):
    def with_header(self, array, header, version=(1, 0), trailing=b""):
        length = len(header).to_bytes(2 if version[0] == 1 else 4, "little")
        return b"\x93NUMPY" + bytes(version) + length + header + array.tobytes() + trailing

    def test_headers(self):
        array = np.arange(12, dtype="i4").reshape(3, 4)
        text = b"{'descr': '<i4', 'fortran_order': False, 'shape': (3, 4), }"
        for version in ((1, 0), (2, 0), (3, 0)):
            for pad in range(0, 9):
                data = self.with_header(array, text + b" " * pad + b"\n", version)
                self.check("add", [data, array], array + array, what=f"version {version}, {pad} blanks")
        for header in (b'{"shape":(3,4),"descr":"<i4","fortran_order":False}', b"  {'fortran_order':False,'descr':'i4','shape':(3,4,),}",
                       b"{'descr': '=i4' , \t'fortran_order' : False, 'shape' : ( 3 , 4 ) }\n"):
            self.check("add", [self.with_header(array, header, trailing=b"more"), array], array + array, what=str(header))

    def test_unaligned_data(self):
        for dtype in TYPES:
            array = values(dtype, 5000)
            descr = array.dtype.str.encode()
            for pad in (0, 1, 2, 3, 5):
                header = b"{'descr': '" + descr + b"', 'fortran_order': False, 'shape': (5000,), }" + b" " * pad + b"\n"
                self.check("copy", [self.with_header(array, header)], array, what=f"{pad} blanks")
                self.check("equal", [self.with_header(array, header), array], array == array, what=f"{pad} blanks")

    def test_booleans_of_any_byte(self):
        header = b"{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }\n"
        data = self.with_header(np.array([0, 1, 2, 255], dtype="u1"), header)
        self.check("select", [data, np.arange(4), np.zeros(4, "i8")], np.array([0, 1, 2, 3]))
        self.check("logical_not", [data], np.array([True, False, False, False]))


class InPlace(ToolTest):
    def test_output_may_replace_an_input(self):
        path = self.save("a.npy", np.arange(5.0))
        self.assertEqual(self.kast("run", "add", path, path, "-o", path).returncode, 0)
        self.assertEqual(path.read_bytes(), file_bytes(np.arange(5.0) * 2))
        self.assertEqual(os.listdir(self.path), ["a.npy"])


class Make(ToolTest):
    def make(self, shape, *options):
        path = self.path / "made.npy"
        done = self.kast("make", shape, "-o", path, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path.read_bytes()

    def test_arange(self):
        for dtype in TYPES:
            expected = np.arange(100).astype(dtype).reshape(4, 5, 5)
            self.assertEqual(self.make("4x5x5", "--dtype", dtype, "--fill", "arange"), file_bytes(expected), dtype)
            fortran = self.make("4x5x5", "--dtype", dtype, "--fill", "arange", "--order", "F")
            self.assertEqual(fortran, file_bytes(np.asfortranarray(expected)), dtype)
        self.assertEqual(self.make("100x4000x5", "--fill=arange"), file_bytes(np.arange(2000000.0).reshape(100, 4000, 5)))

    def test_constants(self):
        for dtype, fill in itertools.product(("i1", "i8", "f2", "f4", "f8", "c8"), ("0", "7", "-3", "100")):
            expected = np.full((3, 7), int(fill), dtype=dtype)
            self.assertEqual(self.make("3x7", "--dtype", dtype, "--fill", fill), file_bytes(expected), (dtype, fill))
        for dtype, fill in itertools.product(("f2", "f4", "f8"), ("0.1", "1e-7", "1e300", "inf", "nan", "-0.0")):
            expected = np.full((5,), float(fill)).astype(dtype)
            self.assertEqual(self.make("5", "--dtype", dtype, "--fill", fill), file_bytes(expected), (dtype, fill))
        self.assertEqual(self.make("5", "--dtype", "u8", "--fill", str(2**64 - 1)), file_bytes(np.full(5, 2**64 - 1, "u8")))
        self.assertEqual(self.make("5", "--dtype", "bool", "--fill", "True"), file_bytes(np.ones(5, bool)))

    def test_shapes(self):
        for text, shape in (("scalar", ()), ("7", (7,)), ("0x3", (0, 3)), ("1x1", (1, 1)), ("2x2x2x2x2x2x2x2", (2,) * 8)):
            for order in "CF":
                expected = np.zeros(shape, order=order)
                self.assertEqual(self.make(text, "--fill", "0", "--order", order), file_bytes(expected), (text, order))

    def test_names(self):
        for name, dtype in (("f64", "f8"), ("float32", "f4"), ("i32", "i4"), ("int64", "i8"), ("u8", "u8"), ("uint8", "u1"),
                            ("complex64", "c8"), ("c128", "c16"), ("f16", "f2"), ("i8", "i8")):
            self.assertEqual(self.make("3", "--dtype", name, "--fill", "1"), file_bytes(np.ones(3, dtype)), name)

    def test_random(self):
        for dtype in TYPES:
            first = self.make("40x25", "--dtype", dtype, "--seed", "5")
            self.assertEqual(first, self.make("40x25", "--dtype", dtype, "--seed", "5"))
            self.assertNotEqual(first, self.make("40x25", "--dtype", dtype, "--seed", "6"))
            array = np.load(io.BytesIO(first))
            fortran = np.load(io.BytesIO(self.make("40x25", "--dtype", dtype, "--seed", "5", "--order", "F")))
            self.assertTrue(np.array_equal(array, fortran), dtype)
            if array.dtype.kind in "fc":
                for part in (array.real, array.imag) if array.dtype.kind == "c" else (array,):
                    self.assertTrue((part >= 0).all() and (part < 1).all())
                    self.assertAlmostEqual(float(part.astype("f8").mean()), 0.5, delta=0.05)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2 if os.environ.get("KAST_TEST_VERBOSE") else 1)
