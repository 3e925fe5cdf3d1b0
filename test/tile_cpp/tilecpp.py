# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers of a kernel's case.py and twin.py: initial data, NumPy's answers, signatures of cuTile Python."""

import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kernels"))
from make_cases import DTYPES, INTEGERS, round_to, stored  # noqa: E402


def generated(seed, count):
    """Returns `count` numbers of the generator of tools/cases/Data.cpp, SplitMix64."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) * np.arange(1, count + 1, dtype=np.uint64)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def normal(seed, count):
    """Returns the numbers of `"init": "normal"`."""
    z = generated(seed, 6 * count).reshape(count, 6)
    halves = (z >> np.uint64(32)) + (z & np.uint64(0xFFFFFFFF))
    return halves.sum(axis=1, dtype=np.uint64).astype(np.float64) * 2.0**-32 - 6.0


class Case:
    """One case of a kernel. Parameters are added in order; names of types are those of case files or of INDEX.md.

    `name` distinguishes further cases of a kernel: their file is case.NAME.json."""

    def __init__(self, grid, entry="K", name="", **fields):
        self.suffix = "." + name if name else ""
        self.grid = list(grid) + [1] * (3 - len(grid))
        self.entry, self.fields = entry, fields
        self.args, self.files, self.text = [], {}, None

    def scalar(self, name, dtype, value):
        self.args.append({"name": name, "dtype": dtype, "value": value})
        return value

    def array(self, name, dtype, shape, init="normal", **fields):
        """Adds an input; returns its elements as the kernel sees them, in double precision or as integers.

        `init` is a rule of docs/start/emulator.md (`normal`, `integers:LOW:HIGH`, `zeros`, `ones`) or an array."""
        arg = {"name": name, "dtype": DTYPES.get(dtype, dtype), "shape": list(shape)}
        count = int(np.prod(shape))
        if not isinstance(init, str):
            values = np.asarray(init).reshape(shape)
            arg["init"] = "@" + self.save(name, dtype, values)
        else:
            arg["init"] = init
            if init == "normal" or init.startswith("integers"):
                arg["seed"] = len(self.args) + 1
            if init == "normal":
                values = normal(arg["seed"], count)
            elif init.startswith("integers"):
                low, high = (int(n) for n in init.split(":")[1:])
                values = low + (generated(arg["seed"], count) % np.uint64(high - low)).astype(np.int64)
            else:
                values = np.full(count, {"zeros": 0, "ones": 1}[init])
            values = values.reshape(shape)
        self.args.append({**arg, **fields})
        return stored(dtype, values) if dtype in INTEGERS else round_to(dtype, np.asarray(values, np.float64))

    def output(self, name, dtype, expected, tolerance=0.0, init="poison"):
        """Adds an array with its expected contents, which may differ by `tolerance` times its largest magnitude."""
        expected = np.asarray(expected)
        arg = {"name": name, "dtype": DTYPES.get(dtype, dtype), "shape": list(expected.shape)}
        arg["init"] = init if isinstance(init, str) else "@" + self.save(name + ".in", dtype, init)
        arg["output"] = True
        if tolerance:
            arg.update({"rtol": 0, "atol": float("%.4g" % (tolerance * np.abs(expected).max()))})
        arg["expect"] = self.save(name, dtype, expected)
        self.args.append(arg)

    def prints(self, text, **fields):
        """Sets the expected output; `stdout_order="any"` if blocks print their lines in any order."""
        self.text = text
        self.fields.update(stdout="stdout%s.txt" % self.suffix, **fields)

    def save(self, name, dtype, values):
        file = "%s%s.npy" % (name, self.suffix)
        self.files[file] = stored(dtype, values)
        return file

    def write(self, folder):
        for file, values in self.files.items():
            np.save(os.path.join(folder, file), values)
        if self.text is not None:
            with open(os.path.join(folder, self.fields["stdout"]), "w") as out:
                out.write(self.text)
        head = {"kernel": "kernel.tileirbc", "entry": self.entry, "grid": self.grid, **self.fields}
        lines = ",\n".join("    " + json.dumps(arg) for arg in self.args)
        with open(os.path.join(folder, "case%s.json" % self.suffix), "w") as out:
            out.write('%s, "args": [\n%s\n]}\n' % (json.dumps(head)[:-1], lines))


def array(dtype, shape, strides=None, divisible=16, index=None):
    """Returns a signature's array, C-contiguous without `strides`. Extents and strides that are not None are
    constants."""
    import cuda.tile as ct
    from cuda.tile.compilation import ArrayConstraint

    rank = len(shape)
    if strides is None:
        dense = [1]
        for extent in reversed(shape[1:]):
            dense.insert(0, dense[0] and extent and dense[0] * extent)
        strides = dense
    return ArrayConstraint(
        dtype, rank, index_dtype=index or ct.int32, stride_lower_bound_incl=0, alias_groups=(),
        may_alias_internally=False, shape_constant=list(shape), stride_constant=list(strides),
        shape_divisible_by=[1 if n else divisible for n in shape],
        stride_divisible_by=[1 if n else divisible for n in strides], base_addr_divisible_by=16)


def scalar(dtype):
    from cuda.tile.compilation import ScalarConstraint

    return ScalarConstraint(dtype)
