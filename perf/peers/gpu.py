#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch, CuPy and JAX on the shapes of kast_perf, on one GPU. Needs torch, whose memory the others share, and whichever of
them is there. Data is resident; time is device time between two events (JAX: wall time of a batch)."""

import sys

import numpy as np

from common import DTYPES, Recorder, bytes_of, median_seconds, operands, parse_arguments


class Torch:
    name = "torch"

    def __init__(self):
        import torch

        self.torch = torch
        self.version = torch.__version__

    def prepared(self, case, a, b, out):
        """Launches once and returns the result, a torch tensor; None where the case cannot be expressed."""
        x, y = (b, 3.0) if a is None else (a, b)
        return lambda: self.torch.mul(x, y, out=out)

    def seconds(self, run):
        first, last = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))

        def batch(launches):
            self.torch.cuda.synchronize()
            first.record()
            for _ in range(launches):
                run()
            last.record()
            self.torch.cuda.synchronize()
            return 1e-3 * first.elapsed_time(last)

        return batched(batch)


class CuPy:
    name = "cupy"

    def __init__(self, torch):
        import cupy

        self.cupy = cupy
        self.stream = cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)
        self.version = cupy.__version__

    def prepared(self, case, a, b, out):
        x = np.asarray(3, DTYPES[case.type])[()] if a is None else self.cupy.asarray(a)
        y, z = self.cupy.asarray(b), self.cupy.asarray(out)

        def run():
            self.cupy.multiply(x, y, out=z)
            return out

        return run

    def seconds(self, run):
        first, last = self.cupy.cuda.Event(), self.cupy.cuda.Event()

        def batch(launches):
            with self.stream:
                first.record(self.stream)
                for _ in range(launches):
                    run()
                last.record(self.stream)
            last.synchronize()
            return 1e-3 * self.cupy.cuda.get_elapsed_time(first, last)

        return batched(batch)


class Jax:
    name = "jax"

    def __init__(self, torch):
        import os

        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # torch needs memory too
        import jax

        jax.config.update("jax_enable_x64", True)
        if jax.devices()[0].platform != "gpu":
            raise ImportError("JAX sees no GPU")
        self.jax, self.torch = jax, torch
        self.version = jax.__version__
        self.multiply = jax.jit(lambda x, y: x * y)

    def prepared(self, case, a, b, out):
        if case.layout == "left" or case.kind in ("padded", "transposed"):
            return None  # JAX has no strides
        self.torch.cuda.synchronize()
        x = 3.0 if a is None else self.jax.dlpack.from_dlpack(a)
        y = self.jax.dlpack.from_dlpack(b)
        return lambda: self.multiply(x, y)

    def seconds(self, run):
        def batch():
            for _ in range(10):
                result = run()
            result.block_until_ready()

        return median_seconds(batch, 0.1) / 10


def batched(batch):
    """Median seconds of a launch; short ones are launched back to back, as kast_perf does."""
    batch(2)
    launches = max(1, min(64, int(300e-6 / batch(1))))
    return sorted(batch(launches) / launches for _ in range(15))[7]


def torch_values(torch, dtype):
    """As numpy_values in common.py, made on the device."""

    def values(shape, seed):
        if seed == 0:
            return torch.zeros(shape, dtype=dtype, device="cuda")
        places = torch.arange(int(np.prod(shape, dtype=np.int64)), device="cuda")
        return ((places * (2654435761 + seed) >> 7) % 7 + 1).to(dtype).reshape(shape)

    return values


def is_right(torch, result, a, b):
    """At random places: the product of the two values, computed by NumPy."""
    if not isinstance(result, torch.Tensor):
        result = torch.from_dlpack(result)
    generator = torch.Generator(device="cuda").manual_seed(1)
    places = tuple(torch.randint(extent, (4096,), generator=generator, device="cuda") for extent in broadcast_shape(a, b))

    def at(array):
        return array.expand(broadcast_shape(a, b))[places].cpu().numpy()

    left = 3 if a is None else at(a)
    return np.array_equal(at(result), left * at(b))


def broadcast_shape(a, b):
    return np.broadcast_shapes(b.shape if a is None else a.shape, b.shape)


def main():
    arguments, chosen = parse_arguments(__doc__.splitlines()[0])
    try:
        import torch

        libraries = [Torch()]
        device = torch.cuda.get_device_name()
    except Exception as error:  # without a device torch says so in several ways
        sys.exit(f"gpu.py: torch cannot use a GPU here ({error})")
    for library in (CuPy, Jax):
        try:
            libraries.append(library(torch))
        except Exception as error:
            print(f"no {library.name}: left out ({error})")
    types = {"f64": torch.float64, "f32": torch.float32, "i8": torch.int8}
    recorder = Recorder({"device": device, **{library.name: library.version for library in libraries}})
    for case in chosen(device=True):
        a, b, out = operands(case, torch_values(torch, types[case.type]))
        for library in libraries:
            run = library.prepared(case, a, b, out)
            if run is None:
                continue
            out.zero_()
            torch.cuda.synchronize()
            recorder.check(f"{case.key()} {library.name}", is_right(torch, settled(torch, run()), a, b))
            recorder.add(case, library.name, "Cuda", library.seconds(run), bytes_of(case, a, b, out))
            del run
    recorder.write(arguments.output)
    return recorder.exit_status()


def settled(torch, result):
    if hasattr(result, "block_until_ready"):
        result.block_until_ready()
    torch.cuda.synchronize()
    return result


if __name__ == "__main__":
    sys.exit(main())
