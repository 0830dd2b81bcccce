# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the peers share: the shapes of kast_perf, time taken the same way, and records in Google Benchmark's form."""

import argparse
import datetime
import json
import math
import os
import platform
import re
import statistics
import sys
import time
from typing import NamedTuple

import numpy as np

DTYPES = {"f32": np.float32, "f64": np.float64, "i8": np.int8}


class Shapes:
    """The cases of perf/Suite.cpp that other libraries can express without help."""

    def __init__(self, size, device):
        self.stories, self.four, self.square, self.padded, self.short = {
            ("small", False): ([(3, 40, 5), (7, 1, 33)], (2, 3, 4, 5), (40, 30), (13, 37), 420),
            ("cache", False): ([(100, 4000, 5), (100, 400, 5), (1000, 20, 5)], (8, 64, 32, 32), (600, 500), (500, 1001),
                               500010),
            ("memory", False): ([(100, 40000, 5), (200, 100, 512), (100, 1, 100003)], (16, 64, 96, 96), (4000, 2500),
                                (4000, 2501), 10000200),
            ("cache", True): ([(100, 4000, 5)], (16, 64, 32, 32), (1500, 1000), (1000, 1001), 2000040),
            ("memory", True): ([(100, 400000, 5), (200, 1000, 512), (1000, 1, 100003)], (64, 256, 64, 64), (12000, 10000),
                               (10000, 10001), 200000010),
        }[size, device and size != "small"]


def only(shape, *axes):
    return tuple(extent if axis in axes else 1 for axis, extent in enumerate(shape))


class Case(NamedTuple):
    op: str
    layout: str  # "right" or "left"
    shape: tuple
    other: tuple  # shape of the broadcast operand; None for a factor passed by value
    kind: str  # "", "outer", "padded" or "transposed"
    type: str

    def key(self):
        return "/".join((self.op, self.layout, "x".join(map(str, self.shape)), self.type))


def cases(sizes, device, types=("f64",)):
    """The cases, less what only Kast's own suite has: mixed layouts, masks, three and five operands, two outputs."""
    for size in sizes:
        shapes = Shapes(size, device)
        for kind in types:
            for layout in ("right", "left"):
                for shape in shapes.stories:
                    flat2 = (shape[0], shape[1] * shape[2])
                    yield Case("multiply", layout, shape, shape[1:], "", kind)
                    yield Case("multiply.flat", layout, shape, shape, "", kind)
                    yield Case("multiply.scalar", layout, shape, None, "", kind)
                    yield Case("multiply.column", layout, shape, only(shape, 0), "", kind)
                    yield Case("multiply.middle", layout, shape, only(shape, 0, 2), "", kind)
                    yield Case("multiply.channel1", layout, shape, only(shape, 1), "", kind)
                    yield Case("multiply.outer", layout, flat2, only(flat2, 0), "outer", kind)
                for axis in range(4):
                    yield Case(f"multiply.channel{axis}", layout, shapes.four, only(shapes.four, axis), "", kind)
            yield Case("multiply.transposed", "right", shapes.square, shapes.square, "transposed", kind)
            yield Case("multiply.padded", "right", shapes.padded, shapes.padded[1:], "padded", kind)
            for extent in (2, 3, 5, 7):
                yield Case(f"multiply.short{extent}", "right", (shapes.short // extent, extent), (extent,), "", kind)


def operands(case, values):
    """a, b and an output of zeros, by `values(shape, seed)`: a dense row-major array of small integers, zeros for seed 0.
    Other layouts are views, which any library with `.T` can make. a is None for a factor passed by value."""

    def dense(shape, seed, layout=case.layout):
        return values(shape[::-1], seed).T if layout == "left" and len(shape) > 1 else values(shape, seed)

    shape, other = case.shape, case.other
    if case.kind == "outer":
        return dense(only(shape, 0), 1), dense(only(shape, 1), 2), dense(shape, 0)
    if case.kind == "padded":
        wide = (*shape[:-1], shape[-1] + 24)
        return values(other, 1), values(wide, 2)[..., : shape[-1]], values(wide, 0)[..., : shape[-1]]
    a = None if other is None else dense(other, 1, "left" if case.kind == "transposed" else case.layout)
    return a, dense(shape, 2), dense(shape, 0)


def numpy_values(dtype):
    """Small integers, so that products are exact in every type."""

    def values(shape, seed):
        if seed == 0:
            return np.zeros(shape, dtype)
        places = np.arange(math.prod(shape), dtype=np.int64)
        return ((places * (2654435761 + seed) >> 7) % 7 + 1).astype(dtype).reshape(shape)

    return values


def bytes_of(case, a, b, out):
    """Bytes that must be read and written; each array has a shape."""
    elements = sum(math.prod(array.shape) for array in (a, b, out) if array is not None)
    return elements * np.dtype(DTYPES[case.type]).itemsize


def median_seconds(run, least, samples=5):
    """Median wall time of one run, after one that is not counted; runs for `least` seconds."""
    run()
    times, begin = [], time.perf_counter()
    while len(times) < samples or time.perf_counter() - begin < least:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


class Recorder:
    """Collects measurements, checks results, writes the record."""

    def __init__(self, context):
        self.context = {
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "num_cpus": os.cpu_count(),
            "processor": processor(),
            "python": platform.python_version(),
            **context,
        }
        self.benchmarks = []
        self.wrong = []

    def add(self, case, implementation, space, seconds, bytes_moved):
        op, rest = case.key().split("/", 1)
        name = "/".join((op, implementation, space, rest))
        self.benchmarks.append({
            "name": name, "run_name": name, "run_type": "iteration", "iterations": 1, "real_time": 1e6 * seconds,
            "cpu_time": 1e6 * seconds, "time_unit": "us", "median_s": seconds, "bytes_per_second": bytes_moved / seconds,
        })
        print(f"{name:70} {1e6 * seconds:12.1f} us {bytes_moved / seconds / 1e9:8.1f} GB/s", flush=True)

    def check(self, what, is_right):
        if not is_right:
            self.wrong.append(what)
            print(f"WRONG: {what}", file=sys.stderr)

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"context": self.context, "benchmarks": self.benchmarks}, file, indent=1)
            file.write("\n")

    def exit_status(self):
        return 1 if self.wrong else 0


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            match = re.search(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
            return match[1] if match else platform.machine()
    except OSError:
        return platform.machine()


def parse_arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("-o", "--output", required=True, metavar="FILE.json")
    parser.add_argument("--suite", choices=("small", "cache", "memory", "all"), default="all")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only cases whose op/layout/shape/type matches")
    parser.add_argument("--types", default="f64", help="comma-separated: f64,f32,i8")
    arguments = parser.parse_args()
    arguments.least = 0.0 if arguments.suite == "small" else 0.1
    sizes = ("cache", "memory") if arguments.suite == "all" else (arguments.suite,)

    def chosen(device):
        for case in cases(sizes, device, arguments.types.split(",")):
            if re.search(arguments.filter, case.key()):
                yield case

    return arguments, chosen
