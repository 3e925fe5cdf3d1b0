#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes cases whose tiles exceed the registers, and their answers: rows of 2^15 elements and more, in views and at
pointers, whole and ragged, with stores over loaded memory.

The answers are NumPy's, in f64 where sums are; they are independent of this project's compiler, oracle and emulator.

    make_rolled.py FOLDER NAME...
"""

import json
import os
import sys

import numpy as np

NUMPY = {"f64": np.float64, "f32": np.float32, "i32": np.int32, "bf16": np.uint16, "f16": np.float16}
LOW = "0xFF800000"


def to_bf16(values):
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bf16(codes):
    return (codes.astype(np.uint32) << 16).view(np.float32)


class Kernel:
    """Text of one kernel, with its arguments."""

    def __init__(self, name, grid=1, occupancy=None):
        self.hints = " optimization_hints=<default = {occupancy = %d}>" % occupancy if occupancy else ""
        self.name, self.grid, self.args, self.lines, self.files, self.count = name, grid, [], [], {}, 0
        self("%b, %by, %bz = get_tile_block_id : tile<i32>", "%zero = constant <i32: 0> : tile<i32>")

    def __call__(self, *lines):
        self.lines += ["    " + line for line in lines]

    def new(self):
        self.count += 1
        return "%%v%d" % self.count

    def array(self, key, dtype, value=None, expect=None, tolerance=None, shape=None, init="poison"):
        """Adds an argument: an input, an output, or both."""
        entry = {"name": key, "dtype": dtype, "shape": list(shape or (value if value is not None else expect).shape)}
        entry["init"] = init
        if value is not None:
            self.files[key] = value.astype(NUMPY[dtype])
            entry["init"] = "@%s.%s.npy" % (self.name, key)
        if expect is not None:
            self.files[key + "_out"] = expect.astype(NUMPY[dtype])
            entry.update(output=True, expect="%s.%s_out.npy" % (self.name, key))
            if tolerance:
                entry.update(rtol=tolerance, atol=tolerance)
        self.args.append((key, "ptr<%s>" % dtype, entry))

    def scalar(self, key, value):
        self.args.append((key, "i32", {"name": key, "dtype": "i32", "value": int(value)}))

    def view(self, key, dtype, tile, sizes, strides, padding=None, dims=None):
        """Returns name and type of a partition view of argument `key`. Sizes are numbers or names of arguments."""
        static = lambda values: ",".join("?" if isinstance(v, str) else str(v) for v in values)
        listed = lambda values: ", ".join("%" + v if isinstance(v, str) else str(v) for v in values)
        dynamic = any(isinstance(v, str) for v in list(sizes) + list(strides))
        shape = "x".join("?" if isinstance(v, str) else str(v) for v in sizes)
        tensor = "tensor_view<%sx%s, strides=[%s]>" % (shape, dtype, static(strides))
        pad = "padding_value = %s, " % padding if padding else ""
        order = ", dim_map=%s" % dims if dims else ""
        part = "partition_view<tile=(%s), %s%s%s>" % ("x".join(map(str, tile)), pad, tensor, order)
        memory, name = self.new(), self.new()
        self("%s = make_tensor_view %%%s, shape = [%s], strides = [%s] : %s%s" % (
            memory, key, listed(sizes), listed(strides), "tile<i32> -> " if dynamic else "", tensor),
             "%s = make_partition_view %s : %s" % (name, memory, part))
        return name, part, "x".join(map(str, tile)) + "x" + dtype

    def load(self, view, *at, token=None):
        name = self.new()
        after = " token = %s" % token if token else ""
        self("%s, %st = load_view_tko weak %s[%s]%s : %s, tile<i32> -> tile<%s>, token" % (
            name, name, view[0], ", ".join(at), after, view[1], view[2]))
        return name

    def store(self, value, view, *at, token=None):
        name = self.new()
        after = " token = %s" % token if token else ""
        self("%s = store_view_tko weak %s, %s[%s]%s : tile<%s>, %s, tile<i32> -> token" % (
            name, value, view[0], ", ".join(at), after, view[2], view[1]))
        return name

    def op(self, name, *operands, type, to=None, mods=""):
        result = self.new()
        self("%s = %s %s%s : tile<%s>%s" % (result, name, ", ".join(operands), mods and " " + mods, type,
                                          " -> tile<%s>" % to if to else ""))
        return result

    def constant(self, value, type):
        return self.op("constant <%s: %s>" % (type.split("x")[-1], value), type=type)

    def spread(self, value, shape, dtype, ones=None):
        """Broadcasts a scalar, or a tile of shape `ones`, to a tile."""
        if ones is None:
            ones = "x".join("1" for _ in shape.split("x"))
            value = self.op("reshape", value, type=dtype, to="%sx%s" % (ones, dtype))
        return self.op("broadcast", value, type="%sx%s" % (ones, dtype), to="%sx%s" % (shape, dtype))

    def reduce(self, op, identity, value, shape, dtype, dim=0):
        result = self.new()
        rest = [s for i, s in enumerate(shape.split("x")) if i != dim]
        self("%s = reduce %s dim=%d identities=[%s : %s] : tile<%sx%s> -> tile<%s>" % (
            result, value, dim, identity, dtype, shape, dtype, "x".join(rest + [dtype])),
             "(%%l: tile<%s>, %%r: tile<%s>) {" % (dtype, dtype),
             "  %%o = %s %%l, %%r : tile<%s>" % (op, dtype), "  yield %%o : tile<%s>" % dtype, "}")
        return result

    def pointers(self, key, dtype, count, base=None):
        """Returns pointers to `count` elements from `base` on."""
        spread = self.spread("%" + key, str(count), "ptr<%s>" % dtype)
        offset = self.op("iota", type="%dxi32" % count)
        if base:
            offset = self.op("addi", offset, self.spread(base, str(count), "i32"), type="%dxi32" % count)
        result = self.new()
        self("%s = offset %s, %s : tile<%dxptr<%s>>, tile<%dxi32> -> tile<%dxptr<%s>>" % (
            result, spread, offset, count, dtype, count, count, dtype))
        return result, offset

    def write(self, folder):
        parameters = ", ".join("%%%s: tile<%s>" % (key, type) for key, type, _ in self.args)
        with open(os.path.join(folder, self.name + ".mlir"), "w") as file:
            file.write("cuda_tile.module @m {\n  entry @k(%s)%s {\n%s\n    return\n  }\n}\n" % (
                parameters, self.hints, "\n".join(self.lines)))
        for key, value in self.files.items():
            np.save(os.path.join(folder, "%s.%s.npy" % (self.name, key)), value)
        with open(os.path.join(folder, self.name + ".json"), "w") as file:
            json.dump({"kernel": self.name + ".mlir", "entry": "k", "grid": [self.grid, 1, 1],
                       "args": [entry for _, _, entry in self.args]}, file, indent=1)


CASES, ROWS = {}, {}


def case(make):
    CASES[make.__name__] = make
    return make


def rows(make):
    """Decorates a case for any power of two: `name_2_LOG`."""
    ROWS[make.__name__] = make
    return make


def random(*shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@rows
def silu(name, log):
    """Writes silu(x) * y of ragged vectors, by views."""
    k = Kernel(name, 2)
    n = 1 << log
    count = 2 * n - 1234
    x, y = random(count), random(count, seed=2)
    exact = x.astype(np.float64) / (1 + np.exp(-x.astype(np.float64))) * y
    k.array("x", "f32", x)
    k.array("y", "f32", y)
    k.array("z", "f32", expect=exact, tolerance=2e-6)
    k.scalar("n", count)
    views = [k.view(key, "f32", [n], ["n"], [1], "zero" if key != "z" else None) for key in "xyz"]
    type = "%dxf32" % n
    a, b = k.load(views[0], "%b"), k.load(views[1], "%b")
    e = k.op("exp", k.op("negf", a, type=type), type=type)
    q = k.op("divf", a, k.op("addf", e, k.constant("1.0", type), type=type), type=type)
    k.store(k.op("mulf", q, b, type=type), views[2], "%b")
    return k


@rows
def chain(name, log):
    k = Kernel(name)
    n = 1 << log
    x = np.random.default_rng(3).integers(0, 1 << 16, n).astype(np.uint16)
    x[(x & 0x7F80) >= 0x4F80] &= 0x3FFF
    wide = from_bf16(x)
    k.array("x", "bf16", x)
    k.array("z", "bf16", expect=to_bf16(np.maximum(wide * np.float32(0.5) + np.float32(1), np.float32(0))))
    source, target = (k.view(key, "bf16", [n], [n], [1]) for key in "xz")
    type = "%dxf32" % n
    a = k.op("ftof", k.load(source, "%b"), type="%dxbf16" % n, to=type)
    s = k.op("addf", k.op("mulf", a, k.constant("0.5", type), type=type), k.constant("1.0", type), type=type)
    r = k.op("maxf", s, k.constant("0.0", type), type=type)
    k.store(k.op("ftof", r, type=type, to="%dxbf16" % n), target, "%b")
    return k


@rows
def masked_pointers(name, log):
    """Writes loads with a mask and a fallback, a chain on indices, and stores with another mask."""
    k = Kernel(name)
    n, count = 1 << log, (1 << log) - 333
    x = np.random.default_rng(4).integers(-1000, 1000, count).astype(np.int32)
    z = np.full(n, 77, np.int32)
    index = np.arange(n)
    loaded = np.where(index < count, np.pad(x, (0, n - count)), -5)
    even = index % 2 == 0
    k.array("x", "i32", x)
    k.array("z", "i32", value=z, expect=np.where(even, loaded * 3 + index, z))
    k.scalar("n", count)
    type = "%dxi32" % n
    p, i = k.pointers("x", "i32", n)
    mask = k.op("cmpi less_than", i, k.spread("%n", str(n), "i32") + ", signed", type=type, to="%dxi1" % n)
    a = k.new()
    k("%s, %st = load_ptr_tko weak %s, %s, %s : tile<%dxptr<i32>>, tile<%dxi1>, tile<%s> -> tile<%s>, token" % (
        a, a, p, mask, k.constant("-5", type), n, n, type, type))
    s = k.op("addi", k.op("muli", a, k.constant("3", type), type=type), i, type=type)
    q, j = k.pointers("z", "i32", n)
    low = k.op("andi", j, k.constant("1", type), type=type)
    keep = k.op("cmpi equal", low, k.constant("0", type) + ", signed", type=type, to="%dxi1" % n)
    k("%st = store_ptr_tko weak %s, %s, %s : tile<%dxptr<i32>>, tile<%s>, tile<%dxi1> -> token" % (s, q, s, keep, n, type, n))
    return k


@case
def cube():
    """Writes three dimensions, ragged in two of them, with an index of each."""
    k = Kernel("cube")
    tile, real = (16, 64, 128), (13, 64, 101)
    x = np.random.default_rng(5).integers(-99, 99, real).astype(np.int32)
    a, b, c = np.indices(real)
    k.array("x", "i32", x)
    k.array("z", "i32", expect=(x * 2 + a * 10000 + b * 100 + c).astype(np.int32))
    sizes, strides = list(real), [real[1] * real[2], real[2], 1]
    source = k.view("x", "i32", tile, sizes, strides, "zero")
    target = k.view("z", "i32", tile, sizes, strides)
    shape, type = "16x64x128", "16x64x128xi32"
    value = k.op("muli", k.load(source, "%zero", "%zero", "%zero"), k.constant("2", type), type=type)
    for d, (extent, factor) in enumerate(zip(tile, (10000, 100, 1))):
        index = k.op("iota", type="%dxi32" % extent)
        ones = "x".join(str(extent) if i == d else "1" for i in range(3))
        index = k.op("reshape", index, type="%dxi32" % extent, to=ones + "xi32")
        index = k.spread(index, shape, "i32", ones)
        value = k.op("addi", value, k.op("muli", index, k.constant(factor, type), type=type), type=type)
    k.store(value, target, "%zero", "%zero", "%zero")
    return k


@rows
def fill(name, log):
    k = Kernel(name)
    n = 1 << log
    k.array("z", "f32", expect=np.full(n - 5, 1.5, np.float32))
    k.scalar("n", n - 5)
    k.store(k.constant("1.5", "%dxf32" % n), k.view("z", "f32", [n], ["n"], [1]), "%zero")
    return k


def softmax_of(x):
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max())
    return e / e.sum()


def softmax_steps(k, a, n):
    type, row = "%dxf32" % n, str(n)
    most = k.reduce("maxf", LOW, a, row, "f32")
    e = k.op("exp", k.op("subf", a, k.spread(most, row, "f32"), type=type), type=type)
    total = k.reduce("addf", "0.0", e, row, "f32")
    return k.op("divf", e, k.spread(total, row, "f32"), type=type)


@rows
def softmax(name, log):
    k = Kernel(name)
    n, count = 1 << log, (1 << log) - 1235
    x = random(count)
    k.array("x", "f32", x)
    k.array("z", "f32", expect=softmax_of(x), tolerance=1e-5)
    k.scalar("n", count)
    a = k.load(k.view("x", "f32", [n], ["n"], [1], "neg_inf"), "%b")
    k.store(softmax_steps(k, a, n), k.view("z", "f32", [n], ["n"], [1]), "%b")
    return k


def softmax_moved(name, moved):
    """Stores over the loaded row, `moved` elements further, ordered by values alone."""
    k = Kernel(name)
    n = 1 << 16
    x = random(n + 64)
    after = x.copy()
    after[moved:moved + n] = softmax_of(x[:n])
    k.array("x", "f32", x, expect=after, tolerance=1e-5)
    k.scalar("m", moved)
    k("%q = offset %x, %m : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>")
    a = k.load(k.view("x", "f32", [n], [n], [1]), "%zero")
    k.store(softmax_steps(k, a, n), k.view("q", "f32", [n], [n], [1]), "%zero")
    return k


@case
def softmax_in_place():
    return softmax_moved("softmax_in_place", 0)


@case
def softmax_moved_by_4():
    return softmax_moved("softmax_moved_by_4", 4)


@case
def shifted_by_token():
    """Copies a row 16 elements further: a token orders the stores after all loads."""
    k = Kernel("shifted_by_token")
    n = 1 << 17
    x = np.arange(n + 16, dtype=np.int32)
    after = x.copy()
    after[16:] = x[:n] + 1
    k.array("x", "i32", x, expect=after)
    k.scalar("m", 16)
    k("%q = offset %x, %m : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>")
    a = k.load(k.view("x", "i32", [n], [n], [1]), "%zero")
    s = k.op("addi", a, k.constant("1", "%dxi32" % n), type="%dxi32" % n)
    k.store(s, k.view("q", "i32", [n], [n], [1]), "%zero", token=a + "t")
    return k


@rows
def softmax_pointers(name, log):
    k = Kernel(name, 2)
    n, count = 1 << log, (1 << log) - 4321
    x = random(2, n)
    z = np.zeros((2, n), np.float32)
    z[:, :count] = [softmax_of(row[:count]) for row in x]
    k.array("x", "f32", x)
    k.array("z", "f32", np.zeros((2, n)), expect=z, tolerance=1e-5)
    k.scalar("n", count)
    type, whole = "%dxf32" % n, "%dxi32" % n
    start = k.op("muli", "%b", k.constant(n, "i32"), type="i32")
    p, i = k.pointers("x", "f32", n, start)
    place = k.op("iota", type=whole)
    mask = k.op("cmpi less_than", place, k.spread("%n", str(n), "i32") + ", signed", type=whole, to="%dxi1" % n)
    a = k.new()
    k("%s, %st = load_ptr_tko weak %s, %s, %s : tile<%dxptr<f32>>, tile<%dxi1>, tile<%s> -> tile<%s>, token" % (
        a, a, p, mask, k.constant(LOW, type), n, n, type, type))
    y = softmax_steps(k, a, n)
    q, _ = k.pointers("z", "f32", n, start)
    k("%st = store_ptr_tko weak %s, %s, %s : tile<%dxptr<f32>>, tile<%s>, tile<%dxi1> -> token" % (y, q, y, mask, n, type, n))
    return k


@rows
def rmsnorm(name, log):
    k = Kernel(name)
    n = 1 << log
    x, w = to_bf16(random(n)), to_bf16(random(n, seed=2))
    wide = from_bf16(x).astype(np.float64)
    exact = wide / np.sqrt((wide**2).mean() + 1e-5) * from_bf16(w)
    k.array("x", "bf16", x)
    k.array("w", "bf16", w)
    k.array("z", "bf16", expect=to_bf16(exact.astype(np.float32)), tolerance=8e-3)
    half, type, row = "1x%dxbf16" % n, "1x%dxf32" % n, "1x%d" % n
    a = k.op("ftof", k.load(k.view("x", "bf16", [1, n], [1, n], [n, 1]), "%b", "%zero"), type=half, to=type)
    b = k.load(k.view("w", "bf16", [n], [n], [1]), "%zero")
    b = k.op("ftof", k.op("reshape", b, type="%dxbf16" % n, to=half), type=half, to=type)
    squares = k.reduce("addf", "0.0", k.op("mulf", a, a, type=type), row, "f32", 1)
    mean = k.op("mulf", squares, k.constant(1.0 / n, "1xf32"), type="1xf32")
    scale = k.op("rsqrt", k.op("addf", mean, k.constant("1.0e-5", "1xf32"), type="1xf32"), type="1xf32")
    scale = k.spread(k.op("reshape", scale, type="1xf32", to="1x1xf32"), row, "f32", "1x1")
    y = k.op("mulf", k.op("mulf", a, scale, type=type), b, type=type)
    k.store(k.op("ftof", y, type=type, to=half), k.view("z", "bf16", [1, n], [1, n], [n, 1]), "%b", "%zero")
    return k


@rows
def layernorm(name, log):
    """Stores mean and deviation before it needs the row again."""
    k = Kernel(name, 2)
    n, count = 1 << log, (1 << log) - 2768
    x, w, b = random(2, count), random(count, seed=2), random(count, seed=3)
    wide = x.astype(np.float64)
    mean = wide.mean(axis=1)
    rstd = 1 / np.sqrt(((wide - mean[:, None])**2).mean(axis=1) + 1e-5)
    k.array("x", "f32", x)
    k.array("w", "f32", w)
    k.array("c", "f32", b)
    k.array("z", "f32", expect=(wide - mean[:, None]) * rstd[:, None] * w + b, tolerance=2e-5)
    k.array("mean", "f32", expect=mean, tolerance=1e-5)
    k.array("rstd", "f32", expect=rstd, tolerance=1e-5)
    k.scalar("n", count)
    type, row = "1x%dxf32" % n, "1x%d" % n
    a = k.load(k.view("x", "f32", [1, n], [2, "n"], ["n", 1], "zero"), "%b", "%zero")
    per = lambda value: k.op("mulf", value, k.constant(1.0 / count, "1xf32"), type="1xf32")
    m = per(k.reduce("addf", "0.0", a, row, "f32", 1))
    k.store(m, k.view("mean", "f32", [1], [2], [1]), "%b")
    i = k.op("reshape", k.op("iota", type="%dxi32" % n), type="%dxi32" % n, to="1x%dxi32" % n)
    inside = k.op("cmpi less_than", i, k.spread("%n", row, "i32") + ", signed", type="1x%dxi32" % n, to="1x%dxi1" % n)
    away = k.op("subf", a, k.spread(k.op("reshape", m, type="1xf32", to="1x1xf32"), row, "f32", "1x1"), type=type)
    d = k.new()
    k("%s = select %s, %s, %s : tile<1x%dxi1>, tile<%s>" % (d, inside, away, k.constant("0.0", type), n, type))
    var = per(k.reduce("addf", "0.0", k.op("mulf", d, d, type=type), row, "f32", 1))
    r = k.op("rsqrt", k.op("addf", var, k.constant("1.0e-5", "1xf32"), type="1xf32"), type="1xf32")
    k.store(r, k.view("rstd", "f32", [1], [2], [1]), "%b")
    scale = k.spread(k.op("reshape", r, type="1xf32", to="1x1xf32"), row, "f32", "1x1")
    weights = [k.op("reshape", k.load(k.view(key, "f32", [n], ["n"], [1], "zero"), "%zero"), type="%dxf32" % n, to=type)
               for key in "wc"]
    y = k.op("addf", k.op("mulf", k.op("mulf", d, scale, type=type), weights[0], type=type), weights[1], type=type)
    k.store(y, k.view("z", "f32", [1, n], [2, "n"], ["n", 1]), "%b", "%zero")
    return k


def number(k, key, dtype, value):
    k("%%%ss = store_ptr_tko weak %%%s, %s : tile<ptr<%s>>, tile<%s> -> token" % (key, key, value, dtype, dtype))


@rows
def extrema(name, log):
    """Writes commutative reductions of NaN, zeros of both signs and numbers that wrap."""
    k = Kernel(name)
    n = 1 << log
    x = random(n) - 5
    y = np.random.default_rng(8).integers(-2**31, 2**31, n).astype(np.int32)
    x[4711] = np.nan
    zeros = np.full(n, -0.0, np.float32)
    k.array("x", "f32", x)
    k.array("y", "i32", y)
    k.array("zeros", "f32", zeros)
    most = np.nanmax(x)
    answers = {"most": ("f32", most), "all": ("f32", np.nan), "sum": ("i32", y.sum(dtype=np.int64).astype(np.int32)),
               "low": ("i32", y.min()), "mix": ("i32", np.bitwise_xor.reduce(y)), "none": ("f32", -0.0)}
    for key, (dtype, value) in answers.items():
        k.array(key, dtype, expect=np.array([value]).astype(NUMPY[dtype]))
    f, i, row = "%dxf32" % n, "%dxi32" % n, str(n)
    a, c, z = (k.load(k.view(key, dtype, [n], [n], [1]), "%zero") for key, dtype in
               (("x", "f32"), ("y", "i32"), ("zeros", "f32")))
    number(k, "most", "f32", k.reduce("maxf", LOW, a, row, "f32"))
    number(k, "sum", "i32", k.reduce("addi", "0", c, row, "i32"))
    low = k.new()
    k("%s = reduce %s dim=0 identities=[2147483647 : i32] : tile<%s> -> tile<i32>" % (low, c, i),
      "(%l: tile<i32>, %r: tile<i32>) {", "  %o = mini %l, %r signed : tile<i32>", "  yield %o : tile<i32>", "}")
    number(k, "low", "i32", low)
    number(k, "mix", "i32", k.reduce("xori", "0", c, row, "i32"))
    number(k, "none", "f32", k.reduce("addf", "0x80000000", z, row, "f32"))
    every = k.new()
    k("%s = reduce %s dim=0 identities=[%s : f32] : tile<%s> -> tile<f32>" % (every, a, LOW, f),
      "(%l: tile<f32>, %r: tile<f32>) {", "  %o = maxf %l, %r propagate_nan : tile<f32>", "  yield %o : tile<f32>", "}")
    number(k, "all", "f32", every)
    return k


@rows
def argmax(name, log):
    k = Kernel(name)
    n, count = 1 << log, (1 << log) - 3000
    x = random(count)
    x[[n // 2 + 7, n // 4 * 3 + 1]] = 100
    k.array("x", "f32", x)
    k.array("value", "f32", expect=np.array([100]))
    k.array("place", "i32", expect=np.array([n // 2 + 7]))
    k.scalar("n", count)
    a = k.load(k.view("x", "f32", [n], ["n"], [1], "neg_inf"), "%zero")
    i = k.op("iota", type="%dxi32" % n)
    r = k.new()
    k("%s:2 = reduce %s, %s dim=0 identities=[%s : f32, 0 : i32] : tile<%dxf32>, tile<%dxi32> -> tile<f32>, tile<i32>" % (
        r, a, i, LOW, n, n),
      "(%l: tile<f32>, %r: tile<f32>, %li: tile<i32>, %ri: tile<i32>) {",
      "  %g = cmpf greater_than ordered %l, %r : tile<f32> -> tile<i1>",
      "  %e = cmpf equal ordered %l, %r : tile<f32> -> tile<i1>",
      "  %f = cmpi less_than %li, %ri, signed : tile<i32> -> tile<i1>",
      "  %t = andi %e, %f : tile<i1>", "  %c = ori %g, %t : tile<i1>",
      "  %o = select %c, %l, %r : tile<i1>, tile<f32>", "  %oi = select %c, %li, %ri : tile<i1>, tile<i32>",
      "  yield %o, %oi : tile<f32>, tile<i32>", "}")
    number(k, "value", "f32", r + "#0")
    number(k, "place", "i32", r + "#1")
    return k


@rows
def composed(name, log):
    """Composes maps x -> a x + b: the order of the elements determines the result."""
    k = Kernel(name)
    n = 1 << log
    rng = np.random.default_rng(9)
    a = (rng.integers(0, 1000, n) * 2 + 1).astype(np.int32)
    b = rng.integers(0, 1000, n).astype(np.int32)
    p, q = 1, 0
    for u, v in zip(a.tolist(), b.tolist()):
        p, q = p * u & 0xFFFFFFFF, (q * u + v) & 0xFFFFFFFF
    k.array("x", "i32", a)
    k.array("y", "i32", b)
    k.array("p", "i32", expect=np.array([p], np.uint32).view(np.int32))
    k.array("q", "i32", expect=np.array([q], np.uint32).view(np.int32))
    u, v = (k.load(k.view(key, "i32", [n], [n], [1]), "%zero") for key in "xy")
    r = k.new()
    type = "%dxi32" % n
    k("%s:2 = reduce %s, %s dim=0 identities=[1 : i32, 0 : i32] : tile<%s>, tile<%s> -> tile<i32>, tile<i32>" % (
        r, u, v, type, type),
      "(%u: tile<i32>, %au: tile<i32>, %v: tile<i32>, %av: tile<i32>) {",
      "  %f = muli %u, %au : tile<i32>", "  %g = muli %u, %av : tile<i32>", "  %h = addi %g, %v : tile<i32>",
      "  yield %f, %h : tile<i32>, tile<i32>", "}")
    number(k, "p", "i32", r + "#0")
    number(k, "q", "i32", r + "#1")
    return k


@rows
def cross_entropy(name, log):
    k = Kernel(name)
    n, count, label = 1 << log, (1 << log) - 999, 21234
    x = to_bf16(random(count) * 3)
    wide = from_bf16(x).astype(np.float64)
    k.array("x", "bf16", x)
    k.array("loss", "f32", expect=np.array([np.log(np.exp(wide).sum()) - wide[label]]), tolerance=1e-5)
    k.scalar("label", label)
    k.scalar("n", count)
    half, type, row = "1x%dxbf16" % n, "1x%dxf32" % n, "1x%d" % n
    a = k.op("ftof", k.load(k.view("x", "bf16", [1, n], [1, "n"], ["n", 1], "neg_inf"), "%zero", "%zero"), type=half, to=type)
    most = k.reduce("maxf", LOW, a, row, "f32", 1)
    spread = k.spread(k.op("reshape", most, type="1xf32", to="1x1xf32"), row, "f32", "1x1")
    total = k.reduce("addf", "0.0", k.op("exp", k.op("subf", a, spread, type=type), type=type), row, "f32", 1)
    i = k.op("reshape", k.op("iota", type="%dxi32" % n), type="%dxi32" % n, to="1x%dxi32" % n)
    hit = k.op("cmpi equal", i, k.spread("%label", row, "i32") + ", signed", type="1x%dxi32" % n, to="1x%dxi1" % n)
    s = k.new()
    k("%s = select %s, %s, %s : tile<1x%dxi1>, tile<%s>" % (s, hit, a, k.constant("0.0", type), n, type))
    gathered = k.reduce("addf", "0.0", s, row, "f32", 1)
    loss = k.op("subf", k.op("addf", k.op("log", total, type="1xf32"), most, type="1xf32"), gathered, type="1xf32")
    k.store(loss, k.view("loss", "f32", [1], [1], [1]), "%zero")
    return k


@case
def many_rows():
    """Slices between rows, not through them: nothing crosses slices."""
    k = Kernel("many_rows")
    rows, n = 1024, 256
    x = random(rows, n)
    exact = np.array([softmax_of(row) for row in x])
    k.array("x", "f32", x)
    k.array("z", "f32", expect=exact, tolerance=1e-5)
    k.array("sums", "f32", expect=x.astype(np.float64).sum(axis=1), tolerance=1e-4)
    shape, type = "%dx%d" % (rows, n), "%dx%dxf32" % (rows, n)
    a = k.load(k.view("x", "f32", [rows, n], [rows, n], [n, 1]), "%zero", "%zero")
    column = lambda value: k.spread(k.op("reshape", value, type="%dxf32" % rows, to="%dx1xf32" % rows), shape, "f32",
                                    "%dx1" % rows)
    most = k.reduce("maxf", LOW, a, shape, "f32", 1)
    e = k.op("exp", k.op("subf", a, column(most), type=type), type=type)
    y = k.op("divf", e, column(k.reduce("addf", "0.0", e, shape, "f32", 1)), type=type)
    k.store(y, k.view("z", "f32", [rows, n], [rows, n], [n, 1]), "%zero", "%zero")
    k.store(k.reduce("addf", "0.0", a, shape, "f32", 1), k.view("sums", "f32", [rows], [rows], [1]), "%zero")
    return k


@case
def columns():
    """Writes sums of the columns of a tile, and the tile minus their mean."""
    k = Kernel("columns")
    rows, n = 4096, 64
    x = random(rows, n)
    sums = x.astype(np.float64).sum(axis=0)
    k.array("x", "f32", x)
    k.array("sums", "f32", expect=sums, tolerance=1e-3)
    k.array("z", "f32", expect=x - sums / rows, tolerance=1e-5)
    shape, type = "%dx%d" % (rows, n), "%dx%dxf32" % (rows, n)
    a = k.load(k.view("x", "f32", [rows, n], [rows, n], [n, 1]), "%zero", "%zero")
    s = k.reduce("addf", "0.0", a, shape, "f32", 0)
    k.store(s, k.view("sums", "f32", [n], [n], [1]), "%zero")
    mean = k.op("mulf", s, k.constant(1.0 / rows, "%dxf32" % n), type="%dxf32" % n)
    mean = k.spread(k.op("reshape", mean, type="%dxf32" % n, to="1x%dxf32" % n), shape, "f32", "1x%d" % n)
    k.store(k.op("subf", a, mean, type=type), k.view("z", "f32", [rows, n], [rows, n], [n, 1]), "%zero", "%zero")
    return k


@case
def transpose_256():
    """A tile that exceeds shared memory passes through it slice by slice."""
    k = Kernel("transpose_256", 2)
    n = 256
    x = random(2 * n, n - 6)
    k.array("x", "f32", x)
    k.array("z", "f32", expect=x.T)
    k.scalar("n", n - 6)
    source = k.view("x", "f32", [n, n], [2 * n, "n"], ["n", 1])
    target = k.view("z", "f32", [n, n], ["n", 2 * n], [2 * n, 1])
    type = "%dx%dxf32" % (n, n)
    transposed = k.new()
    k("%s = permute %s [1, 0] : tile<%s> -> tile<%s>" % (transposed, k.load(source, "%b", "%zero"), type, type))
    k.store(transposed, target, "%zero", "%b")
    return k


@case
def product_256():
    """A matmul whose result is too large for shared memory in the epilogue."""
    k = Kernel("product_256")
    m, n, depth = 256, 256, 64
    rng = np.random.default_rng(7)
    x, y = (rng.integers(-8, 8, shape).astype(np.float32) for shape in ((m, depth), (depth, n)))
    k.array("x", "bf16", to_bf16(x))
    k.array("y", "bf16", to_bf16(y))
    k.array("z", "bf16", expect=to_bf16(x @ y))
    views = [k.view(key, "bf16", shape, shape, [shape[1], 1]) for key, shape in
             (("x", [m, depth]), ("y", [depth, n]), ("z", [m, n]))]
    a, b = k.load(views[0], "%zero", "%zero"), k.load(views[1], "%zero", "%zero")
    c = k.constant("0.0", "%dx%dxf32" % (m, n))
    r = k.new()
    k("%s = mmaf %s, %s, %s : tile<%s>, tile<%s>, tile<%dx%dxf32>" % (r, a, b, c, views[0][2], views[1][2], m, n))
    k.store(k.op("ftof", r, type="%dx%dxf32" % (m, n), to=views[2][2]), views[2], "%zero", "%zero")
    return k


def arrays(name, count, columns, aligned):
    """Sums rows of half of `count` arrays and divides them by their squares' sum; every other array gets the product of
    that and of a row. Rows are at most `columns` long; extents and strides are arguments."""
    k = Kernel(name, 2)
    real, inputs = columns - 16, count // 2
    x = [from_bf16(to_bf16(random(2, real, seed=i))) for i in range(inputs)]
    total = sum(x[1:], x[0]).astype(np.float64)
    ratio = total / (total**2).sum(axis=1, keepdims=True) * 64
    strides = ["s%d" % i for i in range(count)]
    for i in range(count):
        if i < inputs:
            k.array("p%d" % i, "bf16", to_bf16(x[i]))
        else:
            k.array("p%d" % i, "bf16", expect=to_bf16((ratio * x[i - inputs]).astype(np.float32)), tolerance=8e-3)
        k.scalar("n%d" % i, real)
        k.scalar(strides[i], real)
    wide, half, row = "1x%dxf32" % columns, "1x%dxbf16" % columns, "1x%d" % columns

    def view(i):
        names = ["p%d" % i, "n%d" % i, strides[i]]
        if aligned:
            for key, type in zip(names, ("ptr<bf16>", "i32", "i32")):
                k("%%%s_16 = assume div_by<16>, %%%s : tile<%s>" % (key, key, type))
            names = [key + "_16" for key in names]
        return k.view(names[0], "bf16", [1, columns], [2, names[1]], [names[2], 1], "zero")

    rows = [k.op("ftof", k.load(view(i), "%b", "%zero"), type=half, to=wide) for i in range(inputs)]
    added = rows[0]
    for value in rows[1:]:
        added = k.op("addf", added, value, type=wide)
    squares = k.reduce("addf", "0.0", k.op("mulf", added, added, type=wide), row, "f32", 1)
    divisor = k.op("mulf", squares, k.constant(1 / 64, "1xf32"), type="1xf32")
    divisor = k.spread(k.op("reshape", divisor, type="1xf32", to="1x1xf32"), row, "f32", "1x1")
    quotient = k.op("divf", added, divisor, type=wide)
    for i, value in enumerate(rows):
        product = k.op("mulf", quotient, value, type=wide)
        k.store(k.op("ftof", product, type=wide, to=half), view(inputs + i), "%b", "%zero")
    return k


def products(name, shapes, dtype="f64"):
    """Writes dots of loaded tiles, one after the other, of (rows, depth, columns) each. Nothing is known about
    strides."""
    k = Kernel(name)
    for i, (m, depth, n) in enumerate(shapes):
        a, b = (random(*shape, seed=3 * i + j).astype(np.float64) for j, shape in enumerate(((m, depth), (depth, n))))
        names = ["%s%d" % (key, i) for key in "abc"]
        k.array(names[0], dtype, a)
        k.array(names[1], dtype, b)
        k.array(names[2], dtype, expect=a @ b, tolerance=1e-11)
        views = []
        for key, (rows, columns) in zip(names, ((m, depth), (depth, n), (m, n))):
            for at, extent in enumerate((rows, columns)):
                k.scalar("%s_n%d" % (key, at), extent)
            k.scalar(key + "_s", columns)
            views.append(k.view(key, dtype, [rows, columns], [key + "_n0", key + "_n1"], [key + "_s", 1]))
        x, y = (k.load(view, "%zero", "%zero") for view in views[:2])
        r = k.new()
        k("%s = mmaf %s, %s, %s : tile<%s>, tile<%s>, tile<%s>" % (
            r, x, y, k.constant("0.0", views[2][2]), views[0][2], views[1][2], views[2][2]))
        k.store(r, views[2], "%zero", "%zero")
    return k


def named(name, make, *args, **options):
    CASES[name] = lambda: make(name, *args, **options)


named("products_f64_tiny", products, [(1, 64, 64), (64, 64, 1), (1, 256, 1), (2, 2, 2), (4, 16, 8), (8, 4, 8), (16, 32, 4),
                                      (1, 1, 1), (32, 1, 32), (1, 8, 128)])
named("products_f64_16", products, [(16, 16, 16), (16, 64, 64), (16, 32, 4), (16, 128, 8), (16, 4, 16)])
named("product_f64_deep", products, [(16, 256, 16)])
named("product_f64_wide", products, [(16, 128, 128)])

for number_of_arrays in range(2, 13, 2):
    CASES["arrays_%d" % number_of_arrays] = lambda n=number_of_arrays: arrays("arrays_%d" % n, n, 4096, True)
    CASES["narrow_arrays_%d" % number_of_arrays] = lambda n=number_of_arrays: arrays("narrow_arrays_%d" % n, n, 1024, False)


def main():
    for name in sys.argv[2:]:
        kind, _, log = name.rpartition("_2_")
        (CASES[name]() if name in CASES else ROWS[kind](name, int(log))).write(sys.argv[1])


if __name__ == "__main__":
    main()
