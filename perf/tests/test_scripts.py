#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the scripts on small records."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PERF, DATA = HERE.parent, HERE / "data"


def run(script, *arguments):
    command = [sys.executable, str(PERF / script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def row(output, start):
    """The cells of the line that begins with `start`."""
    for line in output.splitlines():
        if line.startswith(start):
            return re.split(r"\s{2,}", line.strip())
    raise AssertionError(f"no line begins with {start!r} in\n{output}")


class Compare(unittest.TestCase):
    def test_ratios_within_a_run(self):
        result = run("compare.py", DATA / "run.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(row(result.stdout, "kast against")[1:], "us GB/s copy copy_nt best_copy flat mdrange".split())
        self.assertEqual(row(result.stdout, "multiply/OpenMP/right/100x40000x5/f64"),
                         ["multiply/OpenMP/right/100x40000x5/f64", "10000.0", "32.0", "1.10", "0.90", "0.90", "4.00", "5.00"])
        self.assertEqual(row(result.stdout, "OpenMP: kast/flat")[1:],
                         ["2", "1.83", "0.83", "multiply.flat/OpenMP/right/100x40000x5/f64"])
        self.assertEqual(row(result.stdout, "Serial  "), ["Serial", "0.06", "0.26"])

    def test_repetitions_medians_suffixes_and_errors(self):
        result = run("compare.py", DATA / "run.json", "--filter", "column")
        self.assertEqual(row(result.stdout, "multiply.column")[1:], ["8000.0", "1.0", "0.50"])

    def test_peers_are_taken_together(self):
        result = run("compare.py", DATA / "run.json", DATA / "peers.json", "--filter", "^multiply/OpenMP/right/100x40000")
        self.assertEqual(row(result.stdout, "multiply/OpenMP")[-3:], ["1.50", "1.50", "2.00"])

    def test_between_runs(self):
        result = run("compare.py", DATA / "run.json", DATA / "faster.json", "--min", "new/old=1.9")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(row(result.stdout, "multiply/OpenMP/right/100x40000x5/f64 kast")[1:], ["10000.0", "5000.0", "2.00"])
        self.assertEqual(run("compare.py", DATA / "faster.json", DATA / "run.json", "--min", "new/old=0.9").returncode, 1)

    def test_minimum(self):
        self.assertEqual(run("compare.py", DATA / "run.json", "--min", "kast/copy=0.4").returncode, 0)
        result = run("compare.py", DATA / "run.json", "--min", "kast/best_copy=0.95", "--filter", "100x40000x5")
        self.assertEqual(result.returncode, 1)
        self.assertIn("kast/best_copy is 0.900, below 0.95: multiply/OpenMP/right/100x40000x5/f64", result.stderr)

    def test_a_minimum_of_nothing_fails(self):
        result = run("compare.py", DATA / "run.json", "--min", "kast/torch=1")
        self.assertEqual((result.returncode, result.stderr), (1, "compare.py: no case has both kast and torch\n"))

    def test_goals(self):
        result = run("compare.py", DATA / "run.json", DATA / "peers.json", "--goals")
        self.assertEqual(row(result.stdout, "host: kast/copy, outside"),
                         ["host: kast/copy, outside the cache", ">= 1", "0.92", "1/2",
                          "multiply.flat/OpenMP/right/100x40000x5/f64"])
        self.assertEqual(row(result.stdout, "host: all threads against one")[2:4], ["0.95", "1/1"])
        self.assertEqual(row(result.stdout, "host: time of a call")[1:4], ["<= 1.5 us", "0.20 us", "1/1"])
        self.assertEqual(row(result.stdout, "host: kast/best of NumPy")[1:4], [">= 1.2", "1.50", "1/1"])
        self.assertNotIn("device:", result.stdout)

    def test_no_record(self):
        result = run("compare.py", HERE / "data/kernels.sass")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^compare.py: .*kernels.sass: not a record of Google Benchmark")
        self.assertRegex(run("compare.py", HERE / "absent.json").stderr, r"absent.json: No such file")


class SassCount(unittest.TestCase):
    def test_counts(self):
        result = run("sass_count.py", DATA / "kernels.sass")
        self.assertEqual(result.returncode, 0, result.stderr)
        kernel = result.stdout.splitlines()[1].split()
        self.assertEqual(kernel[:8], ["2", "3", "1.50", "(2.50)", "2", "2", "1", "1"])
        self.assertEqual(len(result.stdout.splitlines()), 2, "the kernel without a multiply is left out")

    def test_maximum(self):
        self.assertEqual(run("sass_count.py", "--max", "1.5", DATA / "kernels.sass").returncode, 0)
        self.assertEqual(run("sass_count.py", "--max", "1.4", DATA / "kernels.sass").returncode, 1)
        self.assertEqual(run("sass_count.py", "--match", "nothing", DATA / "kernels.sass").returncode, 1)


class ReadmeTable(unittest.TestCase):
    def test_writes_and_checks(self):
        with tempfile.TemporaryDirectory() as folder:
            readme, results = pathlib.Path(folder, "README.md"), pathlib.Path(folder, "results")
            results.mkdir()
            shutil.copy(DATA / "run.json", results / "2026-01-02-example.json")
            shutil.copy(DATA / "faster.json", results / "2026-01-01-example.json")
            shutil.copy(DATA / "peers.json", results / "2026-01-01-example-peers.json")
            readme.write_text("before\n<!-- perf:begin -->\nold\n<!-- perf:end -->\nafter\n", encoding="utf-8")
            places = ("--readme", readme, "--results", results)
            self.assertEqual(run("readme_table.py", "--check", *places).returncode, 1)
            self.assertIn("old", readme.read_text(encoding="utf-8"))
            self.assertEqual(run("readme_table.py", *places).returncode, 0)
            text = readme.read_text(encoding="utf-8")
            self.assertEqual(run("readme_table.py", "--check", *places).returncode, 0)
            self.assertTrue(text.startswith("before\n<!-- perf:begin -->\n") and text.endswith("<!-- perf:end -->\nafter\n"))
            self.assertIn("| last axes shared: the story | 100x40000x5 | 32 | 1.10 | 0.22 | 0.27 | numba.t15 1.50 |", text)
            self.assertIn("2026-01-02-example.json", text)
            self.assertNotIn("2026-01-01-example.json", text)

    def test_no_markers(self):
        with tempfile.TemporaryDirectory() as folder:
            readme = pathlib.Path(folder, "README.md")
            readme.write_text("nothing\n", encoding="utf-8")
            result = run("readme_table.py", "--readme", readme, "--results", folder)
            self.assertEqual(result.returncode, 1)
            self.assertIn("has no lines <!-- perf:begin -->", result.stderr)


if __name__ == "__main__":
    unittest.main()
