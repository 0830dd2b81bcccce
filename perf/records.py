# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records of kast_perf and of the peers: Google Benchmark's JSON, names op/implementation/space/layout/shape/type."""

import json
import statistics
from typing import NamedTuple

DEVICES = ("Cuda", "HIP", "SYCL")
UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
PEERS_HOST = ("numpy", "numba", "numexpr")
PEERS_DEVICE = ("torch", "cupy", "jax")


class Case(NamedTuple):
    """What an implementation is measured on."""

    op: str
    space: str
    layout: str
    shape: str
    type: str

    def __str__(self):
        return "/".join(self)

    @property
    def is_device(self):
        return self.space in DEVICES


class Measurement(NamedTuple):
    seconds: float
    bytes: float  # read and written; 0 where unknown


class RecordError(Exception):
    """A file that is no record. The text names it."""


def split_name(name):
    """(Case, implementation) of a benchmark's name; None for names of another form."""
    parts = name.removesuffix("/manual_time").split("/")
    if len(parts) != 6:
        return None
    op, implementation, space, layout, shape, kind = parts
    return Case(op, space, layout, shape, kind), implementation


def _seconds(entry):
    if "median_s" in entry:
        return float(entry["median_s"])
    return float(entry["real_time"]) * UNITS[entry.get("time_unit", "ns")]


class Record:
    """One file: its context, and measurements[case][implementation]."""

    def __init__(self, path=None):
        self.context = {}
        self.measurements = {}
        if path is not None:
            self._read(path)

    def _read(self, path):
        try:
            with open(path, encoding="utf-8") as file:
                data = json.load(file)
            entries = data["benchmarks"]
            self.context = data.get("context", {})
            samples = {}
            for entry in entries:
                if entry.get("run_type", "iteration") != "iteration" or entry.get("error_occurred"):
                    continue
                key = split_name(entry["name"])
                if key is not None:
                    samples.setdefault(key, []).append((_seconds(entry), float(entry.get("bytes_per_second", 0))))
        except OSError as error:
            raise RecordError(f"{path}: {error.strerror}") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise RecordError(f"{path}: not a record of Google Benchmark ({error!r})") from error
        for (case, implementation), values in samples.items():
            seconds = statistics.median(value[0] for value in values)
            rate = statistics.median(value[1] for value in values)
            self.measurements.setdefault(case, {})[implementation] = Measurement(seconds, seconds * rate)

    def names(self):
        return {(case, implementation) for case, found in self.measurements.items() for implementation in found}

    def cache_bytes(self):
        """Bytes of the last-level cache of the host that ran it; 0 where it does not say."""
        return max((cache.get("size", 0) for cache in self.context.get("caches", [])), default=0)

    def filtered(self, accept):
        """The part whose cases `accept` takes."""
        result = Record()
        result.context = self.context
        result.measurements = {case: found for case, found in self.measurements.items() if accept(case)}
        return result


def merged(records):
    """All measurements together, with the context of the first record."""
    result = Record()
    for record in records:
        result.context = result.context or record.context
        for case, found in record.measurements.items():
            result.measurements.setdefault(case, {}).update(found)
    return result


def time_of(found, implementation):
    """Seconds of an implementation among those of a case; None where it was not measured. `best_copy` is the faster of copy
    and copy_nt, `best_peer` the fastest of the other libraries."""
    groups = {"best_copy": ("copy", "copy_nt"), "best_peer": PEERS_HOST + PEERS_DEVICE}
    names = groups.get(implementation, (implementation,))
    times = [found[name].seconds for name in found if name in names or implementation in groups and name.split(".")[0] in names]
    return min(times, default=None)


def ratio(found, fast, slow):
    """How many times as fast `fast` is as `slow`; None unless both were measured."""
    mine, other = time_of(found, fast), time_of(found, slow)
    return None if mine is None or other is None or mine <= 0 else other / mine
