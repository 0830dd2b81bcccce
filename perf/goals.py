# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The goals for speed, each held against a record: worst case, share of the cases that hold, and which case is the worst."""

import math
import re
from typing import NamedTuple

from records import ratio, time_of

COPY_PATTERNS = re.compile(r"multiply(\.(flat|scalar|column|middle|outer|channel\d))?$")
SHORT_PATTERNS = r"multiply\.(short\d|padded)$"


class Goal(NamedTuple):
    text: str
    asked: float
    unit: str  # "" for ratios, of which more is better; "us" for times, of which less is
    figures: object  # record -> {case: figure}


class Standing(NamedTuple):
    goal: Goal
    worst: float
    worst_case: str
    held: int
    count: int


def _ratios(fast, slow, accept):
    def figures(record):
        found = {case: ratio(m, fast, slow) for case, m in record.measurements.items() if accept(case, m, record)}
        return {case: figure for case, figure in found.items() if figure is not None}

    return figures


def _is_dense_layout(case):
    return case.layout in ("right", "left")


def _outside_cache(found, record):
    cache = record.cache_bytes() or 32 << 20
    return max((m.bytes for m in found.values()), default=0) > cache


def _device_copy(case, found, record):
    return case.is_device and COPY_PATTERNS.match(case.op) and _is_dense_layout(case)


def _host_copy(outside):
    def accept(case, found, record):
        fits = COPY_PATTERNS.match(case.op) and _is_dense_layout(case) and not case.is_device
        return fits and _outside_cache(found, record) == outside

    return accept


def _host_any(case, found, record):
    return not case.is_device


def _any(case, found, record):
    return True


def _slow_torch(case, found, record):
    share = ratio(found, "torch", "copy")
    return case.is_device and share is not None and share < 0.95


def _rank_figures(record):
    """The rate at each rank as a share of the best rank's; ranks are compared within a space, a type and a size."""
    groups = {}
    for case, found in record.measurements.items():
        if case.is_device and re.match(r"multiply\.rank[1-8]$", case.op) and "kast" in found:
            size = math.prod(int(extent) for extent in case.shape.split("x"))
            groups.setdefault((case.space, case.type, size), {})[case] = found["kast"].seconds
    return {case: min(group.values()) / seconds for group in groups.values() for case, seconds in group.items()}


def _short_row_figures(record):
    """Kast on all threads against Kast on one, on rows of 100 elements."""
    figures = {}
    for case, found in record.measurements.items():
        one = record.measurements.get(case._replace(space="Serial"), {})
        rows_of_100 = re.match(r"\d+x20x5$", case.shape)
        if case.space in ("OpenMP", "Threads") and rows_of_100 and "kast" in found and "kast" in one:
            figures[case] = one["kast"].seconds / found["kast"].seconds
    return figures


def _call_figures(device):
    """Microseconds of a whole call above a bare parallel_for."""

    def figures(record):
        result = {}
        for case, found in record.measurements.items():
            kast, bare = time_of(found, "kast"), time_of(found, "bare")
            if case.op == "call" and case.is_device == device and kast is not None and bare is not None:
                result[case] = 1e6 * (kast - bare)
        return result

    return figures


def _op(pattern, device=True):
    expression = re.compile(pattern)
    return lambda case, found, record: case.is_device == device and bool(expression.match(case.op))


GOALS = (
    Goal("device: kast/copy, patterns with a goal, both layouts", 0.95, "", _ratios("kast", "copy", _device_copy)),
    Goal("device: kast/copy, transposed operand", 0.85, "", _ratios("kast", "copy", _op(r"multiply\.transposed$"))),
    Goal("device: kast/copy, short innermost axis and padded rows", 0.9, "", _ratios("kast", "copy", _op(SHORT_PATTERNS))),
    Goal("device: each of ranks 1 to 8 against the fastest", 0.95, "", _rank_figures),
    Goal("device: kast/torch where torch is below 0.95 of copy", 1.05, "", _ratios("kast", "torch", _slow_torch)),
    Goal("device: host time of a call above a bare parallel_for", 1.5, "us", _call_figures(True)),
    Goal("host: kast/copy, outside the cache", 1.0, "", _ratios("kast", "copy", _host_copy(True))),
    Goal("host: kast/better of copy and copy_nt, outside the cache", 0.95, "", _ratios("kast", "best_copy", _host_copy(True))),
    Goal("host: kast/copy, inside the cache", 0.9, "", _ratios("kast", "copy", _host_copy(False))),
    Goal("host: kast/best of NumPy, Numba, numexpr", 1.2, "", _ratios("kast", "best_peer", _host_any)),
    Goal("host: all threads against one, rows of 100 elements", 1 / 1.1, "", _short_row_figures),
    Goal("host: time of a call above a bare parallel_for", 1.5, "us", _call_figures(False)),
    Goal("kast/flat, every case", 1.0, "", _ratios("kast", "flat", _any)),
    Goal("kast/mdrange, every case", 1.0, "", _ratios("kast", "mdrange", _any)),
    Goal("kast/numpy, every case", 1.0, "", _ratios("kast", "numpy", _any)),
)


def standings(record):
    """Where each goal stands; goals without a case in the record are left out."""
    result = []
    for goal in GOALS:
        figures = goal.figures(record)
        if not figures:
            continue
        lower_is_worse = goal.unit == ""
        worst_case = (min if lower_is_worse else max)(figures, key=figures.get)
        holds = [figure >= goal.asked if lower_is_worse else figure <= goal.asked for figure in figures.values()]
        result.append(Standing(goal, figures[worst_case], str(worst_case), sum(holds), len(holds)))
    return result


def asked_text(goal):
    return f"<= {goal.asked:g} {goal.unit}" if goal.unit else f">= {goal.asked:.3g}"


def worst_text(standing):
    return f"{standing.worst:.2f}" + (f" {standing.goal.unit}" if standing.goal.unit else "")
