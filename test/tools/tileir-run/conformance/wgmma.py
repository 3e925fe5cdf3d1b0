# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wgmma of every type, dense and sparse: A in shared memory and in registers, both orders, every swizzle, sizes of N.

Register i of D of lane (g, t) in warp w has row 16 w + g + 8 (i >> 1 & 1) and column 8 (i >> 2) + 2 t + (i & 1).
"""
import numpy as np

import layouts
from layouts import Image, bits_of, elements, thinned, warp_metadata
from matrix import fragment
from suite import Suite

random = layouts.random
CODES = {0: 0, 128: 1, 64: 2, 32: 3}


def accumulator(matrix, dtype):
    n = matrix.shape[1]
    i, thread = np.indices((n // 2, 128))
    lane = thread % 32
    out = matrix[16 * (thread // 32) + lane // 4 + 8 * (i >> 1 & 1), 8 * (i >> 2) + 2 * (lane % 4) + (i & 1)].astype(dtype)
    if dtype == np.float16:
        bits = out.view(np.uint16).astype(np.uint32)
        return bits[0::2] | bits[1::2] << 16
    return out


def descriptor(register, place, span, base):
    start, leading, stride = place
    high = (leading >> 4) << 16 | (stride >> 4) << 32 | CODES[span] << 62
    return "add.u64 %%x%d, %%x%d, %d; or.b64 %%x%d, %%x%d, %d;" % (
        register, base, start >> 4, register, register, layouts.signed64(high))


def product(t, a, b, n, d="f32", span=128, transposed=(0, 0), a_registers=False, accumulate=True, signs=(1, 1), chunk=0,
            selector=0, saturate=False):
    width = bits_of(a)
    k = 256 // width * (2 if chunk else 1)
    dtype = {"f32": np.float32, "f16": np.float16, "s32": np.int32}[d]
    if chunk:
        av, ac, nibbles = thinned(a, 64, k, chunk)
        metadata = np.concatenate([warp_metadata(nibbles[16 * w:16 * w + 16], width >= 16, selector) for w in range(4)])
    else:
        av, ac = elements(a, (64, k))
    bv, bc = elements(b, (n, k))
    c = random.integers(-9, 9, (64, n))
    sign = signs[0] * signs[1]
    sums = sign * (av.astype(np.float64) @ bv.T.astype(np.float64)) + (c if accumulate else 0)
    want = (np.clip(sums, -2 ** 31, 2 ** 31 - 1) if saturate else sums).astype(dtype)
    image = Image()
    if not a_registers:
        place_a = image.add(ac, width, span, transposed[0])
    place_b = image.add(bc, bits_of(b), span, transposed[1])
    words = image.words(128).reshape(-1, 128)
    inputs = [words, accumulator(c, dtype)]
    if a_registers:
        inputs.append(np.concatenate([fragment(ac[16 * w:16 * w + 16], width, False) for w in range(4)], axis=1))
    extra = ""
    if chunk:
        extra = ", %%%s0, %d" % ("e" if a_registers else "c", selector)
        inputs.append(metadata)
    out = accumulator(want, dtype)
    copy = "".join("mad.lo.u32 %%r0, %%t, 4, %%s; st.shared.b32 [%%r0+%d], %%a%d;" % (512 * j, j) for j in range(len(words)))
    held = "f" if d == "f32" else "y"
    names = ["%%%s%d" % (held, i) for i in range(len(out))]
    moves = "".join("mov.b32 %s, %%b%d;" % (x, i) for i, x in enumerate(names))
    back = "".join("mov.b32 %%d0_%d, %s;" % (i, x) for i, x in enumerate(names))
    tail = "" if d == "s32" else ", %d, %d" % signs
    if width == 16:
        tail += ", %d" % transposed[1] if a_registers else ", %d, %d" % transposed
    first = "{%s}" % ", ".join("%%c%d" % r for r in range(4)) if a_registers else "%x2"
    code = [".reg .b32 %%y<%d>;" % max(len(out), 1), copy, moves,
            "fence.proxy.async.shared::cta; bar.sync 0; and.b32 %r1, %s, 0x3ffff; shr.u32 %r1, %r1, 4; cvt.u64.u32 %x1, %r1;",
            descriptor(3, place_b, span, 1), "" if a_registers else descriptor(2, place_a, span, 1),
            "setp.%s.u32 %%p0, 0, 0; wgmma.fence.sync.aligned;" % ("eq" if accumulate else "ne"),
            "wgmma.mma_async%s.sync.aligned.m64n%dk%d.%s.%s.%s%s%s {%s}, %s, %%x3%s, %%p0%s;" % (
                ".sp" if chunk else "", n, k, d, a, b, ".satfinite" if saturate else "", ".and.popc" if a == "b1" else "",
                ", ".join(names), first, extra, tail),
            "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", back]
    t.warp("%s_%s_%s_n%d_%d" % (d, a, b, n, len(t.names)), "\n".join(code), inputs, [out], block=128, shared=512 * len(words))


def tests():
    t = Suite("sm_90a", "8.5")
    floats = (("f16", "f16"), ("bf16", "bf16"), ("tf32", "tf32"), ("e4m3", "e5m2"), ("e5m2", "e5m2"))
    for at, (a, b) in enumerate(floats):
        for n in (8, 24, 40, 104, 200, 256):
            product(t, a, b, n, span=(128, 64, 32, 0)[(n // 8 + at) % 4])
    for n in (8, 40, 136, 256):
        product(t, "f16", "f16", n, "f16", span=64)
        product(t, "e4m3", "e4m3", n, "f16")
        product(t, "f16", "f16", n, a_registers=True, span=32)
        product(t, "tf32", "tf32", n, a_registers=True)
        product(t, "e5m2", "e4m3", n, "f16", a_registers=True)
    for n in (8, 16, 24, 32, 48, 112, 256):
        for a, b in (("s8", "s8"), ("s8", "u8"), ("u8", "s8"), ("u8", "u8")):
            if n in (8, 48) or a == "s8":
                product(t, a, b, n, "s32", span=(128, 32)[n % 32 // 16], a_registers=n == 48, saturate=n == 24)
        product(t, "b1", "b1", n, "s32", span=(128, 64, 32, 0)[n // 8 % 4], a_registers=n == 16)
    for span in (0, 32, 64, 128):
        for transposed in ((0, 1), (1, 0), (1, 1)):
            product(t, "f16", "f16", 64, span=span, transposed=transposed)
        product(t, "bf16", "bf16", 128, span=span, transposed=(0, 1), a_registers=True)
    for signs in ((-1, 1), (1, -1), (-1, -1)):
        product(t, "bf16", "bf16", 32, signs=signs)
        product(t, "e4m3", "e4m3", 32, signs=signs, accumulate=False)
    # Sparse: ptxas accepts the same N.
    for n in (8, 40, 128, 256):
        for selector in (0, 1):
            product(t, "f16", "f16", n, chunk=4, selector=selector)
            product(t, "bf16", "bf16", n, chunk=4, selector=selector, a_registers=True)
            product(t, "tf32", "tf32", n, chunk=2, selector=selector, a_registers=selector == 1)
        product(t, "e4m3", "e5m2", n, "f16" if n == 40 else "f32", chunk=4, span=64, a_registers=n == 128)
        if n != 40:
            product(t, "s8", "u8", n, "s32", chunk=4, span=64, a_registers=n == 8)
    product(t, "f16", "f16", 64, chunk=4, transposed=(1, 1), span=64)
    return [t]
