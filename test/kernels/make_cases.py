#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the cases of the whole-kernel tests and their expected outputs.

Parameters and computation of a kernel are in test/data/tileirbc/INDEX.md. This script generates the inputs with the
tools' shared generator (SplitMix64), rounds them to their element type, and evaluates the NumPy expression given there
in double precision: the answers are independent of this project's compiler, oracle and emulator. Run it again after a
change; its output is checked in.

    /usr/bin/python3 test/kernels/make_cases.py
"""

import json
import os
import re

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "data", "tileirbc")
MASK = (1 << 64) - 1

# Names of INDEX.md in case files.
DTYPES = {"f8e4m3": "f8E4M3FN", "f8e5m2": "f8E5M2"}
INTEGERS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
# Significant bits and exponent of the smallest normal number, of types that NumPy lacks.
NARROW = {"bf16": (8, -126), "f8e4m3": (4, -6), "f8e5m2": (3, -14)}
NATIVE = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


# Expressions that INDEX.md lacks: on one device, a copy is loaded, stored, and added to itself.
CODE = {"multimem_f32": "x = x + x"}


class SplitMix64:
    """The generator of tools/cases/Data.cpp."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def normal(self):
        """Returns the sum of twelve uniform numbers; exact in double precision."""
        total = 0
        for _ in range(6):
            z = self.next()
            total += (z >> 32) + (z & 0xFFFFFFFF)
        return total * 2.0**-32 - 6.0

    def uniform(self):
        return (self.next() >> 11) * 2.0**-53

    def integer(self, low, high):
        return low + self.next() % (high - low)


def round_to(dtype, values):
    """Returns the nearest values of a float type, ties to even, in double precision."""
    if dtype in NARROW:
        bits, smallest = NARROW[dtype]
        _, exponent = np.frexp(values)
        unit = np.ldexp(1.0, np.maximum(exponent, smallest + 1) - bits)
        return np.rint(values / unit) * unit
    return np.asarray(values).astype(NATIVE[dtype]).astype(np.float64)


def stored(dtype, values):
    """Returns `values` as stored in a file; bf16 is stored as its bits."""
    if dtype in INTEGERS:
        return np.asarray(values).astype(INTEGERS[dtype])
    if dtype == "bf16":
        bits = round_to(dtype, values).astype(np.float32).view(np.uint32)
        assert not np.any(bits & 0xFFFF)
        return (bits >> 16).astype(np.uint16)
    return np.asarray(values).astype(NATIVE[dtype])


class Array:
    """An array parameter: its initial contents and known properties of its elements."""

    def __init__(self, kernel, seed, name, kind, dtype, shape, contents):
        self.name, self.dtype = name, dtype
        self.kind = kind.split(",")[1].strip()  # in, out, inout
        self.shape = tuple(int(n) for n in shape.split("x"))
        self.seed = seed
        self.file = "%s.%s.in.npy" % (kernel, name)
        self.values = None  # contents to save for `@file`
        self.init = self.choose(contents)

    def choose(self, contents):
        if self.kind == "out":
            return "poison"
        if contents == "zeros":
            return "zeros"
        if contents.startswith("standard normal"):
            return "integers:-100:100" if self.dtype in INTEGERS else "normal"
        if contents == "uniform over half the type range":
            half = np.iinfo(INTEGERS[self.dtype]).max // 2
            return "integers:%d:%d" % (-half - 1, half + 1)
        bounds = re.fullmatch(r"uniform (-?[\d.]+)\.\.(-?[\d.]+)", contents)
        if bounds and self.dtype in INTEGERS:
            return "integers:%d:%d" % (int(bounds.group(1)), int(bounds.group(2)) + 1)
        source = SplitMix64(self.seed)
        count = int(np.prod(self.shape))
        if bounds:
            low, high = float(bounds.group(1)), float(bounds.group(2))
            generated = [low + (high - low) * source.uniform() for _ in range(count)]
            self.values = np.array(generated).reshape(self.shape)
        elif contents.startswith("300 x standard normal; every 17th element one of "):
            generated = [300 * source.normal() for _ in range(count)]
            special = [float(n) for n in contents.split(" one of ")[1].split(", ")]
            for i in range(0, count, 17):
                generated[i] = special[i // 17 % len(special)]
            self.values = np.array(generated).astype(np.float32).reshape(self.shape)
        elif contents == "bytes of standard-normal f32 values":
            generated = np.array([source.normal() for _ in range(count // 4)])
            self.values = generated.astype(np.float32).view(np.int8)
        elif "part of exp(-2 pi i j k / n)" in contents:
            j = np.arange(self.shape[0])
            turn = np.exp(-2j * np.pi * np.outer(j, j) / self.shape[0])
            self.values = turn.real if contents.startswith("real") else turn.imag
        else:
            raise ValueError("contents not understood: " + contents)
        return "@" + self.file

    def elements(self, as_stored):
        """Returns the elements as the expression sees them."""
        if self.kind == "out" or self.init == "zeros":
            return np.zeros(self.shape, INTEGERS.get(self.dtype, np.float64))
        if self.values is not None:
            values = self.values
        else:
            source = SplitMix64(self.seed)
            count = int(np.prod(self.shape))
            if self.init == "normal":
                generated = [source.normal() for _ in range(count)]
            else:
                low, high = (int(n) for n in self.init.split(":")[1:])
                generated = [source.integer(low, high) for _ in range(count)]
            values = np.array(generated).reshape(self.shape)
        if self.dtype in INTEGERS or as_stored:
            return stored(self.dtype, values)
        return round_to(self.dtype, values)


class Kernel:
    """One entry, from its section of INDEX.md."""

    def __init__(self, section):
        self.name = section.split("\n")[0].split(" (")[0].strip()
        grid = re.search(r"^Grid \(([^)]*)\)\. Tolerance (\S+)\. Signature: `\((.*)\)`", section, re.M)
        self.grid = [int(n) for n in grid.group(1).split(",") if n.strip()]
        self.grid += [1] * (3 - len(self.grid))
        self.tolerance = float(grid.group(2))
        self.signature = [p.split(": ") for p in grid.group(3).split(", ")]
        self.code = CODE.get(self.name) or re.search(r"```python\n(.*?)```", section, re.S).group(1)
        self.files = re.findall(r"^\| `([^`]*\.tileirbc)` \| 13\.[1-5] ", section, re.M)
        self.arrays, self.scalars = {}, {}
        for row in re.findall(r"^\| (\w+) \|(.*)\|$", section, re.M):
            cells = [cell.strip() for cell in row[1].split("|")]
            if cells[0].startswith("array"):
                self.arrays[row[0]] = Array(self.name, len(self.arrays) + 1, row[0], *cells[:4])
            elif cells[0] == "scalar":
                self.scalars[row[0]] = float(cells[3]) if cells[1][0] == "f" else int(cells[3])

    def outputs(self):
        names = {name: array.elements("view(" in self.code) for name, array in self.arrays.items()}
        names.update(self.scalars)
        exec(self.code, {"np": np}, names)
        return {name: np.asarray(names[name]) for name, array in self.arrays.items() if array.kind != "in"}

    def argument(self, name, dtype, outputs):
        base, _, what = name.partition(".")
        if what:  # an extent or a stride
            part, axis = re.fullmatch(r"(\w+)\[(\d+)\]", what).groups()
            shape = self.arrays[base].shape
            axis = int(axis)
            number = shape[axis] if part == "shape" else int(np.prod(shape[axis + 1:]))
            return {"name": "%s_%s%d" % (base, part, axis), "dtype": dtype, "value": number}
        if name in self.scalars:
            return {"name": name, "dtype": dtype, "value": self.scalars[name]}
        array = self.arrays[name]
        arg = {"name": name, "dtype": DTYPES.get(array.dtype, array.dtype), "shape": list(array.shape),
               "init": array.init}
        if array.init == "normal" or array.init.startswith("integers"):
            arg["seed"] = array.seed
        if array.kind == "in":
            return arg
        arg["output"] = True
        # Relative to the largest magnitude. Statistics that a kernel keeps in f32 are exact to that precision.
        tolerance = min(self.tolerance, 1e-4) if name in ("mean", "rstd") else self.tolerance
        if tolerance and array.dtype not in INTEGERS:
            arg["rtol"] = 0
            arg["atol"] = float("%.4g" % (tolerance * np.abs(outputs[name]).max()))
        arg["expect"] = "%s.%s.npy" % (self.name, name)
        return arg

    def write(self):
        outputs = self.outputs()
        folder = os.path.join(HERE, self.name)
        os.makedirs(folder, exist_ok=True)
        for name, array in self.arrays.items():
            if name in outputs:
                assert outputs[name].shape == array.shape, (self.name, name)
                np.save(os.path.join(folder, "%s.%s.npy" % (self.name, name)), stored(array.dtype, outputs[name]))
            elif array.values is not None:
                np.save(os.path.join(folder, array.file), stored(array.dtype, array.values))
        args = [self.argument(name, dtype, outputs) for name, dtype in self.signature]
        lines = ",\n".join("    " + json.dumps(arg) for arg in args)
        for file in self.files:
            case = {"kernel": "../../data/tileirbc/" + file, "entry": self.name, "grid": self.grid}
            with open(os.path.join(folder, file[:-len(".tileirbc")] + ".json"), "w") as out:
                out.write('%s, "args": [\n%s\n]}\n' % (json.dumps(case)[:-1], lines))


def main():
    with open(os.path.join(DATA, "INDEX.md")) as index:
        text = index.read()
    for section in re.split(r"\n### ", text)[1:]:
        if re.search(r"\.tileirbc` \| 13\.", section):
            Kernel(section).write()


if __name__ == "__main__":
    main()
