# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands of matrix instructions: random elements, sparse rows, and their images in shared memory."""
import numpy as np

import floats as fl

random = np.random.default_rng(31)
FLOATS = {"f16": (fl.F16, 16), "bf16": (fl.BF16, 16), "tf32": (fl.TF32, 32), "e4m3": (fl.E4M3, 8), "e5m2": (fl.E5M2, 8),
          "e2m1": (fl.E2M1, 4), "e2m3": (fl.E2M3, 6), "e3m2": (fl.E3M2, 6)}
INTS = {"s8": (8, -128, 128), "u8": (8, 0, 256), "s4": (4, -8, 8), "u4": (4, 0, 16), "b1": (1, 0, 2)}
# Exact in every type, as are all sums of their products, even in f16.
SMALL = np.array([-2, -1, -1, 0, 0, 1, 1, 2])


def bits_of(kind):
    return INTS[kind][0] if kind in INTS else FLOATS[kind][1]


def elements(kind, shape):
    """Returns values, and their codes in 32 bits (tf32) or the width of the type."""
    if kind in INTS:
        bits, low, high = INTS[kind]
        v = random.integers(low, high, shape)
        return v, v % 2 ** bits
    v = random.choice(SMALL, shape)
    code = encode(FLOATS[kind][0], v)
    return v, code << 13 if kind == "tf32" else code


def encode(fmt, values):
    """Returns the codes of an array with few distinct numbers."""
    numbers, where = np.unique(values, return_inverse=True)
    codes = np.array([fmt.encode(fl.make(fl.Fraction(float(x)))) for x in numbers])
    return codes[where].reshape(np.shape(values))


ORDERED = [4, 8, 9, 12, 13, 14]


def thinned(kind, rows, k, chunk):
    """Returns full values of a sparse matrix, codes of the kept half, and a nibble of metadata for every chunk of a
    row."""
    kept, codes = elements(kind, (rows, k // 2))
    nibbles = random.choice([4, 14] if chunk == 2 else ORDERED, (rows, k // chunk))
    full = np.zeros((rows, k), kept.dtype)
    for r in range(rows):
        for c in range(k // chunk):
            first, second = nibbles[r, c] & 3, nibbles[r, c] >> 2
            mine = kept[r, c * chunk // 2:(c + 1) * chunk // 2]
            if chunk == 2:
                full[r, 2 * c + first // 2] = mine[0]
            elif chunk == 4:
                full[r, 4 * c + first], full[r, 4 * c + second] = mine
            else:
                full[r, 8 * c + 2 * first:8 * c + 2 * first + 2] = mine[:2]
                full[r, 8 * c + 2 * second:8 * c + 2 * second + 2] = mine[2:]
    return full, codes, nibbles


def warp_metadata(nibbles, wide, selector):
    """Returns the metadata of 16 rows in a register of 32 lanes. Unselected lanes hold arbitrary bits.

    Types of 16 bits and more: four chunks of row g in the lower, of row g + 8 in the upper half of a word; narrower
    ones: eight chunks of row g or g + 8 in a word of its own."""
    words = random.integers(0, 2 ** 32, 32, dtype=np.uint64)
    for row in range(16):
        for c in range(nibbles.shape[1]):
            high = row // 8
            if wide:
                lane, shift = selector + c // 4 if nibbles.shape[1] == 4 else 2 * selector + c // 4, 16 * high + 4 * (c % 4)
            else:
                lane, shift = 2 * selector + high + c // 8 * 2, 4 * (c % 8)
            at = 4 * (row % 8) + lane
            words[at] = int(words[at]) & ~(15 << shift) | int(nibbles[row, c]) << shift
    return words.astype(np.uint32)


def swizzled(at, span, wide=False):
    """Returns the swizzled offset: chunks of 16 bytes, or of 32, are permuted in a line."""
    base = 5 if wide else 4
    return at ^ ((at >> 7 & ((span >> base) - 1)) << base) if span else at


class Image:
    """Matrices of elements of `bits`, side by side in shared memory."""

    def __init__(self):
        self.data = np.zeros(0, np.uint8)

    def grow(self, count):
        self.data = np.concatenate([self.data, np.zeros(count, np.uint8)])

    def add(self, codes, bits, span, transposed=False, padded=False):
        """Adds a matrix; returns its offset, and its leading and stride byte offsets.

        codes: rows by K. span: bytes of a swizzled line, 0 without a swizzle, "128b" for 128 bytes in chunks of 32.
        transposed: rows are contiguous. padded: 16 elements have 16 bytes, of which they fill the lower ones."""
        wide_chunks, span = span == "128b", 128 if span == "128b" else span
        lines = 4 if wide_chunks else 8
        self.grow(-len(self.data) % 1024)
        start = len(self.data)
        rows, k = codes.shape
        wide = k * 8 if padded else k * bits  # bits of a row
        if transposed:
            chunk = span or 16
            leading, stride = (k * span, lines * span) if span else (rows * bits // 8 // 16 * 128, 128)
            panels = -(-rows * bits // 8 // chunk)
            self.grow(max(panels * k * chunk, 128 * panels * k // 8))
        else:
            leading, stride = (16, 8 * span) if span else (rows // 8 * 128, 128)
            self.grow(rows * (span or wide // 8))
        r, j = np.indices((rows, k))
        bit = j // 16 * 128 + j % 16 * bits if padded else j * bits
        if transposed:
            at, bit = r * bits // 8, 0 * bit
            if span:
                byte = swizzled(at // span * leading + j // lines * stride + j % lines * span + at % span, span, wide_chunks)
            else:
                byte = at // 16 * stride + j // 8 * leading + j % 8 * 16 + at % 16
        elif span:
            byte = swizzled(r // 8 * stride + r % 8 * span + bit // 8, span)
        else:
            byte = r // 8 * stride + bit // 128 * leading + r % 8 * 16 + bit // 8 % 16
        value = codes.astype(np.uint64) << (bit % 8).astype(np.uint64)
        for n in range(max(bits // 8, 2 if bits == 6 else 1)):
            part = (value >> np.uint64(8 * n) & np.uint64(255)).astype(np.uint8)
            used = part != 0
            np.bitwise_or.at(self.data, start + byte[used] + n, part[used])
        return start, leading, stride

    def words(self, multiple=1):
        """Returns 32-bit words, padded to a multiple."""
        self.grow(-len(self.data) % (4 * multiple))
        return self.data.view(np.uint32)


def signed64(value):
    return value - 2 ** 64 if value >> 63 else value
