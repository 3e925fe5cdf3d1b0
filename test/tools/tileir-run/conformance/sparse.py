# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests mma.sp of every type and shape, dense and sparse block-scaled mma, and mma.m8n8k4.

A keeps 2 of every chunk of 4 elements along K, 1 of 2 (tf32), 2 pairs of 8 (packed 4-bit types); a nibble of metadata
selects them.
"""
import numpy as np

import floats as fl
import layouts
from layouts import elements, thinned, warp_metadata
from matrix import accumulator, fragment, regs
from suite import Suite

random = layouts.random
DTYPE = {"f32": np.float32, "f16": np.float16, "s32": np.int32}


def registers(codes, kind, is_b, widened):
    bits = layouts.bits_of(kind)
    if widened:  # one element per byte, 4-bit ones in bits 2 to 5
        return fragment(codes << (2 if bits == 4 else 0), 8, is_b)
    return fragment(codes, bits, is_b)


def scales(rows, count, kind):
    """Returns values of the scales of `rows` rows, and their codes: powers of two, or ue4m3 with a mantissa bit."""
    if kind == "ue8m0":
        e = random.integers(-3, 4, (rows, count))
        return 2.0 ** e, e + 127
    values = np.array([0.5, 1, 1.5, 2, 3])
    pick = random.choice(values, (rows, count))
    return pick, np.vectorize(lambda x: fl.E4M3.encode(fl.make(fl.Fraction(float(x)))))(pick)


def scale_words(codes, byte, lane_of):
    """Returns a register of 32 lanes with the codes of a row in bytes from `byte`, in lane_of(row)."""
    words = random.integers(0, 2 ** 32, 32, dtype=np.uint64)
    for row in range(codes.shape[0]):
        for s in range(codes.shape[1]):
            shift = 8 * (byte + s)
            words[lane_of(row)] = int(words[lane_of(row)]) & ~(255 << shift) | int(codes[row, s]) << shift
    return words.astype(np.uint32)


def product(t, k, a, b, d="f32", chunk=0, selector=0, words="", tail="", kind="", scaled=None):
    """scaled: (scales to a row, their type, byte and thread of A, byte and thread of B)"""
    m, n = 16, 8
    widened = "f8f6f4" in kind
    if chunk:
        av, ac, nibbles = thinned(a, m, k, chunk)
        metadata = warp_metadata(nibbles, layouts.bits_of(a) >= 16, selector)
    else:
        av, ac = elements(a, (m, k))
    bv, bc = elements(b, (n, k))
    av, bv = av.astype(np.float64), bv.astype(np.float64)
    inputs = [registers(ac, a, False, widened), registers(bc, b, True, widened)]
    c = random.integers(-9, 9, (m, n)).astype(DTYPE[d])
    inputs.append(accumulator(c, DTYPE[d]))
    extra = ""
    if chunk:
        extra, inputs = ", %%e0, %d" % selector, inputs + [metadata]
    body = ""
    if scaled:
        count, scale_type, byte_a, thread_a, byte_b, thread_b = scaled
        sa, ca = scales(m, count, scale_type)
        sb, cb = scales(n, count, scale_type)
        av, bv = av * np.repeat(sa, k // count, axis=1), bv * np.repeat(sb, k // count, axis=1)
        both = np.stack([scale_words(ca, byte_a, lambda row: 4 * (row % 8) + 2 * thread_a + row // 8),
                         scale_words(cb, byte_b, lambda column: 4 * column + thread_b)])
        letter = "k" if chunk else "e"
        inputs.append(both)
        extra += ", %%%s0, {%d, %d}, %%%s1, {%d, %d}" % (letter, byte_a, thread_a, letter, byte_b, thread_b)
    want = (av @ bv.T + c).astype(DTYPE[d])
    if "satfinite" in tail:
        want = np.clip(av @ bv.T + c, -2 ** 31, 2 ** 31 - 1).astype(np.int32)
    out = accumulator(want, DTYPE[d])
    name = "m16n8k%d_%s_%s_%s%s%s_%d" % (k, d, a, b, words.replace(".", "_").replace("::", "_"), tail.replace(".", "_"),
                                         len(t.names))
    t.warp(name, body + "mma%s.sync.aligned.m16n8k%d.row.col%s%s.%s.%s.%s.%s%s %s, %s, %s, %s%s;" % (
        words, k, kind, tail, d, a, b, d, "." + scaled[1] if scaled else "", regs("d0_", len(out)),
        regs("a", len(inputs[0])), regs("b", len(inputs[1])), regs("c", len(inputs[2])), extra), inputs, [out])


def volta(t):
    """m8n8k4: four MMAs of 8 x 8 x 4, MMA q by lanes 4 q to 4 q + 3 and the lanes 16 further."""
    for a_col in (0, 1):
        for b_col in (0, 1):
            for d, c in (("f32", "f32"), ("f16", "f16"), ("f32", "f16")):
                A, B = random.choice(layouts.SMALL, (4, 8, 4)), random.choice(layouts.SMALL, (4, 4, 8))
                C = random.integers(-9, 9, (4, 8, 8))
                D = A @ B + C
                a, b = np.zeros((4, 32), np.float16), np.zeros((4, 32), np.float16)
                spread = {"c": np.zeros((8, 32)), "d": np.zeros((8, 32))}
                for lane in range(32):
                    q, own, high = lane % 16 // 4, lane % 4, 4 * (lane // 16)
                    for i in range(4):
                        a[i, lane] = A[q, i + high, own] if a_col else A[q, own + high, i]
                        b[i, lane] = B[q, i, own + high] if b_col else B[q, own, i + high]
                    for i in range(8):
                        for key, kind, matrix in (("c", c, C), ("d", d, D)):
                            row = own + high if kind == "f16" else high + (lane & 1) + (i & 2)
                            column = i if kind == "f16" else (i & 4) + (lane & 2) + (i & 1)
                            spread[key][i, lane] = matrix[q, row, column]

                def halves(x):
                    bits = x.astype(np.float16).view(np.uint16).astype(np.uint32)
                    return bits[0::2] | bits[1::2] << 16
                rc = halves(spread["c"]) if c == "f16" else spread["c"].astype(np.float32)
                rd = halves(spread["d"]) if d == "f16" else spread["d"].astype(np.float32)
                layout = ".%s.%s" % ("col" if a_col else "row", "col" if b_col else "row")
                t.warp("m8n8k4%s_%s_%s" % (layout.replace(".", "_"), d, c),
                       "mma.sync.aligned.m8n8k4%s.%s.f16.f16.%s %s, %s, %s, %s;" % (
                           layout, d, c, regs("d0_", len(rd)), regs("a", 2), regs("b", 2), regs("c", len(rc))),
                       [halves(a), halves(b), rc], [rd])


def tests():
    t = Suite("sm_80", "8.5")
    for words in (".sp", ".sp::ordered_metadata"):
        for selector in range(4):
            product(t, 16, "f16", "f16", "f16" if selector == 2 else "f32", 4, selector, words)
            product(t, 8, "tf32", "tf32", "f32", 2, selector, words)
        for selector in range(2):
            product(t, 32, "bf16", "bf16", "f32", 4, selector, words)
            product(t, 32, "f16", "f16", "f16", 4, selector, words)
            product(t, 16, "tf32", "tf32", "f32", 2, selector, words)
            product(t, 32, "s8", "u8", "s32", 4, selector, words)
            product(t, 64, "u4", "s4", "s32", 8, selector, words)
        for a, b in (("s8", "s8"), ("u8", "s8"), ("u8", "u8")):
            product(t, 64, a, b, "s32", 4, 0, words, ".satfinite" if a == "u8" else "")
        for a, b in (("s4", "s4"), ("u4", "u4")):
            product(t, 128, a, b, "s32", 8, 0, words)
    v = Suite("sm_80", "7.8")
    volta(v)
    f = Suite("sm_89", "8.5")
    for a, b in (("e4m3", "e4m3"), ("e5m2", "e4m3")):
        product(f, 64, a, b, "f32", 4, 0, ".sp")
        product(f, 64, a, b, "f32", 4, 0, ".sp::ordered_metadata")
    n = Suite("sm_120a", "8.8")
    for a in ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1"):
        b = "e2m1" if a == "e4m3" else "e4m3"
        product(n, 64, a, b, "f32", 4, 0, ".sp::ordered_metadata", kind=".kind::f8f6f4")
        for byte, thread in ((0, 0), (1, 1), (3, 0)):
            product(n, 32, a, b, kind=".kind::mxf8f6f4.block_scale.scale_vec::1X",
                    scaled=(1, "ue8m0", byte, thread, 3 - byte, 2 + thread))
        product(n, 64, a, b, "f32", 4, 0, ".sp::ordered_metadata", kind=".kind::mxf8f6f4.block_scale.scale_vec::1X",
                scaled=(1, "ue8m0", 2, 1, 1, 3))
    for byte, thread in ((0, 0), (2, 1)):
        for kind in ("mxf4", "mxf4nvf4"):
            words = ".kind::%s.block_scale.scale_vec::2X" % kind
            product(n, 64, "e2m1", "e2m1", kind=words, scaled=(2, "ue8m0", byte, thread, 2 - byte, 3 * thread))
            product(n, 128, "e2m1", "e2m1", "f32", 8, 0, ".sp::ordered_metadata", kind=words,
                    scaled=(2, "ue8m0", byte, thread, 2 - byte, thread))
    for thread in (0, 1):
        words = ".kind::mxf4nvf4.block_scale.scale_vec::4X"
        product(n, 64, "e2m1", "e2m1", kind=words, scaled=(4, "ue4m3", 0, thread, 0, thread + 1))
        product(n, 128, "e2m1", "e2m1", "f32", 8, 0, ".sp::ordered_metadata", kind=words,
                scaled=(4, "ue4m3", 0, thread, 0, thread + 2))
    return [t, v, f, n]
