#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy, Numba and numexpr on the shapes of kast_perf; needs NumPy, and whichever of the others is there.

Space "Serial" is one thread, "OpenMP" all of --threads. NumPy has one thread either way. The five forms of the story are
numba.t14, numba.t15, numba.t16, numba.t17 (on the array reshaped as the story does) and numba.t16_parallel.
"""

import argparse
import os
import sys

from common import DTYPES, Recorder, bytes_of, median_seconds, numpy_values, operands, parse_arguments


def numba_forms(numba):
    """Functions by name; each computes out = a * b for any broadcast that NumPy's rule allows, or the story's alone."""

    @numba.vectorize(["f8(f8,f8)", "f4(f4,f4)", "i1(i1,i1)"], target="cpu")
    def one_thread(a, b):
        return a * b

    @numba.vectorize(["f8(f8,f8)", "f4(f4,f4)", "i1(i1,i1)"], target="parallel")
    def threads(a, b):
        return a * b

    @numba.guvectorize(["(f8,f8[:,:],f8[:,:,:],f8,f8,f8[:,:,:])"], "(),(m,o),(n,m,o),(),()->(n,m,o)", target="cpu")
    def t14(_, mult_by, discount, _x, _y, cv):
        for n in range(discount.shape[0]):
            for m in range(discount.shape[1]):
                for o in range(discount.shape[2]):
                    cv[n, m, o] = mult_by[m, o] * discount[n, m, o]

    def t16_body(mult_by, discount, _x, _y, cv):
        for m in range(discount.shape[0]):
            for o in range(discount.shape[1]):
                cv[m, o] = mult_by[m, o] * discount[m, o]

    t16, t16_parallel = (
        numba.guvectorize(["(f8[:,:],f8[:,:],f8,f8,f8[:,:])"], "(m,o),(m,o),(),()->(m,o)", target=target)(t16_body)
        for target in ("cpu", "parallel"))

    @numba.guvectorize(["(f8,f8[:],f8[:,:],f8,f8[:,:])"], "(),(o),(m,o),()->(m,o)", target="parallel")
    def t17(_, mult_by, discount, _x, cv):
        for m in range(discount.shape[0]):
            for o in range(discount.shape[1]):
                cv[m, o] = mult_by[o] * discount[m, o]

    @numba.njit(parallel=True)
    def prange(mult_by, discount, cv):
        for n in numba.prange(discount.shape[0]):
            for m in range(discount.shape[1]):
                for o in range(discount.shape[2]):
                    cv[n, m, o] = mult_by[m, o] * discount[n, m, o]

    return {"one_thread": one_thread, "threads": threads, "t14": t14, "t16": t16, "t16_parallel": t16_parallel, "t17": t17,
            "prange": prange}


def story_runs(np, forms, a, b, out):
    """The story's five forms and a prange loop: name -> (space, run, the array that holds the result, in the shape of out)."""
    replicated = np.ascontiguousarray(np.broadcast_to(a, b.shape))
    moved, moved_out = np.ascontiguousarray(b.transpose(1, 0, 2)), np.zeros_like(b.transpose(1, 0, 2), order="C")
    return {
        "numba.t14": ("Serial", lambda: forms["t14"](1.0, a, b, 1.0, 1.0, out), out),
        "numba.t15": ("OpenMP", lambda: forms["threads"](replicated, b, out), out),
        "numba.t16": ("Serial", lambda: forms["t16"](a, b, 1.0, 1.0, out), out),
        "numba.t16_parallel": ("OpenMP", lambda: forms["t16_parallel"](a, b, 1.0, 1.0, out), out),
        "numba.t17": ("OpenMP", lambda: forms["t17"](1.0, a, moved, 1.0, moved_out), moved_out.transpose(1, 0, 2)),
        "numba.prange": ("OpenMP", lambda: forms["prange"](a, b, out), out),
    }


def thread_count():
    early = argparse.ArgumentParser(add_help=False)
    early.add_argument("--threads", type=int, default=os.cpu_count())
    known, rest = early.parse_known_args()
    sys.argv[1:] = rest
    return known.threads


def main():
    threads = thread_count()
    for name in ("NUMBA_NUM_THREADS", "NUMEXPR_MAX_THREADS"):
        os.environ[name] = str(threads)
    arguments, chosen = parse_arguments(__doc__.splitlines()[0] + " --threads N sets the threads of space OpenMP.")
    import numpy as np

    versions = {"numpy": np.__version__, "host_threads": str(threads)}
    try:
        import numba

        forms = numba_forms(numba)
        versions["numba"] = numba.__version__
    except ImportError:
        print("no Numba: left out (pip install numba)")
        forms = None
    try:
        import numexpr

        versions["numexpr"] = numexpr.__version__
    except ImportError:
        print("no numexpr: left out (pip install numexpr)")
        numexpr = None

    recorder = Recorder(versions)
    for case in chosen(device=False):
        dtype = DTYPES[case.type]
        a, b, out = operands(case, numpy_values(dtype))
        moved = bytes_of(case, a, b, out)
        factor = dtype(3) if a is None else a
        expected = factor * b

        def measure(implementation, spaces, run, result):
            result[...] = 0
            run()
            recorder.check(f"{case.key()} {implementation}", np.array_equal(result, expected))
            for space in spaces:
                recorder.add(case, implementation, space, median_seconds(run, arguments.least), moved)

        measure("numpy", ("Serial", "OpenMP"), lambda: np.multiply(factor, b, out=out), out)
        if forms is not None:
            measure("numba", ("Serial",), lambda: forms["one_thread"](factor, b, out), out)
            measure("numba", ("OpenMP",), lambda: forms["threads"](factor, b, out), out)
            if case.op == "multiply" and case.layout == "right" and case.type == "f64":
                for name, (space, run, result) in story_runs(np, forms, a, b, out).items():
                    measure(name, (space,), run, result)
        if numexpr is not None and case.type != "i8":  # numexpr computes small integers in 32 bits
            variables = {"factor": factor, "b": b}
            for space, count in (("Serial", 1), ("OpenMP", threads)):
                numexpr.set_num_threads(count)
                measure("numexpr", (space,),
                        lambda: numexpr.evaluate("factor * b", variables, {}, out=out, casting="same_kind"), out)
    recorder.write(arguments.output)
    return recorder.exit_status()


if __name__ == "__main__":
    sys.exit(main())
