#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ratios of measured speeds. More is better: kast/copy is 1 where Kast takes as long as a copy of the same bytes.

compare.py A.json [PEERS.json ...]   Kast against every other implementation of the same case; files are taken together
compare.py A.json B.json             where both files have the same benchmarks: how many times as fast they are in B
"""

import argparse
import math
import re
import sys

from goals import asked_text, standings, worst_text
from records import Record, RecordError, merged, ratio, time_of

ORDER = ("copy", "copy_nt", "best_copy", "kast_md", "flat", "mdrange", "raw", "kernels", "best_peer")


def parse_minimum(text):
    match = re.fullmatch(r"([\w.]+)/([\w.]+)=([0-9.]+)", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not like kast/copy=0.95")
    return match[1], match[2], float(match[3])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE.json")
    parser.add_argument("--min", action="append", default=[], type=parse_minimum, metavar="kast/copy=0.95",
                        help="exit with 1 where a case is below; names may be best_copy and best_peer too, and new/old "
                             "between runs")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only cases whose op/space/layout/shape/type matches")
    parser.add_argument("--goals", action="store_true", help="the summary, and where the goals for speed stand")
    return parser.parse_args()


def print_table(header, rows):
    widths = [max(len(row[column]) for row in [header] + rows) for column in range(len(header))]
    for row in [header] + rows:
        first = row[0].ljust(widths[0])
        print("  ".join([first] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]).rstrip())


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def number(value):
    return "" if value is None else f"{value:.2f}"


def kast_cases(record):
    """The cases that Kast was measured on, and the other implementations found on them, as columns."""
    cases = {case: found for case, found in record.measurements.items() if "kast" in found and case.op != "call"}
    others = {name for found in cases.values() for name in found} - {"kast"}
    if "copy_nt" in others:
        others.add("best_copy")
    if any(time_of(found, "best_peer") for found in cases.values()):
        others.add("best_peer")
    return cases, [name for name in ORDER if name in others] + sorted(others - set(ORDER))


def print_cases(record):
    cases, columns = kast_cases(record)
    rows = []
    for case, found in cases.items():
        kast = found["kast"]
        rate = f"{kast.bytes / kast.seconds / 1e9:.1f}" if kast.bytes else ""
        rows.append([str(case), f"{1e6 * kast.seconds:.1f}", rate] + [number(ratio(found, "kast", name)) for name in columns])
    print_table(["kast against ...", "us", "GB/s"] + columns, rows)
    print()


def print_summary(record):
    """Mean and worst ratio to each implementation on each space, and what calls cost."""
    cases, columns = kast_cases(record)
    rows = []
    for space in dict.fromkeys(case.space for case in cases):
        for name in columns:
            ratios = {case: ratio(found, "kast", name) for case, found in cases.items() if case.space == space}
            ratios = {case: value for case, value in ratios.items() if value}
            if ratios:
                worst = min(ratios, key=ratios.get)
                mean = number(geometric_mean(ratios.values()))
                rows.append([f"{space}: kast/{name}", str(len(ratios)), mean, number(ratios[worst]), str(worst)])
    print_table(["summary", "cases", "mean", "worst", "worst case"], rows)
    calls = {case: found for case, found in record.measurements.items() if case.op == "call"}
    if calls:
        print()
        names = [name for name in ("bare", "kast", "prepared", "plan") if any(name in found for found in calls.values())]
        print_table(["host time of a call, us"] + names,
                    [[case.space] + [number(1e6 * found[name].seconds) if name in found else "" for name in names]
                     for case, found in calls.items()])


def print_between(old, new):
    rows = []
    for case, implementation in sorted(old.names() & new.names()):
        before, after = old.measurements[case][implementation].seconds, new.measurements[case][implementation].seconds
        rows.append([f"{case} {implementation}", f"{1e6 * before:.1f}", f"{1e6 * after:.1f}", number(before / after)])
    print_table(["new/old", "us before", "us now", "ratio"], rows)


def print_goals(record):
    rows = [[s.goal.text, asked_text(s.goal), worst_text(s), f"{s.held}/{s.count}", s.worst_case] for s in standings(record)]
    print_table(["goal", "asked", "worst", "hold", "worst case"], rows)


def below_minimum(minimum, values):
    """Complaints about the cases that are below a minimum; one where nothing was measured, which must not pass silently."""
    fast, slow, least = minimum
    if not values:
        return [f"no case has both {fast} and {slow}"]
    return [f"{fast}/{slow} is {value:.3f}, below {least:g}: {case}" for case, value in values.items() if value < least]


def main():
    arguments = parse_arguments()
    expression = re.compile(arguments.filter)
    try:
        records = [Record(path).filtered(lambda case: expression.search(str(case))) for path in arguments.files]
    except RecordError as error:
        sys.exit(f"compare.py: {error}")
    between = len(records) == 2 and bool(records[0].names() & records[1].names())
    if len(records) > 2 and any(a.names() & b.names() for k, a in enumerate(records) for b in records[:k]):
        sys.exit("compare.py: three files or more with the same benchmarks; compare two at a time")
    if between:
        old, new = records
        print_between(old, new)
    record = records[1] if between else merged(records)
    if not between:
        if not arguments.goals:
            print_cases(record)
        print_summary(record)
    if arguments.goals:
        print()
        print_goals(record)
    complaints = []
    for minimum in arguments.min:
        fast, slow, _ = minimum
        if (fast, slow) == ("new", "old"):
            values = {f"{case} {name}": old.measurements[case][name].seconds / new.measurements[case][name].seconds
                      for case, name in old.names() & new.names()} if between else {}
        else:
            values = {case: ratio(found, fast, slow) for case, found in record.measurements.items()}
        complaints += below_minimum(minimum, {case: value for case, value in values.items() if value is not None})
    for complaint in complaints:
        print(f"compare.py: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
