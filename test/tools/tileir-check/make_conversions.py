#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes cases that convert every element type to every other, in each signedness, rounding and saturation.

The answers are computed here in exact fractions from the definitions of the formats, independent of this project's
compiler, oracle and emulator, and of NumPy.

    make_conversions.py FOLDER
"""

import functools
import json
import math
import os
import random
import struct
import sys
from fractions import Fraction

COUNT = 512  # elements of a case
OUTPUTS = 10  # conversions in a case


class Float:
    """A format of `bits` with `mantissa` stored bits; `special` is the meaning of the largest exponent."""

    def __init__(self, bits, exponent, mantissa, special, container=None):
        self.bits, self.mantissa, self.special = bits, mantissa, special
        self.bias = (1 << (exponent - 1)) - 1
        self.shift = 13 if container else 0  # tf32 lies in the upper bits of an f32
        self.topmost = (1 << exponent) - 1
        finite = [code for code in (self.topmost << mantissa, (self.topmost << mantissa) - 1,
                                    (self.topmost + 1 << mantissa) - 1, (self.topmost + 1 << mantissa) - 2)
                  if isinstance(self.magnitude(code), Fraction)]
        self.largest_code = max(finite)
        self.largest = self.magnitude(self.largest_code)
        self.least_exponent = 1 - self.bias

    @functools.lru_cache(None)
    def magnitude(self, code):
        exponent, fraction = code >> self.mantissa, code & ((1 << self.mantissa) - 1)
        if self.special == "ieee" and exponent == self.topmost:
            return math.nan if fraction else math.inf
        if self.special == "nan" and code == (self.topmost + 1 << self.mantissa) - 1:
            return math.nan
        if exponent == 0:
            return Fraction(fraction) * Fraction(2)**(1 - self.bias - self.mantissa)
        return Fraction((1 << self.mantissa) + fraction) * Fraction(2)**(exponent - self.bias - self.mantissa)

    def decode(self, bits):
        """Returns (is negative, magnitude)."""
        bits >>= self.shift
        sign = 1 << (self.bits - 1 - self.shift)
        return bool(bits & sign), self.magnitude(bits & (sign - 1))

    def encode(self, negative, magnitude, mode="nearest_even", saturates=False):
        """Encodes a number; None stands for any NaN."""
        sign = (1 << (self.bits - 1)) if negative else 0
        if isinstance(magnitude, float) and math.isnan(magnitude):
            return None if self.special != "none" else self.largest_code
        if isinstance(magnitude, float):
            code = self.largest_code if saturates else self.topmost << self.mantissa
            return sign | code << self.shift
        if magnitude == 0:
            return sign
        exponent = max(floor_log2(magnitude), self.least_exponent)
        shift = self.mantissa - exponent
        numerator, denominator = magnitude.numerator << max(shift, 0), magnitude.denominator << max(-shift, 0)
        whole, rest = divmod(numerator, denominator)
        if mode == "nearest_even":
            whole += 2 * rest > denominator or (2 * rest == denominator and whole % 2)
        elif mode == "nearest_away":
            whole += 2 * rest >= denominator
        # The hidden bit increments the exponent, as does a carry.
        code = (exponent + self.bias - 1 << self.mantissa) + whole
        if code > self.largest_code:
            # Rounding toward zero never gives infinity.
            code = self.largest_code if saturates or mode == "zero" else self.topmost << self.mantissa
        return sign | code << self.shift


class Scale:
    """f8E8M0FNU: a power of two."""
    bits = 8

    def decode(self, bits):
        return False, math.nan if bits == 255 else Fraction(2)**(bits - 127)

    def encode(self, negative, magnitude, mode, saturates=False):
        if isinstance(magnitude, float) and math.isnan(magnitude):
            return 255
        if negative or magnitude == 0:
            return 0
        if isinstance(magnitude, float):
            return 254
        exponent = floor_log2(magnitude)
        if mode == "positive_inf" and magnitude != Fraction(2)**exponent:
            exponent += 1
        return min(max(exponent + 127, 0), 254)


def floor_log2(value):
    numerator, denominator = value.numerator, value.denominator
    exponent = numerator.bit_length() - denominator.bit_length()
    return exponent - (numerator << max(-exponent, 0) < denominator << max(exponent, 0))


FLOATS = {
    "f64": Float(64, 11, 52, "ieee"),
    "f32": Float(32, 8, 23, "ieee"),
    "tf32": Float(32, 8, 10, "ieee", container=32),
    "f16": Float(16, 5, 10, "ieee"),
    "bf16": Float(16, 8, 7, "ieee"),
    "f8E5M2": Float(8, 5, 2, "ieee"),
    "f8E4M3FN": Float(8, 4, 3, "nan"),
    "f8E8M0FNU": Scale(),
    "f4E2M1FN": Float(4, 2, 1, "none"),
}
INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
SATURATING = ("f8E5M2", "f8E4M3FN", "f4E2M1FN")


def width(element):
    return INTEGERS[element] if element in INTEGERS else FLOATS[element].bits


# ---------------------------------------------------------------------------------------------------------------------
# Values worth converting
# ---------------------------------------------------------------------------------------------------------------------


def landmarks():
    """Returns numbers around which the result of a conversion changes."""
    numbers = [Fraction(n, 4) for n in range(0, 40)]
    for bits in (1, 4, 8, 16, 32, 64):
        for power in (bits - 1, bits):
            numbers += [Fraction(2)**power + delta for delta in (-2, -1, Fraction(-1, 2), 0, Fraction(1, 2), 1, 2)]
    for element, kind in FLOATS.items():
        if element == "f8E8M0FNU":
            numbers += [Fraction(2)**-127, Fraction(2)**127, Fraction(3) * Fraction(2)**126]
            continue
        unit = kind.largest - kind.magnitude(kind.largest_code - 1)
        numbers += [kind.largest + unit * part for part in (-1, 0, Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), 1, 2)]
        least, normal = kind.magnitude(1), Fraction(2)**kind.least_exponent
        numbers += [least, least / 2, least / 4, least * Fraction(3, 4), least * Fraction(3, 2), normal, normal - least,
                    normal - least / 2]
        for _ in range(12):  # ties of this format, and their neighbours
            code = random.randrange(1, kind.largest_code)
            tie = (kind.magnitude(code) + kind.magnitude(code + 1)) / 2
            numbers += [tie, tie * (1 + Fraction(1, 2**21)), tie * (1 - Fraction(1, 2**21)), tie * (1 + Fraction(1, 2**50))]
    return numbers


def inputs(element):
    if width(element) <= 8:
        return [i % (1 << width(element)) for i in range(COUNT)]
    if element in FLOATS:
        kind = FLOATS[element]
        codes = [kind.encode(False, 0), kind.encode(True, 0), kind.encode(False, math.inf), kind.encode(True, math.inf)]
        nan = (kind.topmost << kind.mantissa | 1 << (kind.mantissa - 1)) << kind.shift
        codes += [nan, nan | 1 << (kind.bits - 1)]
        marks = landmarks()
        random.shuffle(marks)
        for number in marks:
            code = kind.encode(random.random() < 0.4, number)
            for step in (0, random.choice((-1, 1))):
                near = code + (step << kind.shift)
                if 0 <= near < 1 << kind.bits and near not in codes:
                    codes.append(near)
        if len(codes) < COUNT:
            codes += [random.getrandbits(kind.bits) >> kind.shift << kind.shift for _ in range(COUNT - len(codes))]
        return codes[:6] + random.sample(codes[6:], COUNT - 6)
    bits = INTEGERS[element]
    numbers = [0, 1, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1, (1 << (bits - 1)) + 1]
    for number in landmarks():
        numbers += [int(number), -int(number)]
    for power in range(2, bits):
        numbers += [1 << power, (1 << power) - 1, (1 << power) + 1]
        for digits in (3, 4, 8, 11, 24, 53):  # ties, and numbers that become one by a first rounding
            if power > digits:
                tie = (1 << power) + random.getrandbits(digits) % (1 << (digits - 1)) * (1 << (power - digits + 1))
                tie += 1 << (power - digits)
                numbers += [tie, tie + 1, tie - 1]
    numbers = [n for n in numbers if -(1 << (bits - 1)) <= n < 1 << bits]
    numbers = sorted({n % (1 << bits) for n in numbers})
    while len(numbers) < COUNT:
        numbers.append(random.getrandbits(bits))
    return random.sample(numbers, COUNT)


# ---------------------------------------------------------------------------------------------------------------------
# Conversions: (operation text, result type, answer)
# ---------------------------------------------------------------------------------------------------------------------

UNDEFINED = object()


@functools.lru_cache(None)
def value_of(element, bits, signed):
    if element in FLOATS:
        return FLOATS[element].decode(bits)
    number = bits
    if signed and bits >> (INTEGERS[element] - 1):
        number -= 1 << INTEGERS[element]
    return number < 0, Fraction(abs(number))


def to_integer(source, target, signed, saturating):
    bits = INTEGERS[target]
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)

    def answer(code):
        negative, magnitude = value_of(source, code, signed)
        if bits == 1 and not saturating:  # whether it is another number than zero
            return int(isinstance(magnitude, float) or magnitude != 0)
        if isinstance(magnitude, float):
            if not saturating:
                return UNDEFINED
            return 0 if math.isnan(magnitude) else (low if negative else high) % (1 << bits)
        number = -int(magnitude) if negative else int(magnitude)
        if not low <= number <= high and not saturating:
            return UNDEFINED
        return min(max(number, low), high) % (1 << bits)

    text = "ftoi %%x %s%s" % ("signed" if signed else "unsigned", " saturating" if saturating else "")
    return text, target, answer


def to_float(source, target, mode, signed=None):
    def answer(code):
        negative, magnitude = value_of(source, code, signed)
        return FLOATS[target].encode(negative, magnitude, mode, target in SATURATING)

    text = "ftof %x" if signed is None else "itof %%x %s" % ("signed" if signed else "unsigned")
    return text + (" rounding<%s>" % mode if mode != "nearest_even" else ""), target, answer


def between_integers(source, target):
    wide = INTEGERS[target] > INTEGERS[source]
    result = []
    for signed in (False, True) if wide else (False,):
        def answer(code, signed=signed):
            negative, magnitude = value_of(source, code, signed)
            return int(-magnitude if negative else magnitude) % (1 << INTEGERS[target])
        text = "exti %%x %s" % ("signed" if signed else "unsigned") if wide else "trunci %x"
        result.append((text, target, answer))
    return result


def modes(source, target):
    if target == "f8E8M0FNU":
        return ["zero", "positive_inf"]
    if target in SATURATING:
        return ["nearest_even"]
    if (source, target) == ("f32", "tf32"):
        return ["nearest_even", "zero", "nearest_away"]
    if target in ("f16", "bf16", "f32") and width(source) > width(target):
        return ["nearest_even", "zero"]
    return ["nearest_even"]


def conversions(source):
    result = []
    if source in FLOATS:
        for target in FLOATS:
            if target != source:
                result += [to_float(source, target, mode) for mode in modes(source, target)]
        for target in INTEGERS:
            result += [to_integer(source, target, signed, saturating) for signed in (True, False)
                       for saturating in (True, False)]
        return result
    for target in FLOATS:
        if target != "f8E8M0FNU":
            result += [to_float(source, target, "nearest_even", signed) for signed in (True, False)]
    for target in INTEGERS:
        if target != source:
            result += between_integers(source, target)
    return result


# ---------------------------------------------------------------------------------------------------------------------
# Cases
# ---------------------------------------------------------------------------------------------------------------------


def save(path, element, codes):
    bits = width(element)
    size = max(bits, 8) // 8
    if bits == 4:
        codes = [low | high << 4 for low, high in zip(codes[::2], codes[1::2])]
    kind = "f" if element in ("f16", "f32", "tf32", "f64") else "u"
    header = "{'descr': '%s%s%d', 'fortran_order': False, 'shape': (%d,), }" % ("|" if size == 1 else "<", kind, size,
                                                                              len(codes))
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(b"".join(code.to_bytes(size, "little") for code in codes))


def nan_of(element):
    if element == "f8E4M3FN":
        return 0x7F
    kind = FLOATS[element]
    return (kind.topmost << kind.mantissa | 1 << (kind.mantissa - 1)) << kind.shift


def view(name, element):
    tensor = "tensor_view<%dx%s, strides=[1]>" % (COUNT, element)
    part = "partition_view<tile=(%d), %s>" % (COUNT, tensor)
    lines = "    %%%sv = make_tensor_view %%%s, shape = [%d], strides = [1] : %s\n" % (name, name, COUNT, tensor)
    return lines + "    %%%sp = make_partition_view %%%sv : %s\n" % (name, name, part), part


def write_files(folder, name, parameters, lines, arguments, blocks):
    with open(os.path.join(folder, name + ".mlir"), "w") as file:
        file.write("cuda_tile.module @m {\n  entry @k(%s) {\n%s    return\n  }\n}\n" % (", ".join(parameters), lines))
    with open(os.path.join(folder, name + ".json"), "w") as file:
        json.dump({"kernel": name + ".mlir", "entry": "k", "grid": [blocks, 1, 1], "args": arguments}, file)


def write_case(folder, name, source, group):
    """Writes a case; `group` holds conversions, each with its input codes."""
    arguments, parameters, loaded = [], [], {}
    lines = "    %zero = constant <i32: 0> : tile<i32>\n"
    tile = "tile<%dx%s>" % (COUNT, source)

    def argument(key, element, codes, extra):
        file = "%s.%s.npy" % (name, key)
        save(os.path.join(folder, file), element, codes)
        arguments.append(dict({"name": key, "dtype": element, "shape": [COUNT]}, **extra(file)))
        parameters.append("%%%s: tile<ptr<%s>>" % (key, element))
        return view(key, element)

    for i, (text, target, answer, codes) in enumerate(group):
        if tuple(codes) not in loaded:
            key = "x%d" % len(loaded)
            head, part = argument(key, source, codes, lambda file: {"init": "@" + file})
            lines += head + "    %%%sl, %%%st = load_view_tko weak %%%sp[%%zero] : %s, tile<i32> -> %s, token\n" % (
                key, key, key, part, tile)
            loaded[tuple(codes)] = "%" + key + "l"
        out, result = "y%d" % i, "tile<%dx%s>" % (COUNT, target)
        expected = [nan_of(target) if code is None else code for code in map(answer, codes)]
        head, part = argument(out, target, expected, lambda file: {"init": "zeros", "output": True, "expect": file})
        lines += "    %%%sr = %s : %s -> %s\n" % (out, text.replace("%x", loaded[tuple(codes)]), tile, result) + head
        lines += "    %%%st = store_view_tko weak %%%sr, %%%sp[%%zero] : %s, %s, tile<i32> -> token\n" % (out, out, out,
                                                                                                      result, part)
    write_files(folder, name, parameters, lines, arguments, 1)


def write_scalar_case(folder, name, source, group, codes):
    """Writes the case without tiles: every tile block converts one number."""
    arguments = [{"name": "x", "dtype": source, "shape": [COUNT], "init": "@%s.x.npy" % name}]
    save(os.path.join(folder, name + ".x.npy"), source, codes)
    parameters = ["%%x: tile<ptr<%s>>" % source]
    lines = "    %b, %by, %bz = get_tile_block_id : tile<i32>\n"
    pointer = "tile<ptr<%s>>"

    def place(key, element):
        return "    %%%sp = offset %%%s, %%b : %s, tile<i32> -> %s\n" % (key, key, pointer % element, pointer % element)

    lines += place("x", source)
    lines += "    %%v, %%vt = load_ptr_tko weak %%xp : %s -> tile<%s>, token\n" % (pointer % source, source)
    for i, (text, target, answer) in enumerate(group):
        out = "y%d" % i
        expected = [nan_of(target) if code is None else code for code in map(answer, codes)]
        file = "%s.%s.npy" % (name, out)
        save(os.path.join(folder, file), target, expected)
        arguments.append({"name": out, "dtype": target, "shape": [COUNT], "init": "zeros", "output": True, "expect": file})
        parameters.append("%%%s: tile<ptr<%s>>" % (out, target))
        lines += "    %%%sr = %s : tile<%s> -> tile<%s>\n" % (out, text.replace("%x", "%v"), source, target)
        lines += place(out, target)
        lines += "    %%%st = store_ptr_tko weak %%%sp, %%%sr : %s, tile<%s> -> token\n" % (out, out, out, pointer % target,
                                                                                        target)
    write_files(folder, name, parameters, lines, arguments, COUNT)


def main():
    folder = sys.argv[1]
    random.seed(1)
    for source in list(FLOATS) + list(INTEGERS):
        every = []
        codes = inputs(source)
        for text, target, answer in conversions(source):
            # A number whose answer is undefined is replaced by another one.
            known = [code for code in codes if answer(code) is not UNDEFINED]
            if known:
                own = [code if answer(code) is not UNDEFINED else known[i % len(known)] for i, code in enumerate(codes)]
                every.append((text, target, answer, own))
        for i in range(0, len(every), OUTPUTS):
            write_case(folder, "%s_%d" % (source, i // OUTPUTS), source, every[i:i + OUTPUTS])
        # There are no scalars of four bits.
        defined = [one[:3] for one in every if one[3] == codes and one[1] != "f4E2M1FN"]
        for i in range(0, len(defined) if source != "f4E2M1FN" else 0, OUTPUTS):
            write_scalar_case(folder, "%s_scalar_%d" % (source, i // OUTPUTS), source, defined[i:i + OUTPUTS], codes)


main()
