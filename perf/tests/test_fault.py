#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kast_perf must not let a wrong result pass, nor an argument that it does not know: test_fault.py <kast_perf>"""

import subprocess
import sys


def run(*arguments):
    result = subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False)
    if result.returncode == 77:
        print(result.stdout, end="")
        sys.exit(77)
    return result


planted = run("--suite=small", "--kast_plant_fault", "--benchmark_filter=^multiply/kast/")
assert planted.returncode == 1, planted
assert "multiply/kast/" in planted.stderr and "element 0 (in the order of memory) is wrong" in planted.stderr, planted
assert planted.stderr.rstrip().endswith("at least one result was wrong"), planted

unknown = run("--no_such_flag")
assert unknown.returncode == 2 and "unknown argument --no_such_flag" in unknown.stderr, unknown

right = run("--suite=small", "--benchmark_filter=^multiply/kast/")
assert right.returncode == 0, right
