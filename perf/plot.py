#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws records: for each case the speed of every implementation as a share of a copy of the same bytes. Files are taken
together, peers beside ours. Needs matplotlib."""

import argparse
import re
import sys

from records import Record, RecordError, merged, ratio

COLOURS = {"kast": "#0b6e4f", "raw": "#5aa469", "kast_md": "#a3c9a8", "mdrange": "#d1495b", "flat": "#edae49",
           "kernels": "#8d6a9f"}
LEFT_OUT = ("copy", "copy_nt")


def draw(record, space, title, path, pyplot):
    cases = {case: found for case, found in record.measurements.items() if case.space == space and "copy" in found}
    names = {name for found in cases.values() for name in found if name not in LEFT_OUT}
    names = [name for name in COLOURS if name in names] + sorted(names - set(COLOURS))
    height = 0.8 / len(names)
    figure, axes = pyplot.subplots(figsize=(9, 1 + 0.12 * len(cases) * (1 + len(names))), layout="constrained")
    for k, name in enumerate(names):
        shares = [(row, ratio(found, name, "copy")) for row, found in enumerate(cases.values())]
        shares = [(row, share) for row, share in shares if share is not None]
        axes.barh([row + k * height for row, _ in shares], [share for _, share in shares], height, label=name,
                  color=COLOURS.get(name))
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks([row + 0.4 - height / 2 for row in range(len(cases))],
                    ["/".join((case.op, case.layout, case.shape, case.type)) for case in cases], fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("speed, as a share of a copy of the same bytes")
    axes.set_title(title, fontsize=9)
    axes.legend(fontsize=7, loc="lower right")
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE.json")
    parser.add_argument("-o", "--output", default="perf.svg", help="an image; its ending says of which kind")
    parser.add_argument("--space", help="execution space; default: the last in the first file")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only cases whose op/space/layout/shape/type matches")
    arguments = parser.parse_args()
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        sys.exit("plot.py: matplotlib is needed: python3 -m pip install matplotlib")
    try:
        record = merged(Record(path) for path in arguments.files)
    except RecordError as error:
        sys.exit(f"plot.py: {error}")
    record = record.filtered(lambda case: re.search(arguments.filter, str(case)))
    spaces = [case.space for case, found in record.measurements.items() if "copy" in found]
    space = arguments.space or (spaces[-1] if spaces else "")
    if space not in spaces:
        sys.exit(f"plot.py: no case with a copy {f'on {space} ' if space else ''}in these files")
    context = record.context
    machine = context.get("device") if space in ("Cuda", "HIP", "SYCL") else context.get("processor")
    draw(record, space, f"{space} on {machine}, commit {context.get('commit', 'unknown')}", arguments.output, pyplot)


if __name__ == "__main__":
    sys.exit(main())
