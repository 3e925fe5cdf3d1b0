#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the cases of the whole-kernel tests and their expected outputs.

Inputs are drawn by the generator that the tools share (SplitMix64), rounded to
their element type and then used in double precision: the answers are NumPy's
and owe nothing to this project's compiler, oracle or emulator. Run it again
after a change; what it writes is checked in.

    python3 test/kernels/make_cases.py
"""

import json
import os
import re
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "data", "tileirbc")

MASK = (1 << 64) - 1


class SplitMix64:
    """The generator of tools/tileir-run/case/Data.cpp."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def normal(self):
        """Twelve uniform numbers added up; exact in double precision."""
        total = 0
        for _ in range(6):
            z = self.next()
            total += (z >> 32) + (z & 0xFFFFFFFF)
        return total * 2.0**-32 - 6.0

    def integer(self, low, high):
        return low + self.next() % (high - low)


def round_to(dtype, values):
    """The nearest values of `dtype`, ties to even, in double precision."""
    if dtype in ("i8", "i32"):
        return np.asarray(values, dtype=np.float64)
    if dtype == "bf16":  # 8 significant bits; no value here is subnormal
        _, exponent = np.frexp(values)
        unit = np.ldexp(1.0, exponent - 8)
        return np.rint(values / unit) * unit
    numpy_type = {"f16": np.float16, "f32": np.float32}[dtype]
    return np.asarray(values).astype(numpy_type).astype(np.float64)


def stored(dtype, values):
    """`values` as the file stores them; NumPy lacks bf16, which travels as bits."""
    values = round_to(dtype, values)
    if dtype == "bf16":
        bits = values.astype(np.float32).view(np.uint32)
        assert not np.any(bits & 0xFFFF)
        return (bits >> 16).astype(np.uint16)
    return values.astype({"f16": "<f2", "f32": "<f4", "i8": "i1", "i32": "<i4"}[dtype])


class Kernel:
    """One entry: its array parameters in order, its scalars, and the answer."""

    def __init__(self, name, grid, tolerance, arrays, answer, scalars=()):
        self.name = name
        self.grid = list(grid) + [1] * (3 - len(grid))
        self.tolerance = tolerance
        self.arrays = arrays  # (name, dtype, shape, init or None for outputs)
        self.answer = answer
        self.scalars = scalars  # (name, dtype, value)

    def inputs(self):
        values = {}
        for seed, (name, dtype, shape, init) in enumerate(self.arrays, 1):
            if init is None:
                continue
            source = SplitMix64(seed)
            count = int(np.prod(shape))
            if init == "normal":
                drawn = [source.normal() for _ in range(count)]
            else:
                _, low, high = init.split(":")
                drawn = [source.integer(int(low), int(high)) for _ in range(count)]
            values[name] = round_to(dtype, np.array(drawn, dtype=np.float64)).reshape(shape)
        return values

    def arguments(self, outputs):
        args = []
        for seed, (name, dtype, shape, init) in enumerate(self.arrays, 1):
            arg = {"name": name, "dtype": dtype, "shape": list(shape)}
            if init is None:
                arg["init"] = "poison"
                arg["output"] = True
                # Relative to the largest magnitude; statistics are kept in f32.
                tolerance = min(self.tolerance, 1e-4) if dtype == "f32" else self.tolerance
                if tolerance:
                    arg["rtol"] = 0
                    arg["atol"] = float("%.4g" % (tolerance * np.abs(outputs[name]).max()))
                arg["expect"] = "%s.%s.npy" % (self.name, name)
            else:
                arg["init"] = init
                arg["seed"] = seed
            args.append(arg)
            strides = [int(np.prod(shape[i + 1:])) for i in range(len(shape))]
            for what, numbers in (("shape", shape), ("stride", strides)):
                for i, number in enumerate(numbers):
                    args.append({"name": "%s_%s%d" % (name, what, i), "dtype": "i32", "value": int(number)})
        for name, dtype, value in self.scalars:
            args.append({"name": name, "dtype": dtype, "value": value})
        return args

    def write(self):
        files = sorted(f for f in os.listdir(DATA)
                       if re.fullmatch(re.escape(self.name) + r"(\.v13_[123])?\.tileirbc", f))
        if not files:
            sys.exit("error: no bytecode of '%s'" % self.name)
        inputs = self.inputs()
        outputs = self.answer(**inputs)
        for name, dtype, shape, init in self.arrays:
            if init is None:
                assert outputs[name].shape == tuple(shape), name
                np.save(os.path.join(HERE, "%s.%s.npy" % (self.name, name)), stored(dtype, outputs[name]))
        for file in files:
            case = {"kernel": "../data/tileirbc/" + file, "entry": self.name, "grid": self.grid}
            head = json.dumps(case)[:-1]
            lines = ",\n".join("    " + json.dumps(arg) for arg in self.arguments(outputs))
            with open(os.path.join(HERE, file[:-len(".tileirbc")] + ".json"), "w") as out:
                out.write('%s, "args": [\n%s\n]}\n' % (head, lines))


def add(a, b):
    return {"out": a + b}


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return {"out": e / e.sum(1, keepdims=True)}


def layernorm(x, w, b):
    mean = x.mean(1)
    rstd = 1 / np.sqrt(x.var(1) + float(np.float32(1e-5)))
    return {"y": (x - mean[:, None]) * rstd[:, None] * w + b, "mean": mean, "rstd": rstd}


def matmul(a, b):
    return {"c": a @ b}


def transpose(x):
    return {"out": x.T}


def kernels():
    for dtype, tolerance in (("f16", 2e-3), ("bf16", 0.016), ("f32", 1e-5), ("i32", 0)):
        init = "normal" if dtype != "i32" else "integers:-100:100"
        yield Kernel("add_vec_" + dtype, (8,), tolerance, [
            ("a", dtype, (4096,), init), ("b", dtype, (4096,), init), ("out", dtype, (4096,), None)], add)
    for dtype, tolerance in (("f16", 2e-3), ("bf16", 0.01), ("f32", 1e-5)):
        yield Kernel("softmax_row_" + dtype, (32,), tolerance, [
            ("x", dtype, (32, 200), "normal"), ("out", dtype, (32, 200), None)], softmax)
    for dtype, tolerance in (("f16", 5e-3), ("bf16", 0.04), ("f32", 1e-4)):
        yield Kernel("layernorm_" + dtype, (16,), tolerance, [
            ("x", dtype, (16, 600), "normal"), ("w", dtype, (600,), "normal"), ("b", dtype, (600,), "normal"),
            ("y", dtype, (16, 600), None), ("mean", "f32", (16,), None), ("rstd", "f32", (16,), None)],
            layernorm, [("eps", "f32", 1e-5)])
    for dtype, tolerance in (("f16", 5e-3), ("bf16", 0.03)):
        yield Kernel("gemm_tiled_" + dtype, (4, 4), tolerance, [
            ("a", dtype, (256, 128), "normal"), ("b", dtype, (128, 256), "normal"),
            ("c", dtype, (256, 256), None)], matmul)
    yield Kernel("gemm_tiled_f16_ragged", (4, 3), 5e-3, [
        ("a", "f16", (100, 40), "normal"), ("b", "f16", (40, 72), "normal"), ("c", "f16", (100, 72), None)], matmul)
    for dtype in ("f16", "f32", "i8"):
        init = "normal" if dtype != "i8" else "integers:-64:64"
        yield Kernel("transpose2d_" + dtype, (4, 3), 0, [
            ("x", dtype, (100, 150), init), ("out", dtype, (150, 100), None)], transpose)


if __name__ == "__main__":
    for kernel in kernels():
        kernel.write()
