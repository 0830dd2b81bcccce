# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy as an oracle: there in version 2 or newer, and with mathematics that can be compared bit for bit."""
import os
import sys

SKIPPED = 77  # what ctest reports as skipped
DISABLE = "NPY_DISABLE_CPU_FEATURES"


def use_numpy():
    """Restarts the script once, so that NumPy takes exp, sin and their like from the C library as Kast does: its own vector
    versions differ in the last bits from one processor to the next. Ends the script where there is no NumPy 2."""
    try:
        import numpy
    except ImportError:
        numpy = None
    if numpy is None or int(numpy.__version__.split(".")[0]) < 2:
        print("SKIPPED: there is no NumPy >= 2")
        sys.exit(SKIPPED)
    if DISABLE in os.environ:
        return
    import numpy._core._multiarray_umath as core
    chosen = [name for name in core.__cpu_dispatch__ if core.__cpu_features__.get(name)]
    if chosen:
        os.execve(sys.executable, [sys.executable] + sys.argv, dict(os.environ, **{DISABLE: " ".join(chosen)}))
