#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the cases of small kernels that once went wrong, and their answers.

The answers are computed here, in exact fractions and NumPy, independent of this project's compiler, oracle and
emulator.

    /usr/bin/python3 test/kernels/small/make_small.py
"""

import json
import math
import os
from fractions import Fraction

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def in_folder(name):
    """Returns the path of a file in the folder of its kernel."""
    return os.path.join(HERE, name.split(".")[0], name)


def save(name, array):
    np.save(in_folder(name), array)


def case(name, args, stdout=None, blocks=1, exact=True, outputs="poison", strides=None, order=None):
    """Writes a case of `blocks` tile blocks. An array is an input, a pair (dtype, array) an expected output. `order` is
    the order of lines."""
    entries = []
    for key, dtype, value, is_output in args:
        if isinstance(value, dict):  # fields of a buffer without a file
            entries.append({"name": key, "dtype": dtype, **value})
            continue
        if np.isscalar(value):
            entries.append({"name": key, "dtype": dtype, "value": value})
            continue
        file = "%s.%s.npy" % (name, key)
        shape = list(value.shape)
        if dtype == "f4E2M1FN":  # two a byte, the first one low
            value = (value[..., ::2] | value[..., 1::2] << 4).astype(np.uint8)
        save(file, value)
        entry = {"name": key, "dtype": dtype, "shape": shape}
        if strides and key in strides:
            entry["strides"] = strides[key]
        if is_output:
            start = outputs.get(key, "poison") if isinstance(outputs, dict) else outputs
            if not isinstance(start, str):
                save("%s.%s.start.npy" % (name, key), start)
                start = "@%s.%s.start.npy" % (name, key)
            entry.update({"init": start, "output": True, "expect": file})
            if isinstance(exact, dict) and key in exact:
                entry.update(zip(("rtol", "atol"), exact[key]))
            elif not exact:  # sums in any order
                entry.update({"rtol": 0, "atol": float("%.3g" % (1e-5 * np.abs(value).max()))})
        else:
            entry["init"] = "@" + file
        entries.append(entry)
    text = {"kernel": name + ".mlir", "entry": name, "grid": [*blocks, 1] if isinstance(blocks, tuple) else [blocks, 1, 1]}
    if stdout is not None:
        text["stdout"] = name + ".txt"
        with open(in_folder(name + ".txt"), "w") as file:
            file.write(stdout)
        if order:
            text["stdout_order"] = order
    text["args"] = entries
    with open(in_folder(name + ".json"), "w") as file:
        json.dump(text, file, indent=1)
        file.write("\n")


def nested(array, form):
    if array.ndim == 0:
        return form % array[()]
    return "[" + ", ".join(nested(part, form) for part in array) + "]"


def print_tile():
    iota = np.arange(8)
    text = "n 7, cube %s: 100%%\n" % nested(iota.reshape(2, 2, 2), "%d")
    text += "%s and %s\n" % (nested(np.array([0.5, -2.0]), "%g"), nested(iota, "%04x"))
    text += nested(np.arange(1024), "%d") + "\n"
    for i in range(2):
        text += "round %d %s\n" % (i, nested(iota, "%d"))
    case("print_tile", [("n", "i32", 7, False)], text)


def scale(value, up):
    """Returns f8E8M0FNU of a double: the exponent of a power of two, plus 127."""
    if math.isnan(value):
        return 255
    if value <= 0:
        return 0
    if math.isinf(value):
        return 254
    mantissa, exponent = math.frexp(value)  # [0.5, 1)
    exponent -= 1
    if up and mantissa != 0.5:
        exponent += 1
    return min(max(exponent + 127, 0), 254)


def float_scale():
    rng = np.random.default_rng(1)
    x = np.exp2(rng.uniform(-140, 127, 64)).astype(np.float32)
    x[:16] = [0.0, -0.0, 1.0, -1.0, 2.0**-127, 1.5 * 2.0**-127, 2.0**-126, 2.0**-149, 2.0**127, 1.5 * 2.0**127,
              np.inf, -np.inf, np.nan, 3.0, 4.0, 0.75]
    d = np.exp2(rng.uniform(-200, 200, 64))
    # Above a power of two by less than f32 can represent.
    d[:6] = [1 + 2.0**-40, 4 - 2.0**-40, 2.0**-127 + 2.0**-170, 2.0**126 * (1 + 2.0**-50), 1e300, -1e-300]
    to = lambda values, up: np.array([scale(float(v), up) for v in values], np.uint8)
    case("float_scale", [("x", "f32", x, False), ("d", "f64", d, False),
                         ("down", "f8E8M0FNU", to(x, False), True), ("up", "f8E8M0FNU", to(x, True), True),
                         ("wide", "f8E8M0FNU", to(d, True), True)])


def nearest(value, digits, least):
    """Rounds a finite double to `digits` significant bits, ties to even; `least` is the smallest exponent."""
    exact = Fraction(value)
    if exact == 0:
        return value
    exponent = max(math.frexp(value)[1] - 1, least)
    unit = Fraction(2)**(exponent - digits + 1)
    return math.copysign(float(round(exact / unit) * unit), value)


def tf32(values):
    with np.errstate(over="ignore"):
        rounded = np.array([nearest(float(v), 11, -126) if np.isfinite(v) else v for v in values]).astype(np.float32)
    return rounded


def e4m3(value):
    if math.isnan(value):
        return 0x7F
    sign = 0x80 if math.copysign(1, value) < 0 else 0
    number = min(abs(nearest(value, 4, -6)) if math.isfinite(value) else 448.0, 448.0)
    if number == 0:
        return sign
    exponent = max(math.frexp(number)[1] - 1, -6)
    mantissa = int(number / 2.0**(exponent - 3))
    return sign | ((exponent + 6) * 8 + mantissa)


def float_narrow():
    rng = np.random.default_rng(2)
    x = rng.standard_normal(128).astype(np.float32)
    # Ties, above an even and above an odd number, and the neighbours of infinity.
    x[:8] = [1 + 2.0**-11, 1 + 3 * 2.0**-11, -1 - 2.0**-11, 2.0**-140, np.inf, -np.inf, 65504.0, 0.0]
    d = rng.standard_normal(128) * 8
    # Just above and below ties, by less than f32 can represent; beyond the range of f8.
    d[:8] = [1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-11 - 2.0**-40, 1 + 2.0**-4 + 2.0**-40, 1 + 3 * 2.0**-4 - 2.0**-40,
             1000.0, -1e6, 2.0**-10 + 2.0**-50, 2.0**-9 * 2.5]
    case("float_narrow", [("x", "f32", x, False), ("d", "f64", d, False), ("single", "tf32", tf32(x), True),
                          ("double", "tf32", tf32(d), True),
                          ("byte", "f8E4M3FN", np.array([e4m3(float(v)) for v in d], np.uint8), True)])


def half_directed():
    rng = np.random.default_rng(3)
    x = (rng.standard_normal(64) * np.exp2(rng.integers(-4, 12, 64))).astype(np.float16)
    y = (rng.standard_normal(64) * np.exp2(rng.integers(-22, 0, 64))).astype(np.float16)
    x[:4], y[:4] = [2048.0, -2048.0, 1.0, 30000.0], [2.0**-24, 2.0**-24, -2.0**-24, -2.0**-24]

    def directed(a, b, mode):
        exact = Fraction(float(a)) + Fraction(float(b))
        near = np.float16(float(a) + float(b))
        if Fraction(float(near)) == exact:
            return near
        if mode == "cut":
            mode = "down" if exact > 0 else "up"
        if mode == "down":
            return near if Fraction(float(near)) < exact else np.nextafter(near, np.float16(-np.inf))
        return near if Fraction(float(near)) > exact else np.nextafter(near, np.float16(np.inf))

    outs = [(mode, "f16", np.array([directed(a, b, mode) for a, b in zip(x, y)], np.float16), True)
            for mode in ("down", "up", "cut")]
    case("half_directed", [("x", "f16", x, False), ("y", "f16", y, False)] + outs)


def bool_exchange():
    x = np.random.default_rng(4).integers(0, 2, (128, 4)).astype(np.uint8)
    case("bool_exchange", [("x", "i1", x, False), ("y", "i64", x.T.astype(np.int64), True)])


def bool_to_float():
    x = np.array([1, 4, 7, -3], np.int32)
    minus_one = (x & 1).astype(np.uint16) * 0xBF80  # bits of bf16
    case("bool_to_float", [("x", "i32", x, False), ("y", "bf16", minus_one, True), ("z", "bf16", minus_one, True)],
         blocks=4)


def return_in_loop():
    x = np.random.default_rng(7).permutation(32).reshape(4, 8).astype(np.int32)
    # In the first row, in the last place, in a middle row, nowhere.
    keys = np.array([x[0, 3], x[3, 7], x[2, 0], 99], np.int32)
    found = [np.flatnonzero(x.ravel() == key) for key in keys]
    y = np.array([place[0] if len(place) else -1 for place in found], np.int32)
    case("return_in_loop", [("x", "i32", x, False), ("k", "i32", keys, False), ("y", "i32", y, True)], blocks=4)


def free_bodies():
    rng = np.random.default_rng(8)
    x = rng.integers(-100, 100, (8, 16)).astype(np.int32)
    largest = x.max(axis=1).astype(np.int32)
    signs = np.where(x.min(axis=1) < 0, -1, 1).astype(np.int32)
    case("free_bodies", [("x", "i32", x, False), ("y", "i32", largest, True), ("z", "i32", signs, True)])


# Magnitudes of f4E2M1FN by code.
E2M1 = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]


def wide4(codes):
    return np.array([-E2M1[c & 7] if c & 8 else E2M1[c & 7] for c in codes.flat]).reshape(codes.shape)


def e2m1(value):
    """Returns the nearest code, ties to the even one; too large numbers and NaN become the largest one, NaN without its
    sign."""
    if math.isnan(value):
        return 7
    sign = 8 if math.copysign(1, value) < 0 else 0
    distances = [abs(Fraction(min(abs(value), 8.0)) - Fraction(m)) for m in E2M1]
    best = min(distances)
    codes = [c for c in range(8) if distances[c] == best]
    return sign | (codes[0] if len(codes) == 1 else [c for c in codes if c % 2 == 0][0])


def wide8(codes):
    """Returns the doubles of f8E4M3FN."""
    def one(c):
        exponent, mantissa = c >> 3 & 15, c & 7
        number = (8 + mantissa) * 2.0**(exponent - 10) if exponent else mantissa * 2.0**-9
        return -number if c & 128 else number
    return np.array([one(int(c)) for c in codes.flat]).reshape(codes.shape)


def float_nibble():
    rng = np.random.default_rng(5)
    x = rng.integers(0, 16, (16, 32)).astype(np.uint8)
    wide = wide4(x)
    wide[:, 30:] = -6.0  # no infinity: the largest number
    s = (rng.standard_normal((16, 32)) * 3).astype(np.float32)
    s[0, :16] = [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 7.0, -0.25, -0.75, -5.0, np.inf, -np.inf, np.nan, -0.0, 1e-30]
    narrow = np.array([e2m1(float(v)) for v in s.flat], np.uint8).reshape(s.shape)
    d = rng.standard_normal(64) * 3
    d[:6] = [0.25 + 2.0**-40, 0.75 - 2.0**-50, 5 + 2.0**-45, 5 - 2.0**-45, 2.5 + 2.0**-48, -1e300]
    double = np.array([e2m1(float(v)) for v in d], np.uint8)
    part = wide4(narrow[8:16, 16:32].reshape(-1))
    case("float_nibble", [("x", "f4E2M1FN", x, False), ("s", "f32", s, False), ("d", "f64", d, False),
                          ("n", "i32", 16, False), ("wide", "f32", wide.astype(np.float32), True),
                          ("narrow", "f4E2M1FN", narrow, True), ("turned", "f4E2M1FN", narrow, True),
                          ("double", "f4E2M1FN", double, True), ("part", "f32", part.astype(np.float32), True)])


def int_nibble():
    x = np.random.default_rng(6).integers(-2**31, 2**31, 256).astype(np.int32)
    low = (x & 15).astype(np.uint8)
    signed = np.where(low > 7, low.astype(np.int32) - 16, low.astype(np.int32)).reshape(16, 16).T
    bits = (x & 1).astype(np.uint8)
    case("int_nibble", [("x", "i32", x, False), ("bytes", "i8", (low[::2] | low[1::2] << 4).view(np.int8), True),
                        ("signed", "i32", np.ascontiguousarray(signed.astype(np.int32)), True),
                        ("unsigned", "i8", low.view(np.int8), True),
                        ("flags", "i8", np.packbits(bits, bitorder="little").view(np.int8), True),
                        ("again", "i32", bits.astype(np.int32), True)])


def scaled_product():
    rng = np.random.default_rng(7)
    codes = lambda *shape: np.where(rng.random(shape) < 0.5, 0, 128).astype(np.uint8) | rng.integers(0, 0x70, shape).astype(np.uint8)
    a, b = codes(32, 64), codes(64, 16)
    sa, sb = rng.integers(118, 137, (32, 2)).astype(np.uint8), rng.integers(118, 137, (2, 16)).astype(np.uint8)
    c = rng.standard_normal((32, 16)).astype(np.float32)
    power = lambda s: np.exp2(s.astype(np.float64) - 127)
    left = wide8(a) * np.repeat(power(sa), 32, 1)
    right = wide8(b) * np.repeat(power(sb), 32, 0)
    d = left @ right + c
    e, f = (rng.integers(0, 16, shape).astype(np.uint8) for shape in ((2, 16, 32), (2, 32, 16)))
    se, sf = (rng.integers(1, 0x7e, shape).astype(np.uint8) for shape in ((2, 16, 2), (2, 2, 16)))
    g = (wide4(e) * np.repeat(wide8(se), 16, 2)) @ (wide4(f) * np.repeat(wide8(sf), 16, 1))
    case("scaled_product", [("a", "f8E4M3FN", a, False), ("b", "f8E4M3FN", b, False), ("sa", "f8E8M0FNU", sa, False),
                            ("sb", "f8E8M0FNU", sb, False), ("c", "f32", c, False),
                            ("d", "f32", d.astype(np.float32), True), ("e", "f4E2M1FN", e, False),
                            ("f", "f4E2M1FN", f, False), ("se", "f8E4M3FN", se, False), ("sf", "f8E4M3FN", sf, False),
                            ("g", "f32", g.astype(np.float32), True)], exact=False)


def allocate():
    x = np.random.default_rng(8).integers(-1000, 1000, 256).astype(np.int32)
    y = x
    for _ in range(3):
        y = y[::-1] + 1
    y = np.ascontiguousarray(y.reshape(16, 16).T.reshape(-1)).astype(np.int32)
    case("allocate", [("x", "i32", x, False), ("n", "i32", 0, False), ("y", "i32", y, True),
                      ("z", "i32", np.ascontiguousarray(y[::-1]), True)])


def gather_slice():
    """Gathers columns of selected rows, from any start of the slice; and rows of selected columns."""
    rng = np.random.default_rng(9)
    x = rng.standard_normal((57, 64)).astype(np.float32)
    rows = rng.permutation(57)[:16].astype(np.int32)
    rows[3] = 57  # no row
    start, aligned = 13, 40
    padded = np.pad(x, ((0, 64), (0, 64)))
    columns = np.array([5, 60, 0, 33], np.int64)
    scattered = np.full((57, 64), 7, np.int32)
    ids = np.arange(16 * 16, dtype=np.int32).reshape(16, 16)
    for i, row in enumerate(rows):
        if row < 57:
            scattered[row, 51:64] = ids[i, :13]  # the slice sticks out
    across = np.full((57, 64), 7, np.int32)
    for i, column in enumerate(columns):
        across[19:35, column] = ids[:, i]
    codes = rng.integers(0, 16, (24, 64)).astype(np.uint8)
    half = np.zeros((24, 64), np.uint8)
    gathered = rows[:8] % 24
    gathered[0] = 23
    for i, row in enumerate(np.arange(8) * 3):
        half[row, 22:38] = codes[gathered[i], 6:22]
    case("gather_slice", [
        ("x", "f32", x, False), ("rows", "i32", rows, False), ("start", "i32", start, False),
        ("aligned", "i64", aligned, False), ("columns", "i64", columns, False),
        ("codes", "f4E2M1FN", codes, False), ("picked", "i32", gathered, False),
        ("even", "i8", 6, False), ("outside", "i32", -32, False),
        ("second", "f32", padded[rows, 32:64], True), ("unaligned", "f32", padded[rows, start:start + 32], True),
        ("tail", "f32", padded[rows, aligned:aligned + 32], True),
        ("turned", "f32", padded[50:66, :][:, columns], True), ("none", "f32", np.zeros((16, 32), np.float32), True),
        ("scattered", "i32", scattered, True), ("across", "i32", across, True), ("half", "f4E2M1FN", half, True)])


def bf16_add():
    """Sums small integers, which any order of additions gives exactly."""
    rng = np.random.default_rng(10)
    bits = lambda values: (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    x = rng.integers(-3, 4, (4, 64))
    sums = np.zeros(8, np.int64)
    for i in range(64):  # eight elements of a tile are added at each place
        sums[i % 8] += x[:, i].sum()
    part = rng.integers(-9, 10, 48)
    total = part + 4 * np.arange(48)
    case("bf16_add", [("x", "bf16", bits(x), False), ("part", "bf16", bits(part), False),
                      ("sums", "bf16", bits(sums), True), ("total", "bf16", bits(total), True)], blocks=4,
         outputs="zeros")


def choices():
    """Finds the maximum of a row or column: its index, found in any order, or a tag, of which the first or last one
    counts."""
    rng = np.random.default_rng(31)
    x = rng.integers(0, 6, (32, 64)).astype(np.int32)
    tags = rng.integers(-1000, 1000, (32, 64)).astype(np.int32)
    f = rng.integers(-3, 4, (32, 64)).astype(np.float32)
    f[f == 0] *= np.where(rng.integers(0, 2, (f == 0).sum()), -1, 1)
    f[3, 9], f[3, 40], f[7] = np.nan, np.nan, -0.0
    outputs = []
    for axis, name in [(1, "Row"), (0, "Column")]:
        last = x.shape[axis] - 1 - np.flip(x, axis).argmax(axis)
        index = f.argmax(axis)  # the first NaN, where there is one
        take = lambda array, where: np.take_along_axis(array, np.expand_dims(where, axis), axis).squeeze(axis)
        outputs += [("first" + name, "i32", take(tags, x.argmax(axis)), True), ("last" + name, "i32", take(tags, last), True),
                    ("index" + name, "i32", (index + 100).astype(np.int32), True), ("value" + name, "f32", take(f, index), True)]
    case("choices", [("x", "i32", x, False), ("tags", "i32", tags, False), ("f", "f32", f, False)] + outputs)


def twice_rounded():
    """Generates per type x, y, c and x y + c that an intermediate rounding to f32 would change: it is close to the
    midpoint of two halves."""
    rng = np.random.default_rng(26)

    def nearest(value, bits):  # of `bits` significant ones, to even; values here are normal numbers of either type
        unit = Fraction(2) ** (math.frexp(value)[1] - bits)
        return Fraction(round(value / unit)) * unit

    for name, significant, tiny in [("b", 8, 40), ("h", 11, 24)]:
        rows = []
        while len(rows) < 64:
            x, y = (1 + Fraction(int(n), 2 ** (significant - 1)) for n in rng.integers(0, 2 ** (significant - 1), 2))
            c = Fraction(rng.choice([-1, 1])) / 2**tiny
            exact = nearest(x * y + c, significant)
            if exact != nearest(nearest(x * y + c, 24), significant):
                rows.append((x, y, c, exact))
        yield name, np.array(rows, np.float64).T


def half_fma():
    """Fused multiply-adds of tiles, and of scalars."""
    bits = lambda values: (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    args = []
    for name, columns in twice_rounded():
        dtype, write = ("bf16", bits) if name == "b" else ("f16", lambda values: values.astype(np.float16))
        x, y, c, exact = map(write, columns)
        args += [(name + "X", dtype, x, False), (name + "Y", dtype, y, False), (name + "C", dtype, c, False),
                 (name + "Tile", dtype, exact, True), (name + "Alone", dtype, exact[:8], True)]
    case("half_fma", args, blocks=8)


def vector_red():
    """Adds integers and special numbers, whose sums are the same in any order."""
    rng = np.random.default_rng(19)
    bits = lambda values: (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    x = rng.integers(-1000, 1000, (4, 512)).astype(np.float32)
    x[2, 9], x[3, 18], x[:, 27], x[:, 36] = np.inf, np.nan, -0.0, -np.inf
    x[0, 45], x[:, 54] = np.finfo(np.float32).max, 2.0**-100
    h = rng.integers(-100, 100, (4, 512)).astype(np.float16)
    h[2, 9], h[3, 18], h[:, 27], h[:, 36] = np.inf, np.nan, -0.0, 60000
    h[:, 45] = 2.0**-24
    g = rng.integers(-9, 10, (4, 512)).astype(np.float32)
    g[2, 9], g[:, 27], g[:, 36] = np.inf, -0.0, 2.0**-120
    with np.errstate(over="ignore"):
        # Starts from +0 and adds in sequence: x[0, 45] stays the largest number, h[:, 36] becomes infinite.
        full, halves, brains = (sum(rows, np.zeros_like(rows[0])) for rows in (x, h, g))
    assert np.isinf(halves[36]) and full[45] == np.finfo(np.float32).max and halves[45] == 2.0**-22
    case("vector_red", [("x", "f32", x, False), ("h", "f16", h, False), ("g", "bf16", bits(g), False),
                        ("full", "f32", full, True), ("cut", "f32", full[:444], True), ("odd", "f32", full[:301], True),
                        ("halves", "f16", halves, True), ("cutHalves", "f16", halves[:302], True),
                        ("brains", "bf16", bits(brains), True), ("oddBrains", "bf16", bits(brains[:333]), True),
                        ("masked", "f32", np.where(np.arange(512) < 312, full, np.float32(0)), True),
                        ("maskedHalves", "f16", np.where(np.arange(512) < 312, halves, np.float16(0)), True),
                        ("released", "f32", full, True)], blocks=4, outputs="zeros")


def row_picks():
    """Selects elements of every kind, at indices inside of the row and out of it."""
    rng = np.random.default_rng(23)
    x = rng.normal(size=(16, 512)).astype(np.float32)
    t = np.array([0, 1, 2, 3, 31, 64, 127, 200, 333, 510, 511, -1, 512, 2**31 - 1, -2**31, 77], np.int32)
    x[1, 1], x[2, 2], x[3, 3], x[4, 31] = np.nan, np.inf, -0.0, 2.0**-149
    x[5, 63], x[5, 65], x[6, 0], x[15] = np.nan, -np.inf, np.nan, -0.0  # beside the index
    h = (x.view(np.uint32) >> 16).astype(np.uint16)
    h[1, 1] = 0x7FC0
    half = (h.astype(np.uint32) << 16).view(np.float32)
    pick = lambda rows: np.array([row[i] + np.float32(0) if 0 <= i < 512 else 0 for row, i in zip(rows, t)], np.float32)
    case("row_picks", [("x", "f32", x, False), ("h", "bf16", h, False), ("t", "i32", t, False),
                       ("picked", "f32", pick(x), True), ("pickedHalf", "f32", pick(half), True)], blocks=16)


def exp_sums():
    """Generates one exponential in a row of zeros, from the least subnormal number to the largest; special numbers;
    whole rows."""
    rng = np.random.default_rng(29)
    x = np.full((160, 512), -np.inf, np.float32)
    x[np.arange(128), rng.permutation(512)[:128]] = np.linspace(-103.9, 88.72, 128)
    x[128:144] = -np.inf
    x[129] = np.nan
    x[130, 7], x[131, 8], x[132, 9], x[133, 10] = np.nan, np.inf, 89, -104
    x[134, :2], x[135, 5], x[136, 5] = (np.inf, np.nan), -3.4e38, 3.4e38
    x[137], x[138] = 88, -200
    x[139, 100], x[140, 100] = 0.0, -0.0
    x[144:] = rng.normal(size=(16, 512)) * np.linspace(0.1, 12, 16)[:, None]
    x[150] -= 95  # mostly subnormal
    with np.errstate(over="ignore", invalid="ignore"):
        sums = np.exp(x.astype(np.float64)).sum(1).astype(np.float32)
    least = 2.0**-149
    # CUDA guarantees 2 ulp of an exponential; the order of additions adds some to a row's sum.
    case("exp_sums", [("x", "f32", x, False), ("single", "f32", sums[:128], True), ("special", "f32", sums[128:144], True),
                      ("sums", "f32", sums[144:], True)],
         exact={"single": (2.0**-22, least), "sums": (2.0**-18, 64 * least)}, blocks=160)


def gathered_element():
    """Selects elements at indices inside of a row, in its padding, and outside of all; zeros with a sign, NaN,
    infinity."""
    rng = np.random.default_rng(47)
    columns, at = 200, np.array([5, 0, 199, 200, 255, 256, -1, -200, 17, 18, 19, 20, 2**31 - 1, -2**31, 64, 131], np.int32)
    x = rng.normal(size=(16, 256)).astype(np.float32)
    x[8, 17], x[9, 18], x[10, 19], x[11, 20] = -0.0, np.nan, np.inf, 2.0**-130
    x = x.view(np.uint32) >> 16 << 16  # values that bf16 represents
    m = rng.normal(size=(16, 256)).astype(np.float32)
    m[8, 17] = -0.0
    y = rng.integers(-2**31, 2**31, (16, 256)).astype(np.int32)

    def pick(rows):
        inside = (at >= 0) & (at < 256)
        return np.where(inside, rows[np.arange(16), np.where(inside, at, 0)], rows.dtype.type(0)) + rows.dtype.type(0)

    padded = x.view(np.float32).copy()
    padded[:, columns:] = -np.inf
    case("picked_element", [("x", "bf16", (x >> 16).astype(np.uint16), False), ("y", "i32", y, False), ("at", "i32", at, False),
                            ("m", "f32", m + np.float32(1), True), ("n", "f32", m + np.float32(1), True),
                            ("halves", "f32", pick(padded), True), ("ints", "i32", pick(y), True),
                            ("before", "f32", pick(m), True), ("after", "f32", pick(m), True), ("columns", "i32", columns, False)],
         blocks=16, outputs={"m": m, "n": m})


def numbers_of_every_size():
    """Generates threads with moderate numbers alone, with large ones, and with special ones."""
    rng = np.random.default_rng(31)
    x = np.linspace(-49, 110, 16 * 512).astype(np.float32).reshape(16, 512)
    x[3] = np.linspace(-110, -45, 512)
    x[4, ::37] = np.linspace(-104, -49, 14)
    x[5] = rng.normal(size=512) * 1e-6
    x[6, ::64] = [np.inf, -np.inf, np.nan, -0.0, 2.0**-149, 3.4e38, -3.4e38, -2.4e38]
    x[7, ::64] = [104, 88.8, 87.4, 17, -88.5, -88.72, -88.73, -103.9]
    x[8] = 2.5e38
    return x


def quotients_by_exponentials(dividend, x):
    """dividend / (1 + e^-x)."""
    with np.errstate(over="ignore", invalid="ignore"):
        p = np.exp(-x.astype(np.float64)).astype(np.float32)
        return (dividend / (np.float32(1) + p).astype(np.float64)).astype(np.float32)


def logistic():
    x = numbers_of_every_size()
    y = quotients_by_exponentials(1, x)
    with np.errstate(invalid="ignore"):
        silu = x * y
    # Two ulp of the exponential, and a half for each rounding.
    case("logistic", [("x", "f32", x, False), ("y", "f32", y, True), ("silu", "f32", silu, True)],
         exact={"y": (3.6e-7, 2.0**-148), "silu": (4.2e-7, 2.0**-140)}, blocks=16)


def gates():
    """Computes only quotients of this kind; 2 is never a dividend."""
    x = numbers_of_every_size()
    half = x * np.float32(0.5)
    with np.errstate(invalid="ignore"):
        y, z = x * quotients_by_exponentials(1, x), half * quotients_by_exponentials(2, half)
    case("gates", [("x", "f32", x, False), ("y", "f32", y, True), ("z", "f32", z, True)],
         exact={"y": (4.2e-7, 2.0**-140), "z": (4.2e-7, 2.0**-140)}, blocks=16)


def tangents():
    """Generates numbers of every size: on both sides of the polynomial's bound and of the bound from which the result
    is 1; special numbers."""
    rng = np.random.default_rng(41)
    x = np.linspace(-12, 12, 16 * 512).astype(np.float32).reshape(16, 512)
    x[1] = np.linspace(-0.62, 0.62, 512)
    x[2] = np.nextafter(np.float32(0.6), np.linspace(-1, 1, 512).astype(np.float32))
    x[3] = rng.normal(size=512) * 1e-6
    x[4] = rng.normal(size=512).astype(np.float32) * np.float32(2.0**-130)
    x[5, ::32] = [np.inf, -np.inf, np.nan, -0.0, 0.0, 2.0**-149, -(2.0**-149), 2.0**-126, 3.4e38, -3.4e38, 44, 88.8, -44.4, 64, 9.0, -9.02]
    x[6] = -x[2]
    y = np.tanh(x.astype(np.float64)).astype(np.float32)
    # CUDA guarantees 2 ulp.
    case("tangents", [("x", "f32", x, False), ("y", "f32", y, True)], exact={"y": (2.0**-22, 0)}, blocks=16)


def float_directed():
    """Converts f64 to f32 in every IEEE mode: next to f32 numbers and between them, subnormal, too large, special."""
    rng = np.random.default_rng(43)
    x = rng.standard_normal(256) * 10.0**rng.integers(-44, 39, 256)
    x[:24] = [1 + 2.0**-24, -1 - 2.0**-24, 2.0**-149 * 1.5, -(2.0**-149) * 1.5, 2.0**-160, -(2.0**-160), 0.1, -0.1, 1 + 2.0**-52,
              -1 - 2.0**-52, 1e300, -1e300, 3.5e38, -3.5e38, 0.0, -0.0, 1.5, -1.5, np.inf, -np.inf, np.nan, 2.0**-126, 5e-324, -5e-324]
    with np.errstate(over="ignore", under="ignore"):
        near = x.astype(np.float32)
        wide = near.astype(np.float64)
        down = np.where(wide > x, np.nextafter(near, np.float32(-np.inf)), near).astype(np.float32)
        up = np.where(wide < x, np.nextafter(near, np.float32(np.inf)), near).astype(np.float32)
    zero = np.where(x < 0, up, down)
    case("float_directed", [("x", "f64", x, False), ("near", "f32", near, True), ("zero", "f32", zero, True),
                            ("down", "f32", down, True), ("up", "f32", up, True)], blocks=4)


def print_rows():
    x = np.random.default_rng(45).integers(-1000, 1000, 256).astype(np.int32)
    text = ""
    for b in range(4):
        row, long = nested(x[8 * b:8 * b + 8], "%d"), nested(x[64 * b:64 * b + 64], "%d")
        text += "block %d: %s end\n" % (b, row)
        text += "long %d: %s and %s end\n" % (b, long, row)
        text += "rows %d: %s end\n" % (b, nested(x[64 * b:64 * b + 64].reshape(8, 8), "%d"))
    case("print_rows", [("x", "i32", x, False)], text, blocks=4, order="any")


def print_types():
    """Prints floats that nearly every type represents: 8-bit and 4-bit ones are given beside the type."""
    x = np.array([200, 50000, -7, -300, 127, 128, 3, -1], np.int32)
    f = np.array([1.0, -0.5, 4.0, 6.0, -2.0, 0.5, 3.0, 1.5], np.float32)
    text = ""
    for bits in (1, 4, 8, 16, 32):
        cut = x.astype(np.int64) & (2**bits - 1)
        signed = np.where((cut >> (bits - 1) == 1) & (bits > 1), cut - 2**bits, cut)
        text += "i%d %s %s %s\n" % (bits, nested(signed, "%d"), nested(cut, "%u"), nested(cut, "%x"))
    wide = x.astype(np.int64).astype(np.uint64)
    text += "i64 %s %s %s\n" % (nested(x, "%d"), nested(wide, "%u"), nested(wide, "%x"))
    text += "short %s %s %s\n" % (nested(x, "%d"), nested(x, "%d"), nested(x & 255, "%u"))
    powers = np.array([1.0, 2.0**-127, 4.0, 4.0, 2.0**-127, 0.5, 2.0, 1.0])
    for name in ("f16", "bf16", "tf32", "f32", "f64", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN"):
        values = powers if name == "f8E8M0FNU" else f
        text += "%s %s %s %s\n" % (name, nested(values, "%g"), nested(values, "%.3e"), nested(values, "%8.2f"))
    text += "scalars %u %u %d %d %f\n" % (200, 200, -56, 200, 1.0)
    case("print_types", [("x", "i32", x, False), ("f", "f32", f, False)], text)


def scaled_signs():
    rng = np.random.default_rng(46)
    args = []
    for i, (m, n, k) in enumerate(((16, 16, 64), (32, 64, 64))):
        a, b = (rng.integers(0, 16, shape).astype(np.uint8) for shape in ((m, k), (k, n)))
        # Scales of either sign, from 2^-3 to 2^4.
        sa, sb = (rng.integers(0x20, 0x58, shape).astype(np.uint8) | rng.choice([0, 128], shape).astype(np.uint8)
                  for shape in ((m, k // 16), (k // 16, n)))
        c = (wide4(a) * np.repeat(wide8(sa), 16, 1)) @ (wide4(b) * np.repeat(wide8(sb), 16, 0))
        args += [("a%d" % i, "f4E2M1FN", a, False), ("b%d" % i, "f4E2M1FN", b, False), ("sa%d" % i, "f8E4M3FN", sa, False),
                 ("sb%d" % i, "f8E4M3FN", sb, False), ("d%d" % i, "f32", c.astype(np.float32), True)]
    case("scaled_signs", args, exact=False)


def scaled_by_hand():
    rng = np.random.default_rng(48)
    k = 64
    # Two elements of 4 bits to a byte, along K; scales of either sign, from 2^-3 to 2^4.
    a0, b0 = (rng.integers(0, 16, (128, k)).astype(np.uint8) for _ in range(2))
    sa0, sb0 = (rng.integers(0x20, 0x58, shape).astype(np.uint8) | rng.choice([0, 128], shape).astype(np.uint8)
                for shape in ((128, k // 16), (k // 16, 128)))
    d0 = (wide4(a0) * np.repeat(wide8(sa0), 16, 1)) @ (wide4(b0).T * np.repeat(wide8(sb0), 16, 0))
    pairs = [(x[:, ::2] | x[:, 1::2] << 4).astype(np.uint8) for x in (a0, b0)]
    # f8E5M2 from 1 to 3.5. Powers of two, 2^-4 to 2^3; those of row 0 are 2^127, so that 1.5 times 2^15 of them overflow.
    a1, b1 = (rng.integers(0x3C, 0x44, shape).astype(np.uint8) for shape in ((128, k), (k, 128)))
    a1[0] = 0x7A
    sa1, sb1 = (rng.integers(123, 131, shape).astype(np.uint8) for shape in ((128, k // 32), (k // 32, 128)))
    sa1[0] = 254
    wide = [(x.astype(np.uint16) << 8).view(np.float16).astype(np.float64) for x in (a1, b1)]
    wide[0][0] = np.inf
    d1 = (wide[0] * np.repeat(np.exp2(sa1 - 127.0), 32, 1)) @ (wide[1] * np.repeat(np.exp2(sb1 - 127.0), 32, 0))
    d0, d1 = d0.astype(np.float32), d1.astype(np.float32)
    case("scaled_by_hand",
         [("a0", "i8", pairs[0].view(np.int8), False), ("b0", "i8", pairs[1].view(np.int8), False), ("sa0", "f8E4M3FN", sa0, False),
          ("sb0", "f8E4M3FN", sb0, False), ("d0", "f32", d0, True), ("a1", "f8E5M2", a1, False), ("b1", "f8E5M2", b1, False),
          ("sa1", "f8E8M0FNU", sa1, False), ("sb1", "f8E8M0FNU", sb1, False), ("d1", "f32", d1, True)],
         exact={"d0": (0, float("%.3g" % (1e-5 * np.abs(d0).max()))), "d1": (1e-5, 0)})


def occupancy_most():
    rng = np.random.default_rng(47)
    a, b = rng.standard_normal((128, 192)).astype(np.float16), rng.standard_normal((192, 128)).astype(np.float16)
    c = a.astype(np.float64) @ b.astype(np.float64)
    case("occupancy_most", [("a", "f16", a, False), ("b", "f16", b, False), ("c", "f32", c.astype(np.float32), True)], exact=False)


def soft_rows():
    """Divides exponentials by their sum: alone beside the one of the maximum, down to the least subnormal one; whole
    rows; special numbers."""
    rng = np.random.default_rng(37)
    x = np.full((64, 512), -np.inf, np.float32)
    x[:16, 5] = 3.0
    x[np.arange(16), 6 + rng.permutation(500)[:16]] = 3.0 - np.linspace(0.1, 106, 16)
    # Few, so that their order hardly affects the sum.
    x[16:56, ::64] = rng.normal(size=(40, 8)) * np.linspace(0.1, 30, 40)[:, None]
    x[56], x[57], x[58, :], x[59] = 0.0, -np.inf, 88.0, -3.4e38
    x[60, 3], x[61, 4], x[62, 5:7] = np.nan, np.inf, (np.nan, 1.0)
    x[63] = np.linspace(0, -110, 512)
    with np.errstate(invalid="ignore"):
        e = np.exp((x - x.max(1, keepdims=True)).astype(np.float64))
        y = (e / e.sum(1, keepdims=True)).astype(np.float32)
    # Two ulp of each exponential, half of one for each rounding.
    case("soft_rows", [("x", "f32", x, False), ("y", "f32", y, True)], exact={"y": (7e-7, 2.0**-147)}, blocks=64)


def half_extrema():
    """Finds extrema of rows of halves that are converted first: signs of zero, infinite numbers, NaN that wins or
    loses."""
    rng = np.random.default_rng(41)
    x = rng.normal(size=(16, 512)).astype(np.float32)
    x[1], x[2] = -np.abs(x[1]) - 1, np.abs(x[2]) + 1
    x[3, 100], x[4, 101], x[5, 7], x[6, 8] = np.inf, -np.inf, np.nan, np.nan
    x[7], x[8] = -0.0, 0.0
    x[9, ::2], x[9, 1::2] = -0.0, 0.0
    x[10] = np.nan
    x[10, 511] = -7
    x[11] *= 2.0**-20  # subnormal in f16
    halves = {"bf16": (x.view(np.uint32) >> 16).astype(np.uint16), "f16": x.astype(np.float16)}
    halves["bf16"][np.isnan(x)] = 0x7FC0
    wide = {"bf16": (halves["bf16"].astype(np.uint32) << 16).view(np.float32), "f16": halves["f16"].astype(np.float32)}
    args = [("x", "bf16", halves["bf16"], False), ("h", "f16", halves["f16"], False)]
    for key, kind in (("wide", "bf16"), ("half", "f16")):
        rows = wide[kind]
        # NumPy does not order zeros.
        top = np.array([0.0 if i == 9 else v for i, v in enumerate(np.nanmax(rows, 1))], np.float32)
        low = np.array([-0.0 if i == 9 else v for i, v in enumerate(rows.min(1))], np.float32)
        args += [(key + "Top", "f32", top, True), (key + "Low", "f32", low, True)]
    case("half_extrema", args, blocks=16)


def transposed_bytes():
    """Transposes bytes by a tile of which a thread holds two rows, whole and cut off at the end of the array."""
    x = np.random.default_rng(53).integers(-128, 128, (112, 80)).astype(np.int8)
    case("turned_bytes", [("x", "i8", x, False), ("y", "i8", np.ascontiguousarray(x.T), True)], blocks=4)


def warp_extrema():
    """Computes extrema and sums of rows that sixteen warps share: halves stay packed across warps."""
    rng = np.random.default_rng(47)
    length, rows, step = 16384, 6, 512
    x = rng.normal(size=length + (rows - 1) * step).astype(np.float32)
    x[5], x[600], x[1200], x[1800] = np.nan, np.inf, -np.inf, np.nan
    x[1030], x[1031] = 77, -78
    halves = {"bf16": (x.view(np.uint32) >> 16).astype(np.uint16), "f16": x.astype(np.float16)}
    halves["bf16"][np.isnan(x)] = 0x7FC0
    wide = {"bf16": (halves["bf16"].astype(np.uint32) << 16).view(np.float32), "f16": halves["f16"].astype(np.float32)}
    counts = rng.integers(0, 64, x.size).astype(np.float16)  # their sums are exact
    args = [("x", "bf16", halves["bf16"], False), ("h", "f16", halves["f16"], False), ("n", "f16", counts, False)]
    for key, array in (("x", wide["bf16"]), ("h", wide["f16"])):
        parts = [array[i * step:i * step + length] for i in range(rows)]
        args += [(key + "Top", "f32", np.array([np.nanmax(p) for p in parts], np.float32), True),
                 (key + "Low", "f32", np.array([p.min() for p in parts], np.float32), True)]
    sums = [counts[i * step:i * step + length].astype(np.float64).sum() for i in range(rows)]
    case("warp_extrema", args + [("sum", "f32", np.array(sums, np.float32), True)], blocks=rows)


def float_pairs():
    """Adds, subtracts and multiplies f32, two at a time if the target can: each is rounded alone."""
    rng = np.random.default_rng(43)
    x = (rng.normal(size=1024) * np.exp2(rng.integers(-60, 60, 1024))).astype(np.float32)
    y = (rng.normal(size=1024) * np.exp2(rng.integers(-60, 60, 1024))).astype(np.float32)
    x[:8] = [np.inf, -np.inf, np.nan, -0.0, 0.0, 2.0**-149, 3.4e38, -3.4e38]
    y[:8] = [np.inf, np.inf, 1.0, -0.0, -0.0, 2.0**-149, 3.4e38, 2.0]
    s = np.float32(0.7)
    with np.errstate(over="ignore", invalid="ignore"):
        total, less, gap, product = x + y, x - s, x - y, x * y
    case("float_pairs", [("x", "f32", x, False), ("y", "f32", y, False), ("s", "f32", 0.7, False), ("total", "f32", total, True),
                         ("less", "f32", less, True), ("gap", "f32", gap, True), ("product", "f32", product, True)])


def byte_rows():
    """Selects rows by bytes, which are unsigned, and by halves."""
    rng = np.random.default_rng(11)
    x = rng.integers(-1000, 1000, (300, 8)).astype(np.int32)
    rows = np.array([0, 200, 255, 128, 127, 1, 254, 3], np.uint8)
    gathered = x[rows]
    put = np.full((300, 8), 5, np.int32)
    put[rows] = gathered
    case("byte_rows", [("x", "i32", x, False), ("rows", "i8", rows.view(np.int8), False),
                       ("picked", "i32", gathered, True), ("put", "i32", put, True)])


def padding_values():
    """Checks the replacement of a padding value that the element type lacks: the result of a conversion."""
    codes = {
        "f8E4M3FN": [0, 0x80, 0x7F, 0x7E, 0xFE],
        "f8E5M2": [0, 0x80, 0x7E, 0x7C, 0xFC],
        "f8E8M0FNU": [0, 0, 0xFF, 0xFE, 0],  # zero is the smallest, 2^-127
        "f4E2M1FN": [0, 8, 7, 7, 15],
    }
    args = []
    for element, values in codes.items():
        x = np.full(16, 1, np.uint8)
        args.append(("x" + element[1:5].lower(), element, x, False))
        for name, value in zip(("zero", "neg_zero", "nan", "pos_inf", "neg_inf"), values):
            y = np.concatenate([x, np.full(16, value, np.uint8)])
            args.append((name + "_" + element[1:5].lower(), element, y, True))
    case("padding_values", args)


def ordered_reduce():
    """Composes affine maps modulo 2^32 along an axis."""
    rng = np.random.default_rng(12)
    args = []
    for i, (shape, axis) in enumerate((((4096,), 0), ((16, 256), 1), ((256, 16), 0), ((2, 1024), 1))):
        scale, shift = (rng.integers(0, 2 ** 32, shape, np.uint64).astype(np.uint32) for _ in "st")
        scale |= 1
        u = np.ones(shape[:axis] + shape[axis + 1:] or (1,), np.uint32)
        v = np.zeros_like(u)
        for k in range(shape[axis]):
            s, t = np.take(scale, k, axis), np.take(shift, k, axis)
            u, v = s * u, s * v + t
        for name, array, out in (("s", scale, False), ("t", shift, False), ("u", u, True), ("v", v, True)):
            args.append(("%s%d" % (name, i), "i32", array.view(np.int32), out))
    case("ordered_reduce", args)


def ordered_scan():
    """Composes the same maps, keeping every step."""
    rng = np.random.default_rng(14)
    args = []
    forms = (((4096,), 0, False), ((16, 256), 1, True), ((256, 16), 0, False), ((64, 128), 0, True),
             ((8, 4, 64), 1, False), ((4, 8, 32), 0, True))
    for i, (shape, axis, reverse) in enumerate(forms):
        scale, shift = (rng.integers(0, 2 ** 32, shape, np.uint64).astype(np.uint32) for _ in "st")
        scale |= 1
        u, v = np.empty_like(scale), np.empty_like(shift)
        before = np.uint32(1), np.uint32(0)
        for k in reversed(range(shape[axis])) if reverse else range(shape[axis]):
            at = (slice(None),) * axis + (k,)
            with np.errstate(over="ignore"):
                u[at], v[at] = scale[at] * before[0], scale[at] * before[1] + shift[at]
            before = u[at], v[at]
        for name, array, out in (("s", scale, False), ("t", shift, False), ("u", u, True), ("v", v, True)):
            args.append(("%s%d" % (name, i), "i32", array.view(np.int32), out))
    case("ordered_scan", args)


def bytes_beside():
    """Generates numbers that fit in a byte beside numbers that do not."""
    rng = np.random.default_rng(44)
    x = rng.uniform(-200, 300, 256).astype(np.float32)
    odd = np.array([0, -0.0, 0.5, -0.5, -1, 256, 300, 448, -300, 32768, 65536, 2.0**31, -(2.0**31), 2.0**32, -1e10, 1e30, -1e30,
                    np.inf, -np.inf, np.nan, 255.5, -128.5, 2.0**-149, 127.5], np.float32)
    x[::4] = rng.choice(odd, 64)
    x[:24] = odd
    with np.errstate(invalid="ignore"):
        fits = np.trunc(np.nan_to_num(x, nan=999, posinf=999, neginf=-999))
    unsigned = np.where((x > -1) & (x < 256), fits, 0).astype(np.uint8)
    signed = np.where((x > -129) & (x < 128), fits, 0).astype(np.int8)
    case("bytes_beside", [("x", "f32", x, False), ("u", "i8", unsigned.view(np.int8), True), ("s", "i8", signed, True),
                          ("b", "i8", (x != 0).astype(np.int8), True)], blocks=4)


def batched_weights():
    rng = np.random.default_rng(45)
    x = rng.integers(-3, 4, (2, 32, 128)).astype(np.float16)
    w = rng.integers(-128, 128, (2, 128, 64)).astype(np.int8)
    case("batched_weights", [("x", "f16", x, False), ("w", "i8", w, False),
                             ("y", "f32", x.astype(np.float32) @ w.astype(np.float32), True)], blocks=2)


def shared_weights():
    rng = np.random.default_rng(46)
    x = rng.integers(-3, 4, (32, 128)).astype(np.float16)
    w = rng.integers(-128, 128, (128, 32)).astype(np.int8)
    y = x.astype(np.float32) @ w.astype(np.float32)
    case("shared_weights", [("x", "f16", x, False), ("w", "i8", w, False), ("y", "f32", y, True), ("z", "f32", y, True)])


def slot_readers():
    rng = np.random.default_rng(47)
    x = rng.integers(-9, 10, (32, 128)).astype(np.float32)
    w = rng.integers(-9, 10, (128, 32)).astype(np.float32)
    z = sum(w[i:i + 32] @ x[:, i:i + 32] for i in range(0, 128, 32))
    case("slot_readers", [("x", "f32", x, False), ("w", "f32", w, False), ("y", "f32", x @ w, True), ("z", "f32", z, True)])


def quotients():
    """Divides operands of every size, subnormal and special ones too."""
    rng = np.random.default_rng(13)
    x, y = (rng.integers(0, 2 ** 32, 256, np.uint64).astype(np.uint32).view(np.float32) for _ in "xy")
    x[:6], y[:6] = (0, 1, -1, np.inf, 0, 3), (0, 0, 0, np.inf, -5, np.inf)
    x[6:64] = rng.normal(size=58)
    y[6:64] = rng.normal(size=58)
    with np.errstate(all="ignore"):
        z = x / y
    case("quotients", [("x", "f32", x, False), ("y", "f32", y, False), ("z", "f32", z, True)])


def lone_quotients():
    """Divides operands of every size, subnormal and special ones too, with quotients that are subnormal or half way
    between two."""
    rng = np.random.default_rng(43)
    x, y = (rng.integers(0, 2 ** 32, 2048, np.uint64).astype(np.uint32).view(np.float32) for _ in "xy")
    special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 2.0**-149, -(2.0**-126), 2.0**-127, 3.4028235e38, 1, -3], np.float32)
    pairs = np.array([(a, b) for a in special for b in special], np.float32)
    x[:121], y[:121] = pairs.T
    # Multiples of half of the least number.
    odd = (2 * rng.integers(0, 1000, 400) + 1).astype(np.float32)
    y[128:528] = rng.integers(1, 4096, 400).astype(np.float32)
    x[128:528] = np.ldexp(odd * y[128:528], -130)
    y[128:528] *= np.float32(2.0**20)
    x[1024:] = rng.normal(size=1024)
    y[1024:1536] = rng.normal(size=512)
    y[1536:] = np.ldexp(rng.normal(size=512), rng.integers(100, 127, 512))
    counts = np.concatenate([[0, 1, 3, 7, 1000, 4096, 2**31 - 1, -5], rng.integers(1, 5000, 56)]).astype(np.int32)
    with np.errstate(all="ignore"):
        rows = x.reshape(64, 32)
        rows[40:50] = 2 * [[0.0], [np.inf], [2.0**-149], [-3.4e38], [-np.inf]]
        counts[40:45] = 0
        z, r = rows.ravel() / y, np.float32(1) / y
        # The larger of two numbers; NaN only if both are.
        mean = np.fmax.reduce(rows, axis=1) / counts.astype(np.float32)
    case("lone_quotients", [("x", "f32", rows.ravel(), False), ("y", "f32", y, False), ("counts", "i32", counts, False),
                            ("z", "f32", z, True), ("r", "f32", r, True), ("mean", "f32", mean, True)], blocks=64)


def shared_quotients():
    """Divides exponentials by their sum, and takes reciprocals of 1 plus exponentials: operands on which two methods
    differ in bits."""
    rng = np.random.default_rng(17)
    x = rng.normal(size=(14, 512)).astype(np.float32)
    x[0] -= x[0].max()
    x[1] *= 20  # some below 2^-72 and 2^-100
    x[2, ::7] = -np.inf
    x[3] = rng.uniform(-110, 0, 512)  # subnormal results, too
    x[4] = -np.inf
    x[5, 100] = np.nan
    x[6] += 40  # a sum above 2^40
    x[7] = rng.uniform(80, 90, 512)  # infinite ones
    x[8] -= 60
    x[9] = rng.uniform(-52, -48, 512)  # about 2^-72
    x[10, 3] = np.inf
    x[11] -= 34  # a sum below 2^-40
    x[12] -= 100  # the sum itself subnormal
    x[13, ::64] = 0
    with np.errstate(all="ignore"):
        p = np.exp(x.astype(np.float64)).astype(np.float32)
        total = p.astype(np.float32).sum(1)
        is_one = (np.isfinite(total) & (total > 0)).astype(np.int32)
    # Sums of quotients are 1 except with zeros, infinities and NaN.
    assert list(np.flatnonzero(is_one == 0)) == [4, 5, 7, 10], is_one
    zeros = np.zeros((14, 512), np.int32)
    case("shared_quotients", [("x", "f32", x, False), ("p", "f32", np.zeros((14, 512), np.float32), False),
                              ("q", "f32", np.zeros((14, 512), np.float32), False),
                              ("s", "f32", np.zeros(14, np.float32), False), ("differs", "i32", zeros, True),
                              ("inverse", "i32", zeros, True), ("isOne", "i32", is_one, True)], blocks=14)


def own_quotient():
    """Divides moderate numbers, and numbers on the slow path of a division."""
    x = np.array([3, -32, 1e-20, -1e30, 2.0**-149, -2.0**-126, 3.4e38, -3.4e38, 0, -0.0, np.inf, -np.inf, np.nan, 1.5, -7e-42, 1],
                 np.float32)
    with np.errstate(all="ignore"):
        q = np.repeat(x / x, 128).reshape(16, 128)
    case("own_quotient", [("x", "f32", x, False), ("z", "f32", q, True)], blocks=16)


def side_by_side():
    """Loads tiles at multiples plus constants; arrays that end in the middle of one."""
    rng = np.random.default_rng(19)
    x = rng.standard_normal(709).astype(np.float32)
    h = rng.standard_normal((22, 50)).astype(np.float16)
    padded = np.pad(x, (0, 59))
    below = padded.reshape(12, 64)[[4, 2, 0]].ravel()
    case("side_by_side", [
        ("x", "f32", x, False), ("n", "i32", x.size, False), ("h", "f16", h, False), ("rows", "i32", h.shape[0], False),
        ("columns", "i32", h.shape[1], False), ("near", "f32", padded, True), ("below", "f32", below, True),
        ("copy", "f16", np.pad(h, ((0, 2), (0, 14))), True)], blocks=3)


def one_address():
    """Applies every atomic operation of all elements to one number."""
    rng = np.random.default_rng(37)
    x = rng.integers(-2**31, 2**31, (4, 256)).astype(np.int32)
    x |= 0x01010000  # bits that `and` leaves
    bits, n = x.view(np.uint32).ravel(), 37
    number = lambda value: np.array([int(value)], np.int64).astype(np.int32)
    total = lambda part: number(part.sum(dtype=np.int64))
    starts = {"p_add": 7, "p_and": -1, "p_or": 0, "p_xor": 9, "p_max": -2**31, "p_min": 2**31 - 1, "p_umax": 0, "p_umin": -1}
    ends = {"p_add": total(x) + number(7), "p_and": number(np.bitwise_and.reduce(bits)), "p_or": number(np.bitwise_or.reduce(bits)),
            "p_xor": number(np.bitwise_xor.reduce(bits) ^ np.uint32(9)), "p_max": number(x.max()), "p_min": number(x.min()),
            "p_umax": number(bits.max()), "p_umin": number(bits.min()),
            "part": total(x[:, :n]), "few": total(x[:, :8]), "square": number(max(0, x.max())),
            "floats": np.array([(x & 255).sum()], np.float32), "released": total(x),
            "long": np.array([x.sum(dtype=np.int64)]), "untouched": number(0)}
    kinds = {"floats": "f32", "long": "i64"}
    args = [("x", "i32", x, False), ("n", "i32", n, False)]
    args += [(key, kinds.get(key, "i32"), value, True) for key, value in ends.items()]
    case("one_address", args, blocks=4, outputs={key: number(starts[key]) if key in starts else "zeros" for key in ends})


def split_k():
    """Computes a matmul, accumulated from slices of K."""
    rng = np.random.default_rng(47)
    a, b = rng.integers(-4, 5, (64, 128)).astype(np.float16), rng.integers(-4, 5, (128, 64)).astype(np.float16)
    c = a.astype(np.float32) @ b.astype(np.float32)
    case("split_k", [("a", "f16", a, False), ("b", "f16", b, False), ("c", "f32", c, True), ("ordered", "f32", c, True),
                     ("released", "f32", c, True)], blocks=4, outputs="zeros")


def product_rounding():
    """Computes dots in each iteration of a loop, and in every other one."""
    rng = np.random.default_rng(61)
    x, y = rng.integers(-4, 5, (128, 192)).astype(np.float16), rng.integers(-4, 5, (192, 320)).astype(np.float16)
    product = x.astype(np.float32) @ y.astype(np.float32)
    odd = np.where(np.arange(320) // 64 % 2, product, 0).astype(np.float32)
    case("product_rounds", [("x", "f16", x, False), ("y", "f16", y, False), ("all", "f32", product, True),
                            ("some", "f32", odd, True)], blocks=2, outputs="zeros")


def ragged_loops():
    """Sums arrays that end anywhere, over all tiles and over every other one."""
    rng = np.random.default_rng(41)
    lengths = np.array([0, 1, 3, 127, 128, 129, 255, 256, 300, 640], np.int32)
    x = rng.integers(-99, 100, (10, 640)).astype(np.float32)
    inside = np.where(np.arange(640) < lengths[:, None], x, 0).astype(np.float32)
    odd = inside.reshape(10, 5, 128)[:, 1::2]
    case("ragged_loops", [
        ("x", "f32", x, False), ("lengths", "i32", lengths, False), ("sums", "f32", inside.sum(1), True),
        ("odd", "f32", odd.sum((1, 2)), True), ("twice", "f32", 2 * inside, True)], blocks=10, outputs="zeros")


def mask_runs():
    """Masks elements of rows by a comparison."""
    rng = np.random.default_rng(43)
    x = rng.standard_normal((8, 512)).astype(np.float32)
    ends = np.array([0, 8, 64, 504, 512, 520, -8, 256], np.int32)
    at, end = np.arange(512)[None], ends[:, None]
    masks = [at < end, at >= end, at < end, at >= end, at < end.astype(np.uint32), at <= end, at + 4 < end, at < end + 3,
             at == end, at > end]
    y = np.stack([np.where(mask, x, np.float32(0)) for mask in masks], 1)
    case("mask_runs", [("x", "f32", x, False), ("ends", "i32", ends, False), ("y", "f32", y.reshape(80, 512), True)], blocks=8)


def transposed_tiles():
    """Transposes arrays by tiles, and adds two."""
    rng = np.random.default_rng(47)
    args = []
    for key, dtype, extents, order, factor in (
            ("words", np.float32, (100, 72), (1, 0), 1), ("halves", np.float16, (104, 72), (1, 0), 2), ("bytes", np.int8, (112, 80), (1, 0), 2),
            ("longs", np.int64, (70, 66), (1, 0), 1), ("batch", np.float32, (3, 100, 72), (0, 2, 1), 2),
            ("ends", np.float16, (8, 72, 104), (2, 1, 0), 2)):
        x = rng.integers(-60, 60, extents).astype(dtype)
        transposed = np.ascontiguousarray((x * dtype(factor)).transpose(order))
        if key == "batch":  # blocks reach two of the three
            transposed[2] = 0
        kind = {"f": "f", "i": "i"}[np.dtype(dtype).kind] + str(8 * np.dtype(dtype).itemsize)
        args += [(key, kind, x, False), (key + "_out", kind, transposed, True)]
    wide = rng.integers(-60, 60, (100, 72)).astype(np.float32)
    narrow = rng.integers(-60, 60, (72, 104)).astype(np.float16)
    mixed = 2 * (wide + narrow.T[:100].astype(np.float32))
    args += [("wide", "f32", wide, False), ("narrow", "f16", narrow, False), ("mixed", "f32", mixed, True),
             ("named", "f32", wide, False), ("named_out", "f32", np.ascontiguousarray(wide.T), True)]
    case("turned_tiles", args, blocks=4, outputs={"batch_out": "zeros"})


def token_choice():
    """Counts iterations of a loop."""
    case("token_choice", [("turns", "i32", np.array([2], np.int32), True)])


def strided_steps():
    rng = np.random.default_rng(47)
    x, y = (rng.integers(-8, 9, shape).astype(np.float16) for shape in ((64, 480), (384, 64)))
    sums = lambda step: sum(x[:, step * i:step * i + 64].astype(np.float32) @ y[64 * i:64 * i + 64].astype(np.float32) for i in range(5))
    case("strided_steps", [("x", "f16", x, False), ("y", "f16", y, False), ("odd", "f32", sums(65), True),
                           ("even", "f32", sums(72), True), ("n", "i32", 5, False)])


def constant_factors():
    rng = np.random.default_rng(53)
    x, y = (rng.integers(-8, 9, shape).astype(np.float16) for shape in ((16, 8), (8, 8)))
    tall, few = np.full((16, 8), -14, np.float32), np.full((8, 8), -14, np.float32)
    case("constant_factors", [("x", "f16", x, False), ("y", "f16", y, False), ("left", "f32", tall @ y, True),
                              ("right", "f32", x @ few, True), ("both", "f32", tall @ few, True)])


def lone_column():
    x = np.random.default_rng(54).standard_normal((60, 1)).astype(np.float32)
    case("lone_column", [("x", "f32", x, False), ("y", "f32", x + x, True), ("rows", "i32", 60, False),
                         ("pitch", "i32", 1, False)], blocks=4)


def far_rows():
    x = np.random.default_rng(55).standard_normal((3, 64)).astype(np.float32)
    far = [1 << 37, 1]
    case("far_rows", [("x", "f32", x, False), ("zeros", "f32", {"shape": [1 << 20, 1 << 20]}, False),
                      ("y", "f32", x + x, True), ("rows", "i64", 3, False), ("pitch", "i64", 1 << 37, False)], blocks=3,
         strides={"x": far, "y": far})


def stolen_rows():
    """Lets blocks take rows from counters: each of two blocks asks once in vain at the end."""
    rows = np.arange(5, dtype=np.int32)[:, None]
    wide, narrow = np.arange(4096, dtype=np.int32) * rows, np.arange(32, dtype=np.int32) + rows
    ends = np.array([7], np.int32)
    case("stolen_rows", [("wides", "i32", ends, True), ("narrows", "i32", ends, True), ("n", "i32", 5, False),
                         ("wide", "i32", wide, True), ("narrow", "i32", narrow, True)],
         blocks=2, outputs={"wides": "zeros", "narrows": "zeros"})


def flag_twice():
    iota = np.arange(4096, dtype=np.int32)
    case("flag_twice", [("flag", "i32", np.array([1], np.int32), True), ("buffer", "i32", iota, True),
                        ("out", "i32", iota + np.arange(3, dtype=np.int32)[:, None], True)], blocks=3, outputs={"flag": "zeros"})


def claimed_rows():
    """Lets two blocks take four of eight rows each, and as many of the small ones as they get."""
    x = np.random.default_rng(67).standard_normal((8, 1024)).astype(np.float32)
    case("claimed_rows", [("claims", "i32", np.ones(8, np.int32), True), ("small", "i64", np.ones(8, np.int64), True),
                          ("x", "f32", x, False), ("y", "f32", x + x, True), ("z", "f32", np.ascontiguousarray(x[:, 32:64]), True)],
         blocks=2, outputs={"claims": "zeros", "small": "zeros"})


def exchanged_places():
    """Follows a cycle of places from 0 on, which ends where it returns to a taken one."""
    order = np.array([5, 9, 3, 12, 2, 14, 1, 7, 4, 15, 6], np.int32)
    next_places, after = np.full(16, 8, np.int32), np.full(16, 8, np.int32)
    next_places[0], after[0] = order[0], -1
    for place, then in zip(order, list(order[1:]) + [0]):
        next_places[place], after[place] = then, -1
    # The walk ends in place 0, whose number was taken first.
    order = np.concatenate([order, [0]]).astype(np.int32)
    turns = np.random.default_rng(71).integers(1, 7, 16).astype(np.int32)
    sums, least = np.zeros((16, 512), np.int64), 100
    for place in order:
        if least >= place:
            even = [m for m in turns[:turns[place]] if m % 2 == 0]
            sums[place] = np.arange(512) * int(sum(even))
        least = min(least, place)
    case("exchanged_places", [
        ("next", "i32", after, True), ("turns", "i32", turns, False), ("least", "i32", np.array([least], np.int32), True),
        ("order", "i32", np.pad(order, (0, 4)), True), ("sums", "i32", sums.astype(np.int32), True)],
         outputs={"next": next_places, "least": np.array([100], np.int32), "order": "zeros", "sums": "zeros"})


def steered_loops():
    """Shrinks tiles until a maximum or a sum is small enough; all numbers are exact."""
    rng = np.random.default_rng(73)
    x = rng.integers(0, 1 << 9, (4, 2048)).astype(np.float32)
    x *= np.float32([1, 0.25, 16, 0.001953125])[:, None]
    keys = np.array([4, 9, 0, 7, 9, 1, 2, 9, 9, 3, 5, 6, 9, 1, 9, 2], np.int32)
    halved, few, counts = x.copy(), x[:, :64].copy(), np.zeros(4, np.int32)
    for b in range(4):
        while halved[b].max() > 1:
            halved[b] /= 2
            counts[b] += 100
        for i in range(keys[b]):
            if keys[i + 3] == 9:
                continue
            if few[b].sum(dtype=np.float64) < 1:
                counts[b] += 2
            else:
                few[b] /= 4
                counts[b] += 1
    case("steered_loops", [("x", "f32", x, False), ("k", "i32", keys, False), ("halved", "f32", halved, True), ("few", "f32", few, True),
                           ("counts", "i32", counts, True)], blocks=4)


def narrow_decisions():
    """Updates rows until the low bits of their sum are clear, as parities, maxima and orders decide."""
    rng = np.random.default_rng(79)
    x = rng.integers(-(1 << 40), 1 << 40, (4, 64))
    keys = rng.integers(0, 12, (4, 8)).astype(np.int32)
    out, counts = x.copy(), np.zeros(4, np.int32)
    for b, v in enumerate(out):
        while v.sum() % 8 and counts[b] < 10:
            if (keys[b] > counts[b]).sum() % 2:
                v[v == v.max()] -= 3
            else:
                v += 1
            left = v[v % 4 != 0]
            counts[b] += 2 if len(left) and left[-1] % 2 else 1
    assert len(set(counts)) > 2
    case("narrow_decisions", [("x", "i64", x, False), ("k", "i32", keys, False), ("out", "i64", out, True),
                              ("counts", "i32", counts, True)], blocks=4)


def real_powers():
    """Powers of f32 by f32: zeros, infinities, NaN and subnormal numbers among them, and constant exponents."""
    rng = np.random.default_rng(43)
    x, y = np.empty(1024, np.float32), np.empty(1024, np.float32)
    x[:512] = np.exp(rng.uniform(-60, 60, 512))
    y[:512] = rng.uniform(-140, 140, 512) * np.log(2) / np.log(x[:512])
    x[256:320] = 1 + rng.normal(0, 1e-6, 64)
    y[256:320] = rng.uniform(-8e7, 8e7, 64)
    x[320:384] *= -1
    y[320:384] = rng.integers(-3, 4, 64) / 2
    inf, nan = math.inf, math.nan
    bases = np.array([0, -0.0, 1, -1, inf, -inf, nan, 2, -2, 1e-40, -1e-40, 3.4e38, 1 + 2**-23, 1 - 2**-24, -1 - 2**-23, 0.5], np.float32)
    exponents = [0, -0.0, 1, -1, 0.5, -0.5, 3, -3, inf, -inf, nan, 1e-40, 1.5, 2**24 - 1, 3e38, -(2**23) - 1]
    exponents += [2, -2, 149, -150, 127.5, -126.25, 1e10, -1e10, 7, -7, 4, 1 / 3, -1e-40, 2**23 + 1, 0.25, 5]
    base, exponent = np.meshgrid(bases, np.array(exponents, np.float32))
    x[512:], y[512:] = base.ravel(), exponent.ravel()
    with np.errstate(all="ignore"):
        out = np.power(x.astype(np.longdouble), y.astype(np.longdouble)).astype(np.float32)
        cubes = np.power(x.astype(np.longdouble), 3).astype(np.float32)
        squares = np.power(x.astype(np.longdouble), 2).astype(np.float32)
    close = (3e-7, 3e-45)
    case("real_powers", [("x", "f32", x, False), ("y", "f32", y, False), ("out", "f32", out, True), ("cubes", "f32", cubes, True),
                         ("squares", "f32", squares, True)], exact={"out": close, "cubes": close, "squares": (0, 0)})


def far_powers():
    """Computes integer powers whose exponents are not exact in f32, of bases next to one; and those of zeros,
    infinities and NaN."""
    rng = np.random.default_rng(42)
    x, n = np.empty(1024, np.float32), np.empty(1024, np.int32)
    x[:384], n[:384] = 1 + rng.integers(-60, 60, 384) * 2.0**-24, rng.integers(-(2**31), 2**31, 384)
    x[:192] *= -1
    x[384:576], n[384:576] = np.exp(rng.uniform(-20, 20, 192)), rng.integers(-8, 9, 192)
    x[576:768], n[576:768] = 1 + rng.normal(0, 1e-6, 192), rng.integers(-(2**27), 2**27, 192)
    inf, nan = math.inf, math.nan
    bases = np.array([0, -0.0, 1, -1, inf, -inf, nan, 2, -2, 1e-40, -1e-40, 3.4e38, 1 + 2**-23, 1 - 2**-24, -1 - 2**-23, 0.5], np.float32)
    exponents = [0, 1, -1, 2, -2, 3, -3, 2**31 - 1, -(2**31), 2**24, 2**24 + 1, -(2**24) - 1, 2**24 - 1, -(2**24), 149, -150]
    base, exponent = np.meshgrid(bases, np.array(exponents, np.int32))
    x[768:], n[768:] = base.ravel(), exponent.ravel()
    with np.errstate(all="ignore"):
        out = np.power(x.astype(np.longdouble), n.astype(np.longdouble)).astype(np.float32)
    case("far_powers", [("x", "f32", x, False), ("n", "i32", n, False), ("out", "f32", out, True)], exact={"out": (3e-7, 3e-45)})


def overhang():
    """Accesses tiles outside of their arrays although the program guarantees otherwise: zeros are read there, and
    nothing is stored."""
    rng = np.random.default_rng(41)
    whole = lambda *shape: rng.integers(-4, 5, shape)
    q, k = whole(3, 5, 64), whole(3, 64, 64)
    case("overhang_store", [("q", "f16", q.astype(np.float16), False), ("k", "f16", k.astype(np.float16), False),
                            ("o", "f16", (q @ k).astype(np.float16), True), ("groups", "i32", 3, False)], blocks=3)
    x = whole(11, 64).astype(np.float32)
    case("overhang_rows", [("x", "f32", x, False), ("rows", "i32", 11, False), ("columns", "i32", 64, False),
                           ("sums", "f32", np.stack([x[:8].sum(0), x[8:].sum(0)]), True)], blocks=(2, 2))
    x = whole(100).astype(np.float32)
    case("overhang_line", [("x", "f32", x, False), ("y", "f32", 2 * x, True), ("n", "i32", 100, False)], blocks=2)
    x = whole(11, 24).astype(np.float16)
    start = np.full((11, 24), 7, np.float16)
    y = start.copy()
    y[:, 16:] = 2 * x[:, 16:]
    case("overhang_branch", [("x", "f16", x, False), ("y", "f16", y, True)], blocks=(2, 2), outputs={"y": start})
    x, y = whole(77, 176), whole(176, 72)
    case("overhang_product", [("x", "f16", x.astype(np.float16), False), ("y", "f16", y.astype(np.float16), False),
                              ("o", "f32", (x @ y).astype(np.float32), True), ("depth", "i32", 176, False)], blocks=(2, 2))


overhang()
bool_exchange()
bool_to_float()
return_in_loop()
free_bodies()
print_tile()
float_scale()
float_narrow()
half_directed()
float_nibble()
int_nibble()
scaled_product()
allocate()
gather_slice()
bf16_add()
choices()
half_fma()
byte_rows()
padding_values()
ordered_reduce()
ordered_scan()
bytes_beside()
batched_weights()
shared_weights()
slot_readers()
quotients()
lone_quotients()
shared_quotients()
own_quotient()
vector_red()
row_picks()
gathered_element()
exp_sums()
logistic()
gates()
tangents()
soft_rows()
half_extrema()
warp_extrema()
float_pairs()
side_by_side()
token_choice()
one_address()
product_rounding()
ragged_loops()
mask_runs()
transposed_tiles()
transposed_bytes()
split_k()
strided_steps()
constant_factors()
lone_column()
far_rows()
float_directed()
print_rows()
print_types()
scaled_signs()
scaled_by_hand()
occupancy_most()
stolen_rows()
flag_twice()
claimed_rows()
exchanged_places()
steered_loops()
narrow_decisions()
real_powers()
far_powers()
