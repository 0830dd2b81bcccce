#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the output of kast_hash on one space against the record of a device.

check.py KAST_HASH RECORDS SPACE [--threads N]   ends with 1 if a case is missing, extra or differs
check.py KAST_HASH RECORDS SPACE --planted       plants such faults and ends with 1 unless each is found

The record is RECORDS/hash-<device>.txt; where only hash-pending.txt is there, no device has been run yet, and it says so.
"""

import argparse
import os
import pathlib
import subprocess
import sys


def cases_of(text):
    """Maps each case (all words but the last) to its hash; lines that begin with # are no cases."""
    cases = {}
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        case, _, value = line.rpartition(" ")
        if case in cases:
            sys.exit(f"two lines for one case: {case}")
        cases[case] = value
    return cases


def differences(record, today):
    lines = [f"missing today: {case}" for case in record if case not in today]
    lines += [f"not in the record: {case}" for case in today if case not in record]
    lines += [
        f"differs: {case}: {today[case]}, recorded {record[case]}"
        for case in record
        if case in today and record[case] != today[case]
    ]
    return lines


def find_record(folder):
    records = sorted(folder.glob("hash-*.txt"))
    devices = [path for path in records if path.stem != "hash-pending"]
    if not records:
        sys.exit(f"no record in {folder}")
    return devices or records


def planted_faults_are_found(today):
    case = sorted(today)[len(today) // 2]
    other = dict(today, **{case: "0" * 16})
    fewer = {key: value for key, value in today.items() if key != case}
    for name, record, now, word in (
        ("a changed hash", today, other, "differs: "),
        ("a missing case", today, fewer, "missing today: "),
        ("an extra case", fewer, today, "not in the record: "),
    ):
        found = differences(record, now)
        if len(found) != 1 or not found[0].startswith(word + case):
            sys.exit(f"{name} was not found: {found}")
    print("a changed hash, a missing case and an extra case are each found")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("records", type=pathlib.Path)
    parser.add_argument("space")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--planted", action="store_true")
    arguments = parser.parse_args()

    environment = dict(os.environ, OMP_NUM_THREADS=arguments.threads, OMP_DYNAMIC="false")
    run = subprocess.run([arguments.program, "--space", arguments.space], env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"kast_hash ended with {run.returncode}: {run.stderr}")
    today = cases_of(run.stdout)
    if len(today) < 150:
        sys.exit(f"only {len(today)} cases")
    if arguments.planted:
        return planted_faults_are_found(today)

    for path in find_record(arguments.records):
        text = path.read_text()
        device = next((line[9:] for line in text.splitlines() if line.startswith("# device ")), "unknown")
        found = differences(cases_of(text), today)
        print(f"{arguments.space}, {arguments.threads} thread(s): {len(today)} cases, {len(found)} unlike {path.name} ({device})")
        if path.stem == "hash-pending":
            print("that is no device's record: none has been made yet")
        if found:
            sys.exit("\n".join(found[:20]))


main()
