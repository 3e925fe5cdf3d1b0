# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes inputs of gpu_gemm.py, and a few expected elements of its results in double precision."""

import array
import bisect
import math
import operator
import os
import random
import struct
import sys

# Random numbers with a prime period: no two rows or columns of a matrix are equal, and a buffer is filled by copies of
# itself.
PERIOD = 1000003
# Offset of a buffer in the period; buffers that are not listed are not inputs.
START = {"a": 0, "b": 333337, "q": 0, "k": 333337, "v": 666671, "x": 0, "yy": 333337, "up": 333337, "w": 333337, "bb": 666671,
         "cos": 333337, "sine": 666671, "target": 0}
CLASSES = 32768  # integers of 32 bits are numbers of columns: of the one row kernel that takes them
SAMPLES = 24
ROWS_SAMPLED, PIECE = 6, 64
# Largest error, relative to the largest adjacent magnitude. Sums accumulate in f32; the tensor cores of Hopper truncate
# the accumulator of e4m3 to some 14 bits at every step, which shows without additions outside of them (fast). tf32
# truncates the operands. A missing block of the inner dimension causes an error several times as large. Integers are
# exact.
TOLERANCE = {"f16": 4e-3, "bf16": 1e-2, "e4m3": 1e-2, "e4m3 fast": 3e-2, "tf32": 4e-3, "f32": 1e-4, "int8": 0}
ATTENTION_TOLERANCE = 2e-2  # probabilities are rounded, too
ROW_TOLERANCE = {"f16": 4e-3, "bf16": 1e-2, "f32": 1e-5}  # by the type of the result; f32: sums of a row in any order


INTEGERS = {"i8": "b", "i32": "i"}


def e4m3(code):
    exponent, fraction = code >> 3 & 15, code & 7
    if code & 127 == 127:
        return math.nan
    value = (8 + fraction) / 8 * 2.0 ** (exponent - 7) if exponent else fraction / 8 * 2.0**-6
    return -value if code >> 7 else value


def encode(kind, values):
    """Returns little-endian bytes of numbers, rounded to nearest."""
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
    if kind in INTEGERS:
        return struct.pack(f"<{len(values)}{INTEGERS[kind]}", *values)
    return struct.pack(f"<{len(values)}f", *values)


def decode(kind, data):
    """Returns numbers of little-endian bytes."""
    if kind == "f16":
        return array.array("d", struct.unpack(f"<{len(data) // 2}e", data))
    if kind == "bf16":
        words = struct.unpack(f"<{len(data) // 2}H", data)
        return array.array("d", struct.unpack(f"={len(words)}f", array.array("I", [w << 16 for w in words]).tobytes()))
    if kind == "e4m3":
        table = [e4m3(c) for c in range(256)]
        return array.array("d", [table[c] for c in data])
    if kind in INTEGERS:
        return array.array("d", struct.unpack(f"<{len(data) // struct.calcsize(INTEGERS[kind])}{INTEGERS[kind]}", data))
    return array.array("d", struct.unpack(f"<{len(data) // 4}f", data))


def numbers_of(kind, rng, count):
    if kind == "i32":
        return [rng.randrange(CLASSES) for _ in range(count)]
    if kind == "i8":
        return [rng.randrange(-128, 128) for _ in range(count)]
    return [rng.gauss(0, 1) for _ in range(count)]


class Table:
    """A period of one element type; kept in `folder` for the next process."""

    def __init__(self, kind, folder, period):
        path = os.path.join(folder, f"data_{kind}.bin")
        if not os.path.exists(path):
            with open(path + ".part", "wb") as out:
                out.write(encode(kind, numbers_of(kind, random.Random(5), period)))
            os.replace(path + ".part", path)
        with open(path, "rb") as table:
            self.bytes = table.read()
        self.width = len(self.bytes) // period
        self.numbers = decode(kind, self.bytes)


class Data:
    """The inputs among the buffers of a problem."""

    def __init__(self, buffers, folder, period=PERIOD):
        self.period = period
        kinds = {name: told["dtype"] for name, told in buffers.items() if name in START}
        tables = {kind: Table(kind, folder, period) for kind in sorted(set(kinds.values()))}
        self.tables = {name: tables[kind] for name, kind in kinds.items()}

    def table(self, name):
        """Returns the period of a buffer, from its first element on, as bytes."""
        table = self.tables[name]
        at = START[name] % self.period * table.width
        return table.bytes[at:] + table.bytes[:at]

    def span(self, name, first, count):
        """Returns numbers first ... first + count - 1 of a buffer."""
        numbers = self.tables[name].numbers
        at = (START[name] + first) % self.period
        found = numbers[at:at + count]
        while len(found) < count:
            found.extend(numbers[:count - len(found)])
        return found

    def column(self, name, first, count, stride):
        numbers = self.tables[name].numbers
        return [numbers[(START[name] + first + n * stride) % self.period] for n in range(count)]


def dot(x, y):
    return math.fsum(map(operator.mul, x, y))


def product_samples(problem, data):
    """Returns [(index in the result, number, magnitude to compare with)] of corners and random elements."""
    (m, n, k), batch = problem["extents"], problem["batch"]
    rng = random.Random(m)
    places = [(0, 0, 0), (0, 0, n - 1), (batch - 1, m - 1, 0), (batch - 1, m - 1, n - 1)]
    places += [(rng.randrange(batch), rng.randrange(m), rng.randrange(n)) for _ in range(SAMPLES - 4)]

    def second(plane, column):
        if problem["nt"]:
            return data.span("b", (plane * n + column) * k, k)
        return data.column("b", plane * k * n + column, k, n)

    values = [dot(data.span("a", (plane * m + row) * k, k), second(plane, column)) for plane, row, column in places]
    largest = max(map(abs, values))
    return [((plane * m + row) * n + column, value, largest) for (plane, row, column), value in zip(places, values)]


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
    """Returns rows at both ends, and one between."""
    batch, heads, length, depth = (problem[k] for k in ("batch", "heads", "length", "depth"))
    found = []
    for b, h, row in ((0, 0, length - 1), (batch - 1, heads - 1, length // 2 + 1), (0, heads // 2 - 1, 1)):
        values = attention_row(problem, data, b, h, row)
        first = ((b * heads + h) * length + row) * depth
        largest = max(map(abs, values))
        found += [(first + d, value, largest) for d, value in enumerate(values)]
    return found


def softmax(x):
    top = max(x)
    weights = [math.exp(v - top) for v in x]
    total = math.fsum(weights)
    return [w / total for w in weights]


def layernorm(x, w, bias, eps):
    mean = math.fsum(x) / len(x)
    scale = 1 / math.sqrt(math.fsum((v - mean) ** 2 for v in x) / len(x) + eps)
    return {"out": [(v - mean) * scale * p + q for v, p, q in zip(x, w, bias)], "mean": [mean], "deviation": [scale]}


def rmsnorm(x, w, eps):
    scale = 1 / math.sqrt(dot(x, x) / len(x) + eps)
    return [v * scale * p for v, p in zip(x, w)]


def cross_entropy(x, target):
    top = max(x)
    return math.log(math.fsum(math.exp(v - top) for v in x)) + top - x[int(target)]


def rope(x, cos, sine):
    low, high = x[:len(cos)], x[len(cos):]
    return [a * c - b * s for a, b, c, s in zip(low, high, cos, sine)] + [b * c + a * s for a, b, c, s in zip(low, high, cos, sine)]


# By the first word of a kernel's name. `x` is a row, or a piece of an array without rows; `of(name)` is the same part
# of another buffer, and for a buffer with one number per row that number; `whole(name)` is a buffer that every row
# reads; `told` are the scalars. The result is a dictionary by output, or a list for a single output.
ROW_KERNELS = {
    "add": lambda x, of, whole, told: [a + b for a, b in zip(x, of("yy"))],
    "axpy_masked": lambda x, of, whole, told: [told["alpha"] * a + b for a, b in zip(x, of("yy"))],
    "gelu": lambda x, of, whole, told: [v / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3))) for v in x],
    "silu_gate": lambda x, of, whole, told: [v / (1 + math.exp(-v)) * g for v, g in zip(x, of("up"))],
    "softmax": lambda x, of, whole, told: softmax(x),
    "softmax_online": lambda x, of, whole, told: softmax(x),
    "rmsnorm": lambda x, of, whole, told: rmsnorm(x, whole("w"), told["eps"]),
    "layernorm": lambda x, of, whole, told: layernorm(x, whole("w"), whole("bb"), told["eps"]),
    "row_sum": lambda x, of, whole, told: [math.fsum(x)],
    "cross_entropy": lambda x, of, whole, told: [cross_entropy(x, of("target")[0])],
    "rope": lambda x, of, whole, told: rope(x, of("cos"), of("sine")),
}


def row_samples(problem, data):
    """Returns {output: samples} of some rows, or of some pieces of arrays without rows."""
    rng, shapes = random.Random(problem["size"]), problem["shapes"]
    outputs = [name for name, told in problem["buffers"].items() if told.get("output")]
    if problem["operation"] == "transpose":
        rows, columns = shapes["x"]
        places = [(0, 0), (columns - 1, rows - PIECE)] + [(rng.randrange(columns), rng.randrange(rows - PIECE)) for _ in range(ROWS_SAMPLED)]
        found = [(column * rows + row, data.column("x", row * columns + column, PIECE, columns)) for column, row in places]
        return {"out": [(at + n, v, max(map(abs, values))) for at, values in found for n, v in enumerate(values)]}
    # An array without rows counts as rows of one piece each.
    width = math.prod(shapes["x"][1:]) if len(shapes["x"]) > 1 else PIECE
    rows = math.prod(shapes["x"]) // width
    compute = ROW_KERNELS[problem["operation"]]
    found = {name: [] for name in outputs}
    for row in [0, rows - 1] + [rng.randrange(rows) for _ in range(ROWS_SAMPLED - 2)]:
        def part(name, row=row):
            count = problem["buffers"][name]["count"] // rows
            return data.span(name, row * count, count)

        values = compute(part("x"), part, lambda name: data.span(name, 0, math.prod(shapes[name])), problem["scalars"])
        for name, numbers in (values if isinstance(values, dict) else {outputs[0]: values}).items():
            found[name] += [(row * len(numbers) + n, v) for n, v in enumerate(numbers)]
    largest = {name: max(abs(v) for _, v in numbers) for name, numbers in found.items()}
    return {name: [(at, v, largest[name]) for at, v in numbers] for name, numbers in found.items()}


def samples(problem, data):
    """{output: [(index, number, magnitude to compare with)]}."""
    if problem["what"] == "rows":
        return row_samples(problem, data)
    return {"out": product_samples(problem, data) if problem["what"] == "gemm" else attention_samples(problem, data)}


def tolerance(problem, output):
    """Returns the tolerance of an output of a problem."""
    if problem["what"] == "rows":
        return 0 if problem["operation"] == "transpose" else ROW_TOLERANCE[problem["buffers"][output]["dtype"]]
    if problem["what"] == "attention":
        return ATTENTION_TOLERANCE
    kind, _, form = problem["type"].partition(" ")
    return TOLERANCE[f"{kind} fast" if "fast" in form else kind]


def worst(expected, read):
    """Returns the largest error of the samples relative to the adjacent magnitude; `read(first, count)` gives numbers
    of the result. NaN is infinite."""
    found = 0.0
    at = 0
    while at < len(expected):
        # Adjacent samples are read in one piece.
        last = at
        while last + 1 < len(expected) and expected[last + 1][0] == expected[last][0] + 1:
            last += 1
        got = read(expected[at][0], last + 1 - at)
        for value, (_, number, largest) in zip(got, expected[at:last + 1]):
            error = abs(value - number) / (largest or 1)
            found = max(found, math.inf if math.isnan(error) else error)
        at = last + 1
    return found
