#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how far functions, divisions and conversions are from exact arithmetic, in units in the last place.

A kernel of each operation is compiled, assembled and run in the emulator on every value of a 16-bit type, or on
`--count` values of a wider one that are spread over all its bits, with those where functions are hard (around 1,
multiples of pi, the ends of the range). Exact is NumPy's answer in a wider type: f64 for f32 and narrower, the 64-bit
mantissas of x86's long double for f64 (its own error is below 0.001 of a unit of f64). The bound is that of the
language where it states one, else what CUDA's programming guide promises of the function of its library in the same
type. The guide counts from the correctly rounded number, which is up to half a unit from the exact one: its "1 ulp"
is 1.5 here. A 16-bit type rounds the f32 result once more.

    bazel run //test/numerics:ulps                                    prints the table
    bazel run //test/numerics:ulps -- --write $PWD/docs/measurements/numerics.md   rewrites the page
    bazel run //test/numerics:ulps -- --only exp --target sm_100a     one operation, one target
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

TILE = 1024
PI = np.longdouble("3.14159265358979323846264338327950288")


class Format:
    """A float type: bits, mantissa bits, least and largest exponent."""

    def __init__(self, name, bits, mantissa, exponent, unsigned=False, infinite=True):
        self.name, self.bits, self.mantissa = name, bits, mantissa
        self.bias = (1 << (exponent - 1)) - 1
        self.least = 1 - self.bias
        self.exponent, self.infinite = exponent, infinite
        top = self.bias if infinite else self.bias + 1
        self.largest = (2 - 2.0 ** -mantissa) * 2.0 ** top
        if name == "f8E4M3FN":
            self.largest = 448.0

    def integers(self):
        return {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}[self.bits]

    def decode(self, bits):
        """Returns the numbers in the wider type that holds them exactly."""
        if self.name == "f64":
            return bits.view(np.float64).astype(np.longdouble)
        if self.name in ("f32", "tf32"):
            return bits.view(np.float32).astype(np.float64)
        if self.name == "bf16":
            return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
        if self.name == "f16":
            return bits.view(np.float16).astype(np.float64)
        bits = bits.astype(np.int64)
        sign = np.where(bits >> (self.bits - 1), -1.0, 1.0)
        exponent = (bits >> self.mantissa) & ((1 << self.exponent) - 1)
        fraction = bits & ((1 << self.mantissa) - 1)
        value = np.where(exponent == 0, np.ldexp(fraction.astype(np.float64), self.least - self.mantissa),
                         np.ldexp((fraction + (1 << self.mantissa)).astype(np.float64), exponent - self.bias - self.mantissa))
        if self.name == "f8E4M3FN":
            value = np.where((bits & 0x7F) == 0x7F, np.nan, value)
        else:
            value = np.where(exponent == (1 << self.exponent) - 1, np.where(fraction, np.nan, np.inf), value)
        return sign * value

    def unit(self, exact):
        """Returns the distance of the format's numbers around `exact`."""
        wide = exact.dtype.type
        size = np.abs(np.where(np.isfinite(exact) & (exact != 0), exact, 1))
        _, power = np.frexp(size)
        power = np.maximum(power - 1, self.least)
        power = np.where(exact == 0, self.least, power)
        return np.ldexp(wide(1), power - self.mantissa)


FORMATS = {f.name: f for f in (
    Format("f16", 16, 10, 5), Format("bf16", 16, 7, 8), Format("f32", 32, 23, 8), Format("f64", 64, 52, 11), Format("tf32", 32, 10, 8),
    Format("f8E4M3FN", 8, 3, 4, infinite=False), Format("f8E5M2", 8, 2, 5))}

class Integer:
    """An integer type of a conversion; its unit is 1."""

    least, mantissa, infinite = 0, 0, False

    def __init__(self, bits, signed):
        self.name, self.bits, self.signed = "i%d" % bits, bits, signed
        self.largest = np.longdouble(2) ** (bits - signed) - 1

    def integers(self):
        return {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}[self.bits]

    def decode(self, bits):
        return bits.view(bits.dtype.name.lstrip("u") if self.signed else bits.dtype.name).astype(np.longdouble)

    def unit(self, exact):
        return np.ones_like(exact)


INTEGERS = {("i%d" % bits, word): Integer(bits, word == "signed") for bits in (8, 16, 32, 64) for word in ("signed", "unsigned")}


def format_of(name, words):
    return FORMATS[name] if name in FORMATS else INTEGERS[name, words]


# Units in the last place from the correctly rounded number; 0 where the language asks for that number. From "CUDA C++ Programming Guide",
# "Mathematical Functions", and the descriptions of the operations.
FUNCTIONS = {
    # name: (exact, bound of f32, bound of f64)
    "cos": (np.cos, 2, 2), "sin": (np.sin, 2, 2), "tan": (np.tan, 4, 2), "cosh": (np.cosh, 2, 1), "sinh": (np.sinh, 3, 2),
    "tanh": (np.tanh, 2, 1), "exp": (np.exp, 2, 1), "exp2": (np.exp2, 2, 1), "log": (np.log, 1, 1), "log2": (np.log2, 1, 1),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 2, 1), "sqrt": (np.sqrt, 0, 0),
}
BINARY = {
    "addf": (np.add, 0, 0), "mulf": (np.multiply, 0, 0), "divf": (np.divide, 0, 0), "fpowf": (np.power, 4, 2),
    "atan2": (np.arctan2, 3, 2), "remf": (np.fmod, 0, 0),
}
MODES = {
    # (operation, words): bound of f32
    ("divf", "rounding<approx>"): 2, ("divf", "rounding<full>"): 2, ("tanh", "rounding<full>"): 2, ("tanh", "rounding<approx>"): 8192,
    ("sqrt", "rounding<approx>"): 2, ("exp2", "flush_to_zero"): 2, ("rsqrt", "flush_to_zero"): 2, ("exp", "rounding<approx>"): None,
}


class Row:
    """One operation on one type: its text, the exact answer, the bound."""

    def __init__(self, op, words, source, target, exact, bound, arity=1):
        self.op, self.words, self.source, self.target = op, words, source, target
        self.exact, self.bound, self.arity = exact, bound, arity

    @property
    def name(self):
        types = self.source if self.source == self.target else "%s -> %s" % (self.source, self.target)
        return " ".join(word for word in (self.op, self.words, types) if word)


def all_rows():
    rows = []
    for table, arity in ((FUNCTIONS, 1), (BINARY, 2)):
        for op, (exact, single, double) in table.items():
            for name in ("f16", "bf16", "f32", "f64"):
                bound = 0.5 + (double if name == "f64" else single)
                # A 16-bit result is the f32 result, rounded.
                if name in ("f16", "bf16"):
                    bound = 0.5 + bound * 2.0 ** (FORMATS[name].mantissa - FORMATS["f32"].mantissa) * (bound > 0.5)
                rows.append(Row(op, "", name, name, exact, bound, arity))
            rows += [Row(op, words, "f32", "f32", exact, None if bound is None else 0.5 + bound, arity) for (other, words), bound in MODES.items() if other == op]
    for source in FORMATS:
        for target in FORMATS:
            if source != target:
                rows.append(Row("ftof", "", source, target, lambda x: x, 0.5))
    for name, words in INTEGERS:
        for form in FORMATS:
            rows.append(Row("itof", words, name, form, lambda x: x, 0.5))
            rows.append(Row("ftoi", words, form, name, np.trunc, 0))
    return rows


# ---------------------------------------------------------------------------------------------------------------------
# Values
# ---------------------------------------------------------------------------------------------------------------------


def spread(form, count, rng):
    """Returns bit patterns over the whole type: all of them for 16 bits and fewer."""
    kind = form.integers()
    if form.bits <= 16:
        return np.arange(1 << form.bits, dtype=np.uint32).astype(kind)
    bits = np.linspace(0, 2.0 ** form.bits, count // 2, endpoint=False).astype(np.uint64) + rng.integers(0, 2 ** (form.bits - 18), count // 2, dtype=np.uint64)
    if isinstance(form, Integer):
        # All magnitudes, and numbers around the ties of the floats.
        shifted = bits >> rng.integers(0, form.bits, len(bits), dtype=np.uint64)
        return np.concatenate([shifted, shifted & ~np.uint64(0x7F), (shifted & ~np.uint64(0xFF)) | np.uint64(0x80)]).astype(kind)
    real = np.float32 if form.bits == 32 else np.float64
    near = np.concatenate([
        rng.uniform(-1, 1, count // 8), 1 + rng.normal(0, 1e-3, count // 16), rng.integers(-2000, 2000, count // 16) * float(PI / 2),
        rng.uniform(-100, 100, count // 8), np.exp(rng.uniform(-80, 80, count - count // 2 - 2 * (count // 8) - 2 * (count // 16)))]).astype(real)
    kept = np.concatenate([bits.astype(kind), near.view(kind)])
    if form.name == "tf32":
        kept &= np.uint32(0xFFFFE000)
    return kept


def operands(row, count, rng):
    form = format_of(row.source, row.words)
    first = spread(form, count, rng)
    if row.op == "ftoi":
        # A number outside of the integer type has no result.
        whole, numbers = format_of(row.target, row.words), form.decode(first)
        least = -(whole.largest + 1) if whole.signed else 0
        with np.errstate(invalid="ignore"):
            first = first[(np.trunc(numbers) >= least) & (np.trunc(numbers) <= whole.largest)]
    if row.arity == 1:
        return [first]
    if form.bits <= 16:
        first = rng.permutation(np.tile(first, max(1, count // len(first))))
    second = rng.permutation(first)
    # Half of the pairs have quotients and powers of moderate size.
    half = len(first) // 2
    real = {16: np.float16, 32: np.float32, 64: np.float64}[form.bits]
    for values, low, high in ((first, 0.01, 100), (second, -8, 8)):
        numbers = rng.uniform(low, high, half)
        values[:half] = (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) if form.name == "bf16" else numbers.astype(real).view(form.integers())
    return [first, second]


# ---------------------------------------------------------------------------------------------------------------------
# Execution
# ---------------------------------------------------------------------------------------------------------------------


def kernel_text(row, blocks):
    """Returns a kernel that moves bits; floats exist only inside."""
    source, target = format_of(row.source, row.words), format_of(row.target, row.words)
    total = blocks * TILE
    lines, params, values = [], [], []

    def view(name, element):
        tensor = "tensor_view<%dx%s, strides=[1]>" % (total, element)
        kind = "partition_view<tile=(%d), %s>" % (TILE, tensor)
        params.append("%%%s: tile<ptr<%s>>" % (name, element))
        lines.append("%%%s_t = make_tensor_view %%%s, shape = [%d], strides = [1] : %s" % (name, name, total, tensor))
        lines.append("%%%s_v = make_partition_view %%%s_t : %s" % (name, name, kind))
        return kind

    lines.append("%x, %y, %z = get_tile_block_id : tile<i32>")
    # Loads of tf32 are of four bytes; it has no bitcast.
    bits = row.source if row.source == "tf32" else "i%d" % source.bits
    for number in range(row.arity):
        kind = view("in%d" % number, bits)
        lines.append("%%a%d, %%t%d = load_view_tko weak %%in%d_v[%%x] : %s, tile<i32> -> tile<%dx%s>, token" % (number, number, number, kind, TILE, bits))
        if bits == row.source:  # tf32 and integers
            values.append("%%a%d" % number)
            continue
        lines.append("%%b%d = bitcast %%a%d : tile<%dx%s> -> tile<%dx%s>" % (number, number, TILE, bits, TILE, row.source))
        values.append("%%b%d" % number)
    types = "tile<%dx%s>" % (TILE, row.source)
    if row.source != row.target:
        types += " -> tile<%dx%s>" % (TILE, row.target)
    lines.append("%%r = %s %s%s : %s" % (row.op, ", ".join(values), " " + row.words if row.words else "", types))
    result, bits = "%r", row.target if row.target == "tf32" else "i%d" % target.bits
    if bits != row.target:
        lines.append("%%s = bitcast %%r : tile<%dx%s> -> tile<%dx%s>" % (TILE, row.target, TILE, bits))
        result = "%s"
    kind = view("out", bits)
    lines.append("%%t = store_view_tko weak %s, %%out_v[%%x] : tile<%dx%s>, %s, tile<i32> -> token" % (result, TILE, bits, kind))
    return "cuda_tile.module @m {\n  entry @k(%s) {\n%s\n    return\n  }\n}\n" % (", ".join(params), "\n".join("    " + line for line in lines))


def check(argv):
    run = subprocess.run(argv, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError((run.stderr or run.stdout).strip().splitlines()[0])


def execute(row, inputs, target, tools, folder):
    """Returns the bits of the results."""
    blocks = -(-len(inputs[0]) // TILE)
    path = os.path.join(folder, "k")
    with open(path + ".mlir", "w") as out:
        out.write(kernel_text(row, blocks))
    check([tools.translate, "--mlir-to-cudatilebc", "--bytecode-version=13.5", path + ".mlir", "-o", path + ".tileirbc"])
    check([tools.tileiras, path + ".tileirbc", "--gpu-name", target.rstrip("a"), "--emit=ptx", "-o", path + ".ptx"])
    args = []
    for number, values in enumerate(inputs):
        padded = np.resize(values, blocks * TILE)
        file = "%s.in%d.npy" % (path, number)
        bits = "f32" if row.source == "tf32" else "i%d" % format_of(row.source, row.words).bits
        np.save(file, padded.view(np.float32) if bits == "f32" else padded.view(padded.dtype.name.lstrip("u")))
        args.append({"name": "in%d" % number, "dtype": bits, "shape": [len(padded)], "init": "@" + os.path.basename(file)})
    form = format_of(row.target, row.words)
    bits = "f32" if row.target == "tf32" else "i%d" % form.bits
    args.append({"name": "out", "dtype": bits, "shape": [blocks * TILE], "init": "poison", "output": True})
    with open(path + ".json", "w") as out:
        json.dump({"kernel": "k.ptx", "grid": [blocks, 1, 1], "args": args}, out)
    check([tools.run, path + ".json", "--device=emulated", "--arch=" + target, "--out=" + folder + "/results"])
    return np.load(os.path.join(folder, "results", "out.npy")).view(form.integers())[:len(inputs[0])]


def distance(row, inputs, bits):
    """Returns (largest distance in units, the operands there, number of results of another class than the exact
    answer)."""
    form = format_of(row.target, row.words)
    numbers = [format_of(row.source, row.words).decode(values) for values in inputs]
    with np.errstate(all="ignore"):
        if row.words == "flush_to_zero":
            numbers = [np.where(np.abs(x) < 2.0 ** form.least, np.copysign(0, x), x) for x in numbers]
        exact, got = row.exact(*numbers), form.decode(bits)
        if row.target == "f64" or isinstance(form, Integer):
            exact = np.longdouble(exact)
        flushed = row.words in ("flush_to_zero", "rounding<approx>")
        small = np.abs(exact) < 2.0 ** form.least
        # Beyond the largest number infinity is right, or the largest number if the type has no infinity.
        limit = form.largest
        over = np.abs(exact) > limit
        right = np.where(over, (np.abs(got) >= limit) & (np.signbit(got) == np.signbit(exact)), np.isfinite(got))
        right = np.where(np.isnan(exact), np.isnan(got), right)
        right = np.where(np.isinf(got) & (np.abs(exact) >= limit * (1 - 2.0 ** -form.mantissa)), True, right)
        if flushed:
            right = np.where(small, np.abs(got) <= 2.0 ** form.least, right)
        plain = np.isfinite(exact) & np.isfinite(got) & ~over & ~(small & flushed)
        if row.op == "divf" and row.words == "rounding<approx>":
            # Larger divisors have no stated bound.
            outside = (np.abs(numbers[1]) > 2.0 ** 126) | (np.abs(numbers[1]) < 2.0 ** -126)
            right, plain = right | outside, plain & ~outside
        units = np.where(plain, np.abs(got - exact) / form.unit(exact), 0)
    worst = int(np.argmax(units))
    return float(units[worst]), [float(x[worst]) for x in numbers], int(np.count_nonzero(~right.astype(bool)))


def measure(rows, arguments, tools):
    """Yields (row, units, operands, wrong classes, error) of each row."""
    for row in rows:
        # The operands of a row do not depend on the others.
        rng = np.random.default_rng([arguments.seed] + list(row.name.encode()))
        inputs = operands(row, arguments.count, rng)
        with tempfile.TemporaryDirectory() as folder:
            try:
                bits = execute(row, inputs, arguments.target, tools, folder)
            except RuntimeError as error:
                yield row, None, [], 0, re.sub(r"\S*/k\.", "k.", str(error))
                continue
        yield (row, *distance(row, inputs, bits), "")


PREFACE = """# Numerical error of functions, divisions and conversions

Written by `bazel run //test/numerics:ulps -- --write docs/measurements/numerics.md` for {target}:
"measured" is the largest distance from exact arithmetic in units in the last place (ulp) of the result type, over every
value of a 16-bit type and {count} values of a wider one, executed in the emulator. "bound" is the bound of the language where it states
one (correct rounding is 0.5). Otherwise it is CUDA's documented bound of the function plus half an ulp, since CUDA counts from the
correctly rounded number; "-" means that neither states a bound. "at" has the operands of the largest distance. Where the approximate
instructions of the emulator differ from those of a GPU, the last digits differ, too.

| operation | measured | bound | at |
|---|---|---|---|
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="operations, by commas")
    parser.add_argument("--types", default="", help="types of the operand, by commas")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--count", type=int, default=1 << 16, help="values of a type that has more than 16 bits")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", metavar="PAGE")
    parser.add_argument("tileiras")
    parser.add_argument("translate")
    parser.add_argument("run")
    arguments = parser.parse_args()
    only, types = set(filter(None, arguments.only.split(","))), set(filter(None, arguments.types.split(",")))
    rows = [row for row in all_rows() if (not only or row.op in only) and (not types or row.source in types)]
    if not rows:
        sys.exit("ulps: error: no such operation")
    lines, failed, refused = [], 0, 0
    for row, units, at, wrong, error in measure(rows, arguments, arguments):
        if error:
            refused += 1
            print("REFUSED %s: %s" % (row.name, error), flush=True)
            continue
        bad = wrong or (row.bound is not None and units > row.bound * (1 + 1e-6))
        failed += bool(bad)
        bound = "-" if row.bound is None else "%.4g" % row.bound
        print("%s %-34s %8.4f of %s at %s%s" % ("FAIL" if bad else "ok  ", row.name, units, bound, ", ".join("%.9g" % x for x in at),
                                               ", %d results of another class" % wrong if wrong else ""), flush=True)
        lines.append("| %s | %.4f | %s | %s |" % (row.name, units, bound, ", ".join("%.9g" % x for x in at)))
    print("%d within their bounds, %d beyond, %d refused" % (len(lines) - failed, failed, refused))
    if arguments.write:
        with open(arguments.write, "w") as out:
            out.write(PREFACE.format(target=arguments.target, count=arguments.count) + "\n".join(lines) + "\n")
    sys.exit(1 if failed or not lines else 0)


if __name__ == "__main__":
    main()
