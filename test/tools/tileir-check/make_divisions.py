#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes cases that divide f32: rows by one number each, numbers by numbers, and 1 by tiles.

The answers are computed here in exact fractions, independent of this project's compiler, oracle and emulator, and of
NumPy. Operands are around the limits of a division's fast path: subnormals, infinities, NaN, zeros of both signs,
bounds of exponents, and quotients beside the midpoint of two numbers.

    make_divisions.py FOLDER
"""

import json
import os
import random
import struct
import sys
from fractions import Fraction

COLUMNS = 512
SIGN, INFINITE, NAN = 1 << 31, 0xFF << 23, 0x7FC00000


def power(exponent):
    return exponent + 127 << 23


def magnitude(code):
    exponent, fraction = code >> 23 & 0xFF, code & 0x7FFFFF
    if exponent == 0:
        return Fraction(fraction, 1 << 149)
    return Fraction(fraction | 1 << 23) * Fraction(2)**(exponent - 150)


def rounded(value):
    """Returns the code of a positive fraction, to nearest, ties to even."""
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    exponent -= value < Fraction(2)**exponent
    unit = max(exponent, -126) - 23
    whole, rest = divmod(value / Fraction(2)**unit, 1)
    whole += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2)
    # The hidden bit increments the exponent, as does a carry.
    return min((unit + 149 << 23) + int(whole), INFINITE)


def quotient(x, y):
    sign = (x ^ y) & SIGN
    x, y = x & ~SIGN, y & ~SIGN
    if x > INFINITE or y > INFINITE or x == y == INFINITE or x == y == 0:
        return NAN
    if x == INFINITE or y == 0:
        return sign | INFINITE
    if x == 0 or y == INFINITE:
        return sign
    return sign | rounded(magnitude(x) / magnitude(y))


def moderate(low=-60, high=60):
    return random.choice((0, SIGN)) | power(random.randrange(low, high)) | random.getrandbits(23)


def divisors():
    marks = [power(0), power(1), power(0) | 0x7FFFFF, power(0) | 1, power(0) | 0x7FFFFE, power(3) | 0x400000]
    for exponent in (-126, -73, -72, -41, -40, 40, 41, 72, 73, 126, 127):
        marks += [power(exponent) - 1, power(exponent), power(exponent) + 1]
    marks += [0, 1, 2, 0x400000, 0x7FFFFF, INFINITE - 1, INFINITE, NAN]
    marks += [moderate() & ~SIGN for _ in range(12)]
    return marks + [SIGN | code for code in marks[::3]]


def hard(y):
    """Returns a dividend whose quotient by `y` is beside the midpoint of two numbers."""
    if not 0 < y & ~SIGN < INFINITE:
        return moderate()
    middle = Fraction(random.getrandbits(24) | 1 << 24 | 1) * Fraction(2)**random.randrange(-30, 20)
    code = rounded(middle * magnitude(y & ~SIGN))
    return min(max(code + random.randrange(-1, 2), 0), INFINITE - 1) | random.choice((0, SIGN))


def specials():
    return random.choice([0, SIGN, 1, SIGN | 1, 0x7FFFFF, 0x800000, INFINITE - 1, INFINITE, SIGN | INFINITE, NAN,
                          power(-72), power(-72) - 1, power(72), power(72) + 1, random.getrandbits(32)])


def rows():
    """Returns (divisor, dividends): the first of a divisor's rows takes the fast path if the divisor allows it."""
    result = []
    for y in divisors():
        result.append((y, [random.choice((hard(y), hard(y), moderate(), 0, SIGN)) for _ in range(COLUMNS)]))
        result.append((y, [random.choice((specials(), hard(y), moderate())) for _ in range(COLUMNS)]))
    return result


def save(folder, file, codes):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % len(codes)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(os.path.join(folder, file), "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        out.write(struct.pack("<%dI" % len(codes), *codes))


def write_case(folder, name, body, blocks, inputs, expected):
    arguments = []
    for key, codes in inputs.items():
        save(folder, "%s.%s.npy" % (name, key), codes)
        arguments.append({"name": key, "dtype": "f32", "shape": [len(codes)], "init": "@%s.%s.npy" % (name, key)})
    # The reciprocal of a quotient distinguishes zeros of both signs.
    for key, codes in (("z", expected), ("w", [quotient(power(0), z) for z in expected])):
        save(folder, "%s.%s.npy" % (name, key), codes)
        arguments.append({"name": key, "dtype": "f32", "shape": [len(codes)], "init": "zeros", "output": True,
                          "expect": "%s.%s.npy" % (name, key)})
    parameters = ", ".join("%%%s: tile<ptr<f32>>" % argument["name"] for argument in arguments)
    with open(os.path.join(folder, name + ".mlir"), "w") as file:
        file.write("cuda_tile.module @m {\n  entry @k(%s) {\n    %%b, %%by, %%bz = get_tile_block_id : tile<i32>\n%s"
                   "    return\n  }\n}\n" % (parameters, body))
    with open(os.path.join(folder, name + ".json"), "w") as file:
        json.dump({"kernel": name + ".mlir", "entry": "k", "grid": [blocks, 1, 1], "args": arguments}, file)


def scalar(key):
    return ("    %%%sp = offset %%%s, %%b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>\n"
            "    %%%sv, %%%st = load_ptr_tko weak %%%sp : tile<ptr<f32>> -> tile<f32>, token\n" % ((key,) * 5))


def view(key, blocks):
    tensor = "tensor_view<%dx%dxf32, strides=[%d,1]>" % (blocks, COLUMNS, COLUMNS)
    part = "partition_view<tile=(1x%d), %s>" % (COLUMNS, tensor)
    return ("    %%%sv = make_tensor_view %%%s, shape = [%d, %d], strides = [%d, 1] : %s\n"
            "    %%%sp = make_partition_view %%%sv : %s\n" % (key, key, blocks, COLUMNS, COLUMNS, tensor, key, key, part)), part


def tile_body(blocks, steps, loads):
    tile = "tile<1x%dxf32>" % COLUMNS
    body = "    %zero = constant <i32: 0> : tile<i32>\n"
    for key in loads:
        head, part = view(key, blocks)
        body += head + "    %%%sl, %%%st = load_view_tko weak %%%sp[%%b, %%zero] : %s, tile<i32> -> %s, token\n" % (
            key, key, key, part, tile)
    body += steps.replace("TILE", tile)
    body += "    %%one = constant <f32: 1.0> : %s\n    %%w1 = divf %%one, %%z1 : %s\n" % (tile, tile)
    for key in "zw":
        head, part = view(key, blocks)
        body += head + "    %%%st = store_view_tko weak %%%s1, %%%sp[%%b, %%zero] : %s, %s, tile<i32> -> token\n" % (
            key, key, key, tile, part)
    return body


def main():
    folder = sys.argv[1]
    random.seed(1)
    every = rows()
    steps = (scalar("y") + "    %y1 = reshape %yv : tile<f32> -> tile<1x1xf32>\n"
             "    %yb = broadcast %y1 : tile<1x1xf32> -> TILE\n    %z1 = divf %xl, %yb : TILE\n")
    write_case(folder, "rows", tile_body(len(every), steps, "x"), len(every),
               {"y": [y for y, _ in every], "x": [x for _, row in every for x in row]},
               [quotient(x, y) for y, row in every for x in row])
    steps = "    %unit = constant <f32: 1.0> : TILE\n    %z1 = divf %unit, %xl : TILE\n"
    codes = [x for _, row in every for x in row]
    # A thread whose numbers are all moderate takes the fast path.
    codes[:COLUMNS * 8] = [moderate(-70, 70) for _ in range(COLUMNS * 8)]
    write_case(folder, "reciprocals", tile_body(len(every), steps, "x"), len(every), {"x": codes},
               [quotient(power(0), x) for x in codes])
    pairs = [(random.choice(row), y) for y, row in every * 3]
    body = scalar("x") + scalar("y") + (
        "    %one = constant <f32: 1.0> : tile<f32>\n"
        "    %z1 = divf %xv, %yv : tile<f32>\n    %w1 = divf %one, %z1 : tile<f32>\n")
    for key in "zw":
        body += ("    %%%sp = offset %%%s, %%b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>\n"
                 "    %%%st = store_ptr_tko weak %%%sp, %%%s1 : tile<ptr<f32>>, tile<f32> -> token\n" % ((key,) * 5))
    write_case(folder, "scalars", body, len(pairs), {"x": [x for x, _ in pairs], "y": [y for _, y in pairs]},
               [quotient(x, y) for x, y in pairs])


main()
