# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs of gpu_gemm.py, and what a few elements of its results must be, computed here in double precision."""

import array
import bisect
import math
import operator
import os
import random
import struct
import sys

# Normal numbers that repeat after a prime: no row or column of a matrix is another's, and a buffer is filled by copies of itself.
PERIOD = 1000003
START = {"a": 0, "b": 333337, "q": 0, "k": 333337, "v": 666671}  # where in the period a buffer begins
SAMPLES = 24
# Largest error, as a share of the largest magnitude beside it. Sums run over a type's products in f32, of e4m3 in fewer bits on
# Hopper; a block of the inner dimension that is left out is several times as much.
TOLERANCE = {"f16": 4e-3, "bf16": 1e-2, "e4m3": 1e-2}
ATTENTION_TOLERANCE = 2e-2  # probabilities are rounded, too


def e4m3(code):
    exponent, fraction = code >> 3 & 15, code & 7
    if code & 127 == 127:
        return math.nan
    value = (8 + fraction) / 8 * 2.0 ** (exponent - 7) if exponent else fraction / 8 * 2.0**-6
    return -value if code >> 7 else value


def encode(kind, values):
    """Little-endian bytes of numbers, rounded to nearest."""
    if kind == "f16":
        return struct.pack(f"<{len(values)}e", *values)
    if kind == "bf16":
        words = array.array("I", struct.pack(f"={len(values)}f", *values))
        halves = array.array("H", [(w + 0x7FFF + (w >> 16 & 1)) >> 16 for w in words])
        if sys.byteorder == "big":
            halves.byteswap()
        return halves.tobytes()
    if kind == "e4m3":
        positive = [e4m3(c) for c in range(127)]
        between = [(x + y) / 2 for x, y in zip(positive, positive[1:])]
        return bytes(bisect.bisect_left(between, abs(v)) | (128 if v < 0 else 0) for v in values)
    return struct.pack(f"<{len(values)}f", *values)


def decode(kind, data):
    """Numbers of little-endian bytes."""
    if kind == "f16":
        return array.array("d", struct.unpack(f"<{len(data) // 2}e", data))
    if kind == "bf16":
        words = struct.unpack(f"<{len(data) // 2}H", data)
        return array.array("d", struct.unpack(f"={len(words)}f", array.array("I", [w << 16 for w in words]).tobytes()))
    if kind == "e4m3":
        table = [e4m3(c) for c in range(256)]
        return array.array("d", [table[c] for c in data])
    return array.array("d", struct.unpack(f"<{len(data) // 4}f", data))


class Data:
    """The inputs of one element type; kept in `folder` for the next process."""

    def __init__(self, kind, folder, period=PERIOD):
        self.kind, self.period = kind, period
        path = os.path.join(folder, f"data_{kind}.bin")
        if not os.path.exists(path):
            rng = random.Random(5)
            with open(path + ".part", "wb") as out:
                out.write(encode(kind, [rng.gauss(0, 1) for _ in range(period)]))
            os.replace(path + ".part", path)
        with open(path, "rb") as table:
            self.bytes = table.read()
        self.width = len(self.bytes) // period
        self.numbers = decode(kind, self.bytes)

    def table(self, name):
        """The period of a buffer, from its first element on, as bytes."""
        at = START[name] % self.period * self.width
        return self.bytes[at:] + self.bytes[:at]

    def span(self, name, first, count):
        """Numbers first ... first + count - 1 of a buffer."""
        at = (START[name] + first) % self.period
        found = self.numbers[at:at + count]
        while len(found) < count:
            found.extend(self.numbers[:count - len(found)])
        return found

    def column(self, name, first, count, stride):
        return [self.numbers[(START[name] + first + n * stride) % self.period] for n in range(count)]


def dot(x, y):
    return math.fsum(map(operator.mul, x, y))


def product_samples(problem, data):
    """[(index in the result, number, magnitude to compare with)] of corners and elements at random."""
    m, n, k = problem["extents"]
    rng = random.Random(m)
    places = [(0, 0), (0, n - 1), (m - 1, 0), (m - 1, n - 1)] + [(rng.randrange(m), rng.randrange(n)) for _ in range(SAMPLES - 4)]
    values = [dot(data.span("a", row * k, k), data.column("b", column, k, n)) for row, column in places]
    largest = max(map(abs, values))
    return [(row * n + column, value, largest) for (row, column), value in zip(places, values)]


def attention_row(problem, data, batch, head, row):
    length, depth = problem["length"], problem["depth"]
    query = data.span("q", ((batch * problem["heads"] + head) * length + row) * depth, depth)
    shared = head // (problem["heads"] // problem["shared_heads"])
    base = (batch * problem["shared_heads"] + shared) * length * depth
    seen = row + 1 if problem["mask"] == "causal" else length
    keys, values = (data.span(name, base, seen * depth) for name in "kv")
    scores = [sum(map(operator.mul, query, keys[j * depth:(j + 1) * depth])) * depth**-0.5 for j in range(seen)]
    top = max(scores)
    weights = [math.exp(s - top) for s in scores]
    total = math.fsum(weights)
    return [dot(weights, values[d::depth]) / total for d in range(depth)]


def attention_samples(problem, data):
    """Rows at both ends, and one between."""
    batch, heads, length, depth = (problem[k] for k in ("batch", "heads", "length", "depth"))
    found = []
    for b, h, row in ((0, 0, length - 1), (batch - 1, heads - 1, length // 2 + 1), (0, heads // 2 - 1, 1)):
        values = attention_row(problem, data, b, h, row)
        first = ((b * heads + h) * length + row) * depth
        largest = max(map(abs, values))
        found += [(first + d, value, largest) for d, value in enumerate(values)]
    return found


def samples(problem, data):
    return product_samples(problem, data) if problem["what"] == "gemm" else attention_samples(problem, data)


def tolerance(problem):
    return TOLERANCE[problem["type"]] if problem["what"] == "gemm" else ATTENTION_TOLERANCE


def worst(expected, read):
    """Largest error of the samples as a share of the magnitude beside it; `read(first, count)` gives numbers of the result. NaN is
    infinite."""
    found = 0.0
    at = 0
    while at < len(expected):
        # Neighbours in one piece.
        last = at
        while last + 1 < len(expected) and expected[last + 1][0] == expected[last][0] + 1:
            last += 1
        got = read(expected[at][0], last + 1 - at)
        for value, (_, number, largest) in zip(got, expected[at:last + 1]):
            error = abs(value - number) / largest
            found = max(found, math.inf if math.isnan(error) else error)
        at = last + 1
    return found
