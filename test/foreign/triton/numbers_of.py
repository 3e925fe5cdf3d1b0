# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of types that NumPy lacks: bits with the name of their type, rounded here from first principles."""
import numpy as np

random = np.random.default_rng(11)
# Exponent bits, mantissa bits, whether the top exponent means infinity, further NaN codes.
_SMALL = {"f8E4M3FN": (4, 3, False, 0x7F), "f8E5M2": (5, 2, True, None), "f4E2M1FN": (2, 1, False, None)}
_TRITON = {"i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64", "u8": "u8", "u16": "u16", "u32": "u32", "u64": "u64",
           "f16": "fp16", "f32": "fp32", "f64": "fp64", "bf16": "bf16", "f8E4M3FN": "fp8e4nv", "f8E5M2": "fp8e5", "i1": "i1"}
_NUMPY = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u16": np.uint16,
          "u32": np.uint32, "u64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64}


def small_values(kind):
    """Returns the value of every code of a float type of at most eight bits."""
    exponent, mantissa, ieee, nan = _SMALL[kind]
    codes = np.arange(1 << (1 + exponent + mantissa))
    e, m = (codes >> mantissa) & ((1 << exponent) - 1), codes & ((1 << mantissa) - 1)
    bias = (1 << (exponent - 1)) - 1
    value = np.where(e == 0, np.ldexp(m / (1 << mantissa), 1 - bias), np.ldexp(1 + m / (1 << mantissa), e - bias))
    if ieee:
        value = np.where(e == (1 << exponent) - 1, np.where(m == 0, np.inf, np.nan), value)
    if nan is not None:
        value = np.where((codes & nan) == nan, np.nan, value)
    return np.where(codes >> (exponent + mantissa), -value, value)


class Bits:
    """Bits and their type."""

    def __init__(self, bits, kind):
        self.bits, self.kind = bits, kind

    @property
    def value(self):
        if self.kind == "bf16":
            return (self.bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
        if self.kind in _SMALL:
            return small_values(self.kind)[self.bits]
        return self.bits.astype(np.float64) if self.bits.dtype.kind == "f" else self.bits


def make(values, kind):
    """Rounds values to a type, to nearest, ties to the even code."""
    values = np.asarray(values)
    if kind == "bf16":
        wide = np.ascontiguousarray(values.astype(np.float32)).view(np.uint32).astype(np.uint64)
        return Bits(((wide + 0x7FFF + ((wide >> 16) & 1)) >> 16).astype(np.uint16), kind)
    if kind in _SMALL:
        table = small_values(kind)
        half = len(table) // 2
        codes = [c for c in range(half) if np.isfinite(table[c])]
        size = np.minimum(np.abs(values.astype(np.float64)), table[codes[-1]])
        at = np.clip(np.searchsorted(table[codes], size), 1, len(codes) - 1)
        low, high = size - table[codes][at - 1], table[codes][at] - size
        at = at - ((low < high) | ((low == high) & (at % 2 == 1)))
        return Bits((at + half * np.signbit(values)).astype(np.uint8), kind)
    return Bits(values.astype(_NUMPY[kind]), kind)


def kind_of(array):
    return array.dtype.name.replace("float", "f").replace("uint", "u").replace("int", "i").replace("bool", "i1")


def bits(array):
    return array if isinstance(array, Bits) else Bits(array, kind_of(array))


def triton_name(kind):
    return _TRITON[kind]


def normal(*shape, kind="f32"):
    return make(random.standard_normal(shape), kind)


def integers(low, high, *shape, kind="i32"):
    return make(random.integers(low, high, shape), kind)


def value(array):
    return array.value if isinstance(array, Bits) else array
