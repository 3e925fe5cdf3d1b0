# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Float formats by exact arithmetic: a value is NAN, or (negative, magnitude) with a Fraction or INF as magnitude."""
import math
from fractions import Fraction

NAN = "nan"
INF = "inf"


class Format:
    def __init__(self, exponent, mantissa, bias=None, kind="ieee", nan=None):
        """kind: ieee, fn (no infinities, all ones is NaN), finite (neither)."""
        self.exponent, self.mantissa, self.kind = exponent, mantissa, kind
        self.bias = bias if bias is not None else 2 ** (exponent - 1) - 1
        self.bits = 1 + exponent + mantissa
        self.nan = nan
        top = 2 ** exponent - (2 if kind == "ieee" else 1)
        last = 2 ** mantissa - (2 if kind == "fn" else 1)
        self.largest = Fraction(2 ** mantissa + last, 2 ** mantissa) * Fraction(2) ** (top - self.bias)
        self.smallest = Fraction(2) ** (1 - self.bias)  # Normal number.

    def decode(self, bits):
        bits = int(bits)
        negative = bool(bits >> (self.bits - 1) & 1)
        e, m = bits >> self.mantissa & (2 ** self.exponent - 1), bits & (2 ** self.mantissa - 1)
        if self.kind == "ieee" and e == 2 ** self.exponent - 1:
            return NAN if m else (negative, INF)
        if self.kind == "fn" and bits & (2 ** (self.bits - 1) - 1) == 2 ** (self.bits - 1) - 1:
            return NAN
        if e == 0:
            return negative, Fraction(m, 2 ** self.mantissa) * self.smallest
        return negative, Fraction(2 ** self.mantissa + m, 2 ** self.mantissa) * Fraction(2) ** (e - self.bias)

    def encode(self, value, mode="rn", satfinite=False):
        if value == NAN:
            if self.kind == "finite":
                return self.encode((False, self.largest))
            return self.nan
        negative, x = value
        sign = int(negative) << (self.bits - 1)
        infinity = (2 ** self.exponent - 1) << self.mantissa
        most = self.encode_magnitude(self.largest)
        if x == INF:
            return sign | (infinity if self.kind == "ieee" and not satfinite else most if satfinite or self.kind == "finite"
                           else self.nan & (2 ** (self.bits - 1) - 1))
        quantum = self.quantum(x)
        k, rest = divmod(x, quantum)
        up = {"rn": rest * 2 > quantum or (rest * 2 == quantum and k % 2), "rna": rest * 2 >= quantum, "rz": False,
              "rm": negative and rest, "rp": not negative and rest}[mode]
        rounded = (k + bool(up)) * quantum
        if rounded > self.largest:
            toward_zero = mode == "rz" or (mode == "rm" and not negative) or (mode == "rp" and negative)
            if satfinite or toward_zero or self.kind == "finite":
                return sign | most
            return sign | (infinity if self.kind == "ieee" else self.nan & (2 ** (self.bits - 1) - 1))
        return sign | self.encode_magnitude(rounded)

    def quantum(self, x):
        if x < self.smallest:
            return self.smallest / 2 ** self.mantissa
        e = x.numerator.bit_length() - x.denominator.bit_length()
        e -= Fraction(2) ** e > x
        return Fraction(2) ** (e - self.mantissa)

    def encode_magnitude(self, x):
        if x < self.smallest:
            return int(x / self.smallest * 2 ** self.mantissa)
        q = self.quantum(x)
        e = (q * 2 ** self.mantissa)
        exponent = e.numerator.bit_length() - e.denominator.bit_length()
        return ((exponent + self.bias) << self.mantissa) + int(x / q) - 2 ** self.mantissa

    def flush(self, value):
        if value != NAN and value[1] != INF and value[1] < self.smallest:
            return value[0], Fraction(0)
        return value


F64 = Format(11, 52, nan=0x7FF8000000000000)
F32 = Format(8, 23, nan=0x7FFFFFFF)
F16 = Format(5, 10, nan=0x7FFF)
BF16 = Format(8, 7, nan=0x7FFF)
TF32 = Format(8, 10, nan=0x3FFFF)
E5M2 = Format(5, 2, nan=0x7F)
E4M3 = Format(4, 3, kind="fn", nan=0x7F)
E2M3 = Format(2, 3, bias=1, kind="finite")
E3M2 = Format(3, 2, bias=3, kind="finite")
E2M1 = Format(2, 1, bias=1, kind="finite")


def signed(value):
    return -value[1] if value[0] else value[1]


def make(x, zero_negative=False):
    return (x < 0, abs(x)) if x else (zero_negative, Fraction(0))


def mul(a, b):
    if NAN in (a, b):
        return NAN
    negative = a[0] != b[0]
    if INF in (a[1], b[1]):
        return NAN if 0 in (a[1], b[1]) else (negative, INF)
    return negative, a[1] * b[1]


def add(a, b, mode="rn"):
    if NAN in (a, b):
        return NAN
    if a[1] == INF or b[1] == INF:
        if a[1] == b[1] and a[0] != b[0]:
            return NAN
        return a if a[1] == INF else b
    x = signed(a) + signed(b)
    if x == 0:
        both = a[0] and b[0]
        return (both or (a[0] != b[0] and mode == "rm")), Fraction(0)
    return make(x)


def neg(a):
    return a if a == NAN else (not a[0], a[1])


def fma(a, b, c, mode="rn"):
    return add(mul(a, b), c, mode)


def div(a, b):
    if NAN in (a, b):
        return NAN
    negative = a[0] != b[0]
    if a[1] == INF:
        return NAN if b[1] == INF else (negative, INF)
    if b[1] == INF:
        return negative, Fraction(0)
    if b[1] == 0:
        return NAN if a[1] == 0 else (negative, INF)
    return negative, a[1] / b[1]


def sqrt(a, fmt):
    """Returns a root exact enough for any rounding to `fmt`: a multiple of a tiny quantum, with a sticky last place."""
    if a == NAN or (a[0] and a[1] != 0):
        return NAN
    if a[1] in (0, INF):
        return a
    shift = 1400  # even the least number of f64 keeps more places than any rounding needs
    scaled = a[1] * Fraction(2) ** (2 * shift)
    root = math.isqrt(scaled.numerator // scaled.denominator)
    exact = Fraction(root) ** 2 == scaled
    return False, (Fraction(root) if exact else Fraction(2 * root + 1, 2)) / Fraction(2) ** shift


def less(a, b):
    """Compares numbers; -0 is below +0."""
    def key(v):
        return (signed(v) if v[1] != INF else (-1 if v[0] else 1) * Fraction(2) ** 5000, not v[0])
    return key(a) < key(b)


def minimum(a, b, nan=False, largest=False):
    if NAN in (a, b):
        if nan or a == b:
            return NAN
        return b if a == NAN else a
    return (a if less(b, a) else b) if largest else (a if less(a, b) else b)


def compare(name, a, b):
    unordered = NAN in (a, b)
    if name == "num":
        return not unordered
    if name == "nan":
        return unordered
    if unordered:
        return len(name) == 3
    lt = less((a[0] and a[1] != 0, a[1]), (b[0] and b[1] != 0, b[1]))
    gt = less((b[0] and b[1] != 0, b[1]), (a[0] and a[1] != 0, a[1]))
    return {"eq": not lt and not gt, "ne": lt or gt, "lt": lt, "le": not gt, "gt": gt, "ge": not lt}[name[:2]]
