# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mma.sync, ldmatrix, stmatrix, movmatrix, wmma, wgmma, tcgen05.ld and st: fragments by the formulas of the PTX ISA.

Elements are small integers and powers of two, so that every order of summation gives the same.
"""
import numpy as np

import floats as fl
from suite import Suite

random = np.random.default_rng(9)
FLOATS = {"f16": (fl.F16, 16), "bf16": (fl.BF16, 16), "tf32": (fl.TF32, 32), "e4m3": (fl.E4M3, 8), "e5m2": (fl.E5M2, 8),
          "e2m1": (fl.E2M1, 4), "e2m3": (fl.E2M3, 6), "e3m2": (fl.E3M2, 6)}
SMALL = np.array([-3, -2, -1.5, -1, -0.5, 0, 0, 0.5, 1, 1.5, 2, 3])
INTS = {"s8": (8, -128, 128), "u8": (8, 0, 256), "s4": (4, -8, 8), "u4": (4, 0, 16), "b1": (1, 0, 2)}


def operand(kind, shape):
    """Returns values and their bits, and the width of one element in a register."""
    if kind in INTS:
        bits, low, high = INTS[kind]
        v = random.integers(low, high, shape)
        return v, v % 2 ** bits, bits
    fmt, bits = FLOATS[kind]
    v = random.choice(SMALL, shape)
    code = np.vectorize(lambda x: fmt.encode(fl.make(fl.Fraction(x))))(v)
    return v, code << 13 if kind == "tf32" else code, bits


def fragment(codes, bits, is_b, narrow=False):
    """Returns registers (r, lane) of A (rows x K), or B as (columns x K): register r of lane (g, t) has row g + 8 (r &
    1) and columns e t + j + 4 e (r >> 1), B column g and rows e t + j + 4 e r, with e elements to a register."""
    e = 32 // bits
    rows, k = codes.shape
    halves = 1 if is_b or rows == 8 else 2
    out = np.zeros((halves * k // (4 * e), 32), np.uint32)
    for r in range(len(out)):
        for lane in range(32):
            g, t = lane // 4, lane % 4
            for j in range(e):
                code = int(codes[g + 8 * (r % halves), e * t + j + 4 * e * (r // halves)])
                out[r, lane] |= np.uint32(code << (bits * j))
    return out


def accumulator(matrix, dtype):
    """C and D: element i of a lane is row g + 8 (i >> 1), column 2 t + (i & 1)."""
    count = matrix.shape[0] * matrix.shape[1] // 32
    out = np.zeros((count, 32), dtype)
    for lane in range(32):
        for i in range(count):
            out[i, lane] = matrix[lane // 4 + 8 * (i >> 1), 2 * (lane % 4) + (i & 1)]
    if dtype == np.float16:
        bits = out.view(np.uint16).astype(np.uint32)
        return bits[0::2] | bits[1::2] << 16
    return out


def regs(letter, count):
    return "{" + ", ".join("%%%s%d" % (letter, k) for k in range(count)) + "}"


def mma(t, m, n, k, a, b, d="f32", name="", tail="", pad4=False, extra=""):
    av, ac, bits_a = operand(a, (m, k))
    bv, bc, bits_b = operand(b, (n, k))
    if extra:  # kind::f8f6f4: one element to a byte, 4-bit ones in bits 2 to 5.
        ac, bc = ac << (2 if bits_a == 4 else 0), bc << (2 if bits_b == 4 else 0)
        bits_a = bits_b = 8
    integer = d == "s32"
    dtype = {"f32": np.float32, "f16": np.float16, "s32": np.int32}[d]
    c = random.integers(-9, 9, (m, n)).astype(dtype)
    if a == "b1":
        pairs = (av[:, None, :] & bv[None, :, :]) if "and" in tail else (av[:, None, :] ^ bv[None, :, :])
        product = pairs.sum(axis=2)
    else:
        product = av.astype(np.float64) @ bv.T.astype(np.float64)
    want = (product + c).astype(dtype)
    fa, fb, fc, fd = fragment(ac, bits_a, False), fragment(bc, bits_b, True), accumulator(c, dtype), accumulator(want, dtype)
    label = "mma_m%dn%dk%d_%s_%s_%s%s" % (m, n, k, d, a, b, name)
    t.warp(label, "mma.sync.aligned%s.m%dn%dk%d.row.col.%s.%s.%s.%s%s {%s}, {%s}, {%s}, {%s};" % (
        extra, m, n, k, d, a, b, d, tail,
        ", ".join("%%d0_%d" % r for r in range(len(fd))), ", ".join("%%a%d" % r for r in range(len(fa))),
        ", ".join("%%b%d" % r for r in range(len(fb))), ", ".join("%%c%d" % r for r in range(len(fc)))),
        [fa, fb, fc], [fd])
    return integer


def mma_tests():
    t = Suite("sm_80", "8.3")
    for k in (8, 16):
        mma(t, 16, 8, k, "f16", "f16")
        mma(t, 16, 8, k, "f16", "f16", "f16")
        mma(t, 16, 8, k, "bf16", "bf16")
    for k in (4, 8):
        mma(t, 16, 8, k, "tf32", "tf32")
    for a in ("s8", "u8"):
        for b in ("s8", "u8"):
            for m, k in ((16, 16), (16, 32), (8, 16)):
                mma(t, m, 8, k, a, b, "s32")
    for a in ("s4", "u4"):
        for b in ("s4", "u4"):
            for m, k in ((16, 32), (16, 64), (8, 32)):
                mma(t, m, 8, k, a, b, "s32")
    for m, k in ((16, 128), (16, 256), (8, 128)):
        mma(t, m, 8, k, "b1", "b1", "s32", "_and", ".and.popc")
        mma(t, m, 8, k, "b1", "b1", "s32", "_xor", ".xor.popc")
    n = Suite("sm_89", "8.4")
    for a in ("e4m3", "e5m2"):
        for b in ("e4m3", "e5m2"):
            mma(n, 16, 8, 32, a, b)
    b120 = Suite("sm_120a", "8.8")
    for a in ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1"):
        for b in ("e4m3", "e2m1", "e3m2"):
            mma(b120, 16, 8, 32, a, b, extra=".kind::f8f6f4")

    # f64: one element to a register; element r of A is row g + 8 (r & 1), column t + 4 (r >> 1).
    h = Suite("sm_90", "8.3")
    for m, k in ((8, 4), (16, 4), (16, 8), (16, 16)):
        a, b, c = (random.integers(-9, 9, s).astype(np.float64) for s in ((m, k), (8, k), (m, 8)))
        halves = m // 8
        lanes = np.arange(32)
        g, q = lanes // 4, lanes % 4
        fa = np.stack([a[g + 8 * (r % halves), q + 4 * (r // halves)] for r in range(halves * k // 4)])
        fb = np.stack([b[g, q + 4 * r] for r in range(k // 4)])
        fc, fd = accumulator(c, np.float64), accumulator(a @ b.T + c, np.float64)
        h.warp("mma_f64_m%dk%d" % (m, k), "mma.sync.aligned.m%dn8k%d.row.col.f64.f64.f64.f64 {%s}, {%s}, {%s}, {%s};" % (
            m, k, ", ".join("%%d0_%d" % r for r in range(len(fd))), ", ".join("%%a%d" % r for r in range(len(fa))),
            ", ".join("%%b%d" % r for r in range(len(fb))), ", ".join("%%c%d" % r for r in range(len(fc)))), [fa, fb, fc], [fd])
    return [t, n, b120, h]


def move_tests():
    """Checks moves of matrices of 8 x 8 halves in shared memory, rows of 16 bytes."""
    t = Suite("sm_90", "8.3")
    lanes = np.arange(32)
    g, q = lanes // 4, lanes % 4
    data = random.integers(0, 65536, (4, 8, 8)).astype(np.uint32)
    words = (data[:, :, 0::2] | data[:, :, 1::2] << 16).reshape(4, 32)  # 128 bytes a matrix
    fill = "".join("mad.lo.u32 %%r0, %%t, 4, %%s; st.shared.b32 [%%r0+%d], %%a%d;" % (128 * j, j) for j in range(4))
    straight = np.stack([data[j, g, 2 * q] | data[j, g, 2 * q + 1] << 16 for j in range(4)])
    transposed = np.stack([data[j, 2 * q, g] | data[j, 2 * q + 1, g] << 16 for j in range(4)])
    for count in (1, 2, 4):
        for trans, want in (("", straight), (".trans", transposed)):
            name = "x%d%s" % (count, trans.replace(".", "_"))
            t.warp("ldmatrix_" + name, fill + "bar.sync 0; mad.lo.u32 %%r0, %%t, 16, %%s; ldmatrix.sync.aligned.m8n8.x%d%s."
                   "shared.b16 {%s}, [%%r0];" % (count, trans, ", ".join("%%d0_%d" % j for j in range(count))),
                   [words], [want[:count]], shared=512)
            # The inverse: fragments to shared memory.
            t.warp("stmatrix_" + name, "mad.lo.u32 %%r0, %%t, 16, %%s; stmatrix.sync.aligned.m8n8.x%d%s.shared.b16 [%%r0], {%s};"
                   " bar.sync 0; mad.lo.u32 %%r0, %%t, 4, %%s;%s" % (
                       count, trans, ", ".join("%%a%d" % j for j in range(count)),
                       "".join("ld.shared.b32 %%d0_%d, [%%r0+%d];" % (j, 128 * j) for j in range(count))),
                   [want], [words[:count]], shared=512)
    t.warp("movmatrix", "movmatrix.sync.aligned.m8n8.trans.b16 %d0_0, %a0;", [straight[0]], [transposed[0]])

    b = Suite("sm_100a", "8.8")
    data = random.integers(0, 256, (2, 16, 16)).astype(np.uint32)
    words = np.ascontiguousarray(data.astype(np.uint8)).view(np.uint32).reshape(4, 32)
    want = np.zeros((4, 32), np.uint32)
    for j in range(2):
        for r in range(2):
            for k in range(4):
                want[2 * j + r] |= data[j, 4 * q + k, g + 8 * r] << (8 * k)
    b.warp("ldmatrix_m16n16_b8", fill + "bar.sync 0; mad.lo.u32 %r0, %t, 16, %s; ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 "
           "{%d0_0, %d0_1, %d0_2, %d0_3}, [%r0];", [words], [want], shared=512)
    return [t, b]


def wmma_tests():
    t = Suite("sm_80", "8.3")
    from rawcase import buffer
    for m, n in ((16, 16), (8, 32), (32, 8)):
        k = 16
        a, b = random.choice(SMALL, (m, k)).astype(np.float16), random.choice(SMALL, (k, n)).astype(np.float16)
        c = random.integers(-9, 9, (m, n)).astype(np.float32)
        want = a.astype(np.float32) @ b.astype(np.float32) + c
        shape = "m%dn%dk%d" % (m, n, k)
        for layout, stored in (("row", b), ("col", np.ascontiguousarray(b.T))):
            t.kernel("wmma_%s_%s" % (shape, layout), [".param .u64 pa", ".param .u64 pb", ".param .u64 pc", ".param .u64 pd"], """
.reg .b32 %%a<8>, %%b<8>; .reg .f32 %%c<8>; .reg .b64 %%x<4>;
ld.param.u64 %%x0, [pa]; ld.param.u64 %%x1, [pb]; ld.param.u64 %%x2, [pc]; ld.param.u64 %%x3, [pd];
wmma.load.a.sync.aligned.row.%s.global.f16 %s, [%%x0], %d;
wmma.load.b.sync.aligned.%s.%s.global.f16 %s, [%%x1], %d;
wmma.load.c.sync.aligned.row.%s.global.f32 %s, [%%x2], %d;
wmma.mma.sync.aligned.row.%s.%s.f32.f32 %s, %s, %s, %s;
wmma.store.d.sync.aligned.row.%s.global.f32 [%%x3], %s, %d;""" % (
                shape, regs("a", 8), k, layout, shape, regs("b", 8), n if layout == "row" else k, shape, regs("c", 8), n,
                layout, shape, regs("c", 8), regs("a", 8), regs("b", 8), regs("c", 8), shape, regs("c", 8), n),
                [1], [32], [buffer("a", a), buffer("b", stored), buffer("c", c), buffer("d", None, want)], ".reqntid 32")
    return [t]


def swizzle(at, span):
    return at ^ ((at >> 7 & (span // 16 - 1)) << 4) if span else at


def wgmma_tests():
    """Checks A and B K-major in shared memory with each swizzle; D by row 16 w + g + 8 (i >> 1 & 1), column 8 (i >> 2)
    + 2 t + (i & 1)."""
    t = Suite("sm_90a", "8.3")
    codes = {128: 1, 64: 2, 32: 3}
    for kind, n, span in (("f16", 8, 128), ("f16", 64, 64), ("bf16", 32, 32), ("tf32", 16, 128), ("e4m3", 24, 64),
                          ("e5m2", 128, 128), ("s8", 16, 128), ("u8", 32, 32)):
        bits = {"f16": 16, "bf16": 16, "tf32": 32}.get(kind, 8)
        k = 256 // bits
        av, ac, _ = operand(kind, (64, k))
        bv, bc, _ = operand(kind, (n, k))
        rows = 64 + n
        image = np.zeros(rows * span, np.uint8)
        base = 64 * span
        assert base % 1024 == 0
        for start, codes_of in ((0, ac), (base, bc)):
            for r in range(codes_of.shape[0]):
                for j in range(k):
                    for byte in range(bits // 8):
                        image[start + swizzle(r * span + j * bits // 8 + byte, span)] = int(codes_of[r, j]) >> (8 * byte) & 255
        per = -(-len(image) // 512)
        words = np.zeros((per, 128), np.uint32)
        words.reshape(-1)[:len(image) // 4] = image.view(np.uint32)
        integer = kind in INTS
        dtype = np.int32 if integer else np.float32
        c = random.integers(-9, 9, (64, n)).astype(dtype)
        want = (av.astype(np.float64) @ bv.T.astype(np.float64) + c).astype(dtype)

        def spread(matrix):
            out = np.zeros((n // 2, 128), dtype)
            for thread in range(128):
                w, lane = divmod(thread, 32)
                for i in range(n // 2):
                    out[i, thread] = matrix[16 * w + lane // 4 + 8 * (i >> 1 & 1), 8 * (i >> 2) + 2 * (lane % 4) + (i & 1)]
            return out
        high = (8 * span >> 4) << 32 | codes[span] << 62 | 1 << 16
        copy = "".join("mad.lo.u32 %%r0, %%t, 4, %%s; st.shared.b32 [%%r0+%d], %%a%d;" % (512 * j, j) for j in range(per))
        ty = "s32" if integer else "f32"
        held = "r" if integer else "f"
        first = 16 if integer else 0
        names = ["%%%s%d" % (held, first + i) for i in range(n // 2)]
        moves = "".join("mov.b32 %s, %%b%d;" % (x, i) for i, x in enumerate(names))
        back = "".join("mov.b32 %%d0_%d, %s;" % (i, x) for i, x in enumerate(names))
        tail = "" if integer else ", 1, 1, 0, 0" if bits == 16 else ", 1, 1"
        t.warp("wgmma_%s_n%d_swizzle%d" % (kind, n, span), copy + moves + """
fence.proxy.async.shared::cta; bar.sync 0; shr.u32 %%r1, %%s, 4; cvt.u64.u32 %%x0, %%r1; or.b64 %%x0, %%x0, %d;
add.u64 %%x1, %%x0, %d; setp.eq.u32 %%p0, 0, 0;
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s {%s}, %%x0, %%x1, %%p0%s;
wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
""" % (high - (2 ** 64 if high >> 63 else 0), base >> 4, n, k, ty, kind, kind, ", ".join(names), tail) + back,
               [words, spread(c)], [spread(want)], block=128, shared=4 * 128 * per)
    return [t]


def tensor_memory_tests():
    """Checks tcgen05.st in one shape, tcgen05.ld in another: (lane, column) of register r by shape."""
    t = Suite("sm_100a", "8.8")
    places = {"32x32b": (1, lambda L, r: (L, r)),
              "16x64b": (1, lambda L, r: ((L >> 2) + 8 * (L & 1), (L >> 1 & 1) + 2 * r)),
              "16x128b": (2, lambda L, r: ((L >> 2) + 8 * (r & 1), (L & 3) + 4 * (r >> 1))),
              "16x256b": (4, lambda L, r: ((L >> 2) + 8 * (r >> 1 & 1), 2 * (L & 3) + (r & 1) + 8 * (r >> 2)))}
    columns = 32
    values = random.integers(0, 2 ** 32, (128, columns), dtype=np.uint64).astype(np.uint32)
    whole = np.stack([values[:, c] for c in range(columns)])
    for shape, (per, place) in places.items():
        if shape == "32x32b":
            times, count, want = 32, 32, whole
        else:
            width = {"16x64b": 2, "16x128b": 4, "16x256b": 8}[shape]
            times = columns // width
            count = times * per
            want = np.zeros((2 * count, 128), np.uint32)
            for thread in range(128):
                w, L = divmod(thread, 32)
                for half in range(2):
                    for r in range(count):
                        row, column = place(L, r)
                        want[half * count + r, thread] = values[32 * w + 16 * half + row, column]
        loads = "".join("tcgen05.ld.sync.aligned.%s.x%d.b32 {%s}, [%%r2%s];" % (
            shape, times, ", ".join("%%d0_%d" % (half * count + r) for r in range(count)), "+%d" % (half * 16 << 16) if half else "")
            for half in range(len(want) // count))
        t.warp("tcgen05_ld_" + shape, """setp.lt.u32 %p0, %t, 32;
@%p0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%s], 32;
@%p0 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync; ld.shared.b32 %r1, [%s];
and.b32 %r2, %t, 96; shl.b32 %r2, %r2, 16; add.u32 %r2, %r2, %r1;
tcgen05.st.sync.aligned.32x32b.x32.b32 [%r2], {""" + ", ".join("%%a%d" % c for c in range(columns)) + """};
tcgen05.wait::st.sync.aligned;
""" + loads + """
tcgen05.wait::ld.sync.aligned; tcgen05.fence::before_thread_sync; bar.sync 0;
@%p0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;
""", [whole], [want], block=128, shared=16)
    return [t]


def tests():
    return mma_tests() + move_tests() + wmma_tests() + wgmma_tests() + tensor_memory_tests()
