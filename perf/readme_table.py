#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the README's performance tables from the newest records, so that they cannot drift.

Records are results/<date>-<machine>.json of kast_perf and results/<date>-<machine>-peers.json of the peers; for each machine
the newest of each, by name, counts. The tables stand between the lines `<!-- perf:begin -->` and `<!-- perf:end -->`.
"""

import argparse
import pathlib
import re
import sys

from goals import asked_text, standings, worst_text
from records import DEVICES, Record, RecordError, merged, ratio, time_of

BEGIN, END = "<!-- perf:begin -->", "<!-- perf:end -->"
HERE = pathlib.Path(__file__).resolve().parent
FILE = re.compile(r"(\d{4}-\d{2}-\d{2}[^-]*)-(.+?)(-peers)?\.json")
PATTERNS = (
    ("multiply", "last axes shared: the story"),
    ("multiply.flat", "same shapes"),
    ("multiply.scalar", "a number"),
    ("multiply.column", "(n,1,1)"),
    ("multiply.middle", "(n,1,o)"),
    ("multiply.channel1", "(1,m,1)"),
    ("multiply.outer", "outer product of two vectors"),
    ("multiply.transposed", "transposed operand"),
    ("multiply.short3", "innermost axis of 3"),
    ("multiply.padded", "padded rows"),
)


def newest_records(folder):
    """machine -> record of the newest run with the newest peers beside it."""
    runs, peers = {}, {}
    for path in sorted(folder.glob("*.json")):
        match = FILE.fullmatch(path.name)
        if match:
            (peers if match[3] else runs)[match[2]] = path
    result = {}
    for machine, path in runs.items():
        parts = [Record(path)] + ([Record(peers[machine])] if machine in peers else [])
        result[machine] = (path, merged(parts))
    return result


def best_peer(found):
    """The fastest other library by name, and how many times as fast Kast is."""
    names = [name for name in found if time_of({name: found[name]}, "best_peer") is not None]
    if not names:
        return ""
    fastest = min(names, key=lambda name: found[name].seconds)
    return f"{fastest} {ratio(found, 'kast', fastest):.2f}"


def share(found, implementation):
    value = ratio(found, implementation, "copy")
    return "" if value is None else f"{value:.2f}"


def chosen_space(record):
    """The device where there is one, else all threads."""
    spaces = {case.space for case in record.measurements if case.op != "call"}
    return next((space for space in (*DEVICES, "OpenMP", "Threads", "Serial") if space in spaces), None)


def largest(record, space, op):
    """The case of a pattern that moves most: row-major float64."""
    fitting = {case: found for case, found in record.measurements.items()
               if case._replace(shape="") == (op, space, "right", "", "f64") and {"kast", "copy"} <= set(found)}
    return max(fitting.items(), key=lambda item: item[1]["kast"].bytes, default=None)


def machine_table(path, record):
    context, space = record.context, chosen_space(record)
    name = context.get("device") if space in DEVICES else f"{context.get('processor')}, {context.get('host_threads')} threads"
    lines = [
        f"**{name}** ({space}; Kokkos {context.get('kokkos')}, {context.get('compiler')}; commit {context.get('commit')}; "
        f"[{path.name}](perf/results/{path.name}))", "",
        "| operand | shape | Kast, GB/s | Kast | MDRangePolicy | flat RangePolicy | Kast / best other library |",
        "|---|---|---|---|---|---|---|",
    ]
    for op, text in PATTERNS:
        item = largest(record, space, op)
        if item is None:
            continue
        case, found = item
        rate = found["kast"].bytes / found["kast"].seconds / 1e9
        lines.append(f"| {text} | {case.shape} | {rate:.0f} | {share(found, 'kast')} | {share(found, 'mdrange')} | "
                     f"{share(found, 'flat')} | {best_peer(found)} |")
    lines += ["", "| goal | asked | worst case | cases that hold |", "|---|---|---|---|"]
    for standing in standings(record):
        lines.append(f"| {standing.goal.text} | {asked_text(standing.goal)} | {worst_text(standing)} "
                     f"(`{standing.worst_case}`) | {standing.held} of {standing.count} |")
    return lines


def tables(folder):
    lines = ["Multiplication of float64 arrays in row-major order. Columns Kast, MDRangePolicy (as people write it) and flat",
             "RangePolicy are shares of a plain copy of the same bytes in the same run. Below, where the goals stand over all",
             "cases of the suite.", ""]
    for path, record in newest_records(folder).values():
        lines += machine_table(path, record) + [""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where the tables are stale")
    parser.add_argument("--readme", type=pathlib.Path, default=HERE.parent / "README.md")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results")
    arguments = parser.parse_args()
    try:
        text = arguments.readme.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN + "\n", 1)
        _, after = rest.split(END, 1)
        wanted = f"{before}{BEGIN}\n{tables(arguments.results)}{END}{after}"
    except OSError as error:
        sys.exit(f"readme_table.py: {arguments.readme}: {error.strerror}")
    except ValueError:
        sys.exit(f"readme_table.py: {arguments.readme} has no lines {BEGIN} and {END}")
    except RecordError as error:
        sys.exit(f"readme_table.py: {error}")
    if wanted == text:
        return 0
    if arguments.check:
        print(f"readme_table.py: the tables in {arguments.readme} are stale; run perf/readme_table.py", file=sys.stderr)
        return 1
    arguments.readme.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
