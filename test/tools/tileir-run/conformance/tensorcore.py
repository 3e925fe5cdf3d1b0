# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests tcgen05.mma of every kind, dense, sparse and block-scaled, by one block and by a pair; tcgen05.cp and ld.red.

A test fills tensor memory, column by column, and shared memory, runs instructions on one thread, and compares all of
tensor memory: the cells of D by the tables of the PTX ISA, the others unchanged.
"""
import numpy as np

import floats as fl
import layouts
from layouts import Image, bits_of, elements, thinned
from suite import Suite
from rawcase import buffer  # noqa: I100, its folder is known from here on

random = layouts.random
SWIZZLE = {0: 0, 128: 2, 64: 4, 32: 6, "128b": 1}
CODES = {"f16": {"f16": 0, "bf16": 1}, "tf32": {"tf32": 2}, "i8": {"u8": 0, "s8": 1}, "mxf4": {"e2m1": 1},
         "f8f6f4": {"e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5}}
BODY = """
.shared .align 1024 .b8 ops[%(shared)d]; .shared .align 8 .b64 bar; .shared .align 4 .b32 slot;
.reg .b32 %%t, %%s, %%b, %%c, %%n, %%v, %%ta, %%lane, %%rank, %%red; .reg .b64 %%p<3>, %%i, %%o, %%da, %%db;
.reg .b32 %%off<8>; .reg .pred %%one, %%warp, %%q, %%acc, %%even;
mov.u32 %%t, %%tid.x; mov.u32 %%s, ops; mov.u32 %%b, bar; mov.u32 %%c, slot; mov.u32 %%rank, %%ctaid.x;
setp.eq.u32 %%one, %%t, 0; setp.lt.u32 %%warp, %%t, 32; setp.eq.u32 %%even, %%rank, 0;
ld.param.u64 %%p0, [ops_in]; ld.param.u64 %%p1, [cells]; ld.param.u64 %%p2, [out];
mul.wide.u32 %%i, %%rank, %(shared)d; add.u64 %%p0, %%p0, %%i; mul.wide.u32 %%i, %%rank, %(bytes)d;
add.u64 %%p1, %%p1, %%i; add.u64 %%p2, %%p2, %%i;
mul.wide.u32 %%i, %%t, 4; add.u64 %%p0, %%p0, %%i; add.u64 %%p1, %%p1, %%i; add.u64 %%p2, %%p2, %%i;
mov.u32 %%n, 0;
COPY: mul.wide.u32 %%i, %%n, 4; add.u64 %%i, %%i, %%p0; ld.global.b32 %%v, [%%i]; add.u32 %%lane, %%n, %%t;
mad.lo.u32 %%lane, %%lane, 4, %%s; st.shared.b32 [%%lane], %%v; add.u32 %%n, %%n, 128; setp.lt.u32 %%q, %%n, %(words)d; @%%q bra COPY;
fence.proxy.async.shared::cta;
@%%one mbarrier.init.shared::cta.b64 [%%b], 1;
@%%warp tcgen05.alloc.cta_group::%(group)d.sync.aligned.shared::cta.b32 [%%c], %(columns)d;
@%%warp tcgen05.relinquish_alloc_permit.cta_group::%(group)d.sync.aligned;
tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
ld.shared.b32 %%ta, [%%c]; and.b32 %%lane, %%t, 96; shl.b32 %%lane, %%lane, 16; add.u32 %%lane, %%lane, %%ta;
mov.u32 %%n, 0;
FILL: mul.wide.u32 %%i, %%n, 512; add.u64 %%i, %%i, %%p1; ld.global.b32 %%v, [%%i]; add.u32 %%red, %%lane, %%n;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%%red], {%%v}; add.u32 %%n, %%n, 1; setp.lt.u32 %%q, %%n, %(used)d; @%%q bra FILL;
tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; bar.sync 0; %(meet)s tcgen05.fence::after_thread_sync;
and.b32 %%v, %%s, 0x3ffff; shr.u32 %%v, %%v, 4; cvt.u64.u32 %%i, %%v; setp.eq.u32 %%acc, 0, 0;
@!%%one bra WAIT; %(issuer)s
%(code)s
tcgen05.commit.cta_group::%(group)d.mbarrier::arrive::one.shared::cluster%(commit)s;
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %%q, [%%b], 0; @!%%q bra WAIT;
tcgen05.fence::after_thread_sync;
mov.u32 %%n, 0;
READ: add.u32 %%v, %%lane, %%n; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%%v}, [%%v]; tcgen05.wait::ld.sync.aligned;
mul.wide.u32 %%i, %%n, 512; add.u64 %%i, %%i, %%p2; st.global.b32 [%%i], %%v; add.u32 %%n, %%n, 1; setp.lt.u32 %%q, %%n, %(used)d; @%%q bra READ;
tcgen05.fence::before_thread_sync; bar.sync 0; %(meet)s
@%%warp tcgen05.dealloc.cta_group::%(group)d.sync.aligned.b32 %%ta, %(columns)d;
"""
MEET = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"


def kernel(t, name, code, images, cells, want):
    """images: words of shared memory by block; cells, want: (blocks, columns, 128 lanes) of tensor memory."""
    blocks, used = cells.shape[:2]
    size = -(-max(len(w) for w in images) // 128) * 128
    shared = np.zeros((blocks, size), np.uint32)
    for b, words in enumerate(images):
        shared[b, :len(words)] = words
    pair = blocks == 2
    text = BODY % {
        "shared": 4 * size, "words": size, "bytes": 512 * used, "columns": max(32, 1 << (used - 1).bit_length()),
        "used": used, "group": blocks, "code": code, "meet": MEET if pair else "",
        "issuer": "@!%even bra WAIT; mov.u16 %m, 3;" if pair else "",
        "commit": ".multicast::cluster.b64 [%b], %m" if pair else ".b64 [%b]"}
    if pair:
        text = ".reg .b16 %m;" + text
    fields = {"cluster": [2, 1, 1]} if pair else {}
    t.kernel(name, [".param .u64 ops_in", ".param .u64 cells", ".param .u64 out"], text, [blocks], [128],
             [buffer("ops_in", shared), buffer("cells", cells), buffer("out", None, want)],
             ".reqntid 128" + (" .explicitcluster .reqnctapercluster 2" if pair else ""), **fields)


def descriptor(register, place, span):
    start, leading, stride = place
    high = (leading >> 4) << 16 | (stride >> 4) << 32 | 1 << 46 | SWIZZLE[span] << 61
    return "add.u64 %%%s, %%i, %d; or.b64 %%%s, %%%s, %d;" % (register, start >> 4, register, register, layouts.signed64(high))


def lane_of(row, rows, spread):
    """Returns the lane of a row of a block: 64 rows occupy every other group of 16 lanes."""
    return row % 16 + 32 * (row // 16) if rows == 64 and spread else row


def places(M, N, blocks, ws, sparse):
    """Returns block, lane and column of every element of D."""
    m, n = np.indices((M, N))
    if ws:
        parts = 128 // M
        return 0 * m, m + M * (n // (N // parts)), n % (N // parts)
    if blocks == 1:
        return 0 * m, lane_of(m, M, True), n
    if M == 256:
        return m // 128, m % 128, n
    if sparse:
        return m // 64, lane_of(m % 64, 64, True), n
    return m // 64, m % 64 + 64 * (n >= N // 2), n % (N // 2)


def scale_columns(cells, block, first, codes):
    """Places scales (rows, at most 4 bytes): row r in column r / 32, lane r % 32 of every quarter, byte s."""
    for r in range(codes.shape[0]):
        for s in range(codes.shape[1]):
            for q in range(4):
                cell = cells[block, first + r // 32]
                lane = r % 32 + 32 * q
                cell[lane] = int(cell[lane]) & ~(255 << 8 * s) | int(codes[r, s]) << (8 * s)


def zero_columns(M, N, starts, firsts, skip, use, shift, generated=True, most=32):
    """Returns the mask of N bits, section by section: alternating runs of use + 1 zeros and skip + 1 ones, whose first
    bits are cut off."""
    parts = 128 // M
    mask = []
    for part in range(parts):
        runs = [[1] * (skip + 1), [0] * (use + 1)]
        if not firsts[part]:
            runs.reverse()
        bits = sum(runs * (N + 1), [])[starts[part]:]
        mask += bits[:N // parts] if generated else [0] * (N // parts)
    return np.array(mask, bool)


def mask_descriptor(starts, firsts, skip, use, shift, generated=True, most=32):
    value = generated << 39 | skip << 40 | use << 48 | shift << 56
    for part in range(4):
        value |= starts[part] << 8 * part | firsts[part] << 32 + part
    return value


def product(t, kind, a, b, d, M, N, blocks=1, span=128, accumulate=True, a_columns=False, transposed=(False, False), ws=False,
            sparse=False, selector=0, negate=(False, False), scale=None, mask=False, shift=0, block=None, scale_id=(0, 0),
            saturate=False, zero=None):
    """Checks one instruction. zero: fields of a mask of zero columns. block: (spelling, scales per row, type of scales)
    of the block-scaled kinds."""
    mx = kind.startswith("mx")
    packed = kind in ("mxf4", "mxf4nvf4")
    K = {"f16": 16, "tf32": 8, "mxf4": 64, "mxf4nvf4": 64}.get(kind, 32) * (2 if sparse else 1)
    rows = M // blocks
    if sparse:
        chunk = 2 if kind == "tf32" else 8 if packed else 4
        av, ac, nibbles = thinned(a, M, K, chunk)
    else:
        av, ac = elements(a, (M, K))
    bv, bc = elements(b, (N + (zero["shift"] if zero else 0), K))
    av, bv = av.astype(np.float64), bv.astype(np.float64)
    width = bits_of(a)
    padded_a, padded_b = width < 8 and not packed, bits_of(b) < 8 and not packed
    half = {"f16": np.float16, "f32": np.float32, "s32": np.int32}[d]
    # Columns of tensor memory: D, then scales, metadata, A.
    columns_d = N if blocks == 1 and not ws or M == 256 or sparse else N // 2 if M != 32 else N // 4
    if ws:
        columns_d = N * M // 128
    first_a, first_b = columns_d, columns_d + 4
    first_meta = first_b + 4 * -(-N // 128)
    first_rows = first_meta + 4
    stored = K // 2 if sparse else K
    per = 32 // (4 if packed else max(8, width))
    used = first_rows + (-(-stored // per) if a_columns else 0)
    cells = random.integers(0, 2 ** 32, (blocks, used, 128), dtype=np.uint64).astype(np.uint32)
    C = random.integers(-9, 9, (M, N)).astype(np.float64)
    spread = blocks == 1 and not ws or bool(sparse)

    def codes_of(x):
        value = x.astype(half)
        return value.view({2: np.uint16, 4: np.uint32}[value.itemsize]).astype(np.uint32)
    block_of, lane, column = places(M, N, blocks, ws, sparse)
    cells[block_of, column, lane] = codes_of(C)
    images, where = [], []
    for c in range(blocks):
        image = Image()
        pa = (0, 0, 0)
        if a_columns:
            for r in range(rows):
                for k in range(stored):
                    cell, own = cells[c, first_rows + k // per], lane_of(r, rows, spread)
                    at = k % per * (32 // per)
                    ones = (1 << (32 // per)) - 1 << at
                    cell[own] = int(cell[own]) & ~ones | int(ac[c * rows + r, k]) << at
        else:
            pa = image.add(ac[c * rows:(c + 1) * rows], width, span, transposed[0], padded_a)
        columns = len(bc) // blocks
        pb = image.add(bc[c * columns:(c + 1) * columns], bits_of(b), span, transposed[1], padded_b)
        images.append(image.words())
        where.append((pa, pb))
        if sparse:
            wide = width >= 16
            for r in range(rows):
                for chunk in range(nibbles.shape[1]):
                    if wide:
                        line, word = r // 16 * 16 + chunk // 4 * 8 + r % 8, selector
                        at = 16 * (r // 8 % 2) + 4 * (chunk % 4)
                    else:
                        line, word, at = r, chunk // 8, 4 * (chunk % 8)
                    cell, own = cells[c, first_meta + word], lane_of(line, rows, spread)
                    cell[own] = int(cell[own]) & ~(15 << at) | int(nibbles[c * rows + r, chunk]) << at
    if mx:
        spelling, count, scale_type = block
        factors = []
        for amount in (M, N):
            if scale_type == "ue8m0":
                e = random.integers(-2, 3, (amount, count))
                factors.append((2.0 ** e, e + 127))
            else:
                v = random.choice([0.5, 1, 1.5, 2], (amount, count))
                factors.append((v, layouts.encode(fl.E4M3, v)))
        for side, (_values, codes) in enumerate(factors):
            bytes_ = random.integers(0, 200, (len(codes), 4))
            bytes_[:, scale_id[side]:scale_id[side] + count] = codes
            for c in range(blocks):
                scale_columns(cells, c, (first_a, first_b)[side], bytes_[c * rows:(c + 1) * rows] if side == 0 else bytes_)
        av = av * np.repeat(factors[0][0], K // count, axis=1)
        bv = bv * np.repeat(factors[1][0], K // count, axis=1)
    if zero:
        bv = np.where(zero_columns(M, N, **zero)[:, None], 0, bv[zero["shift"]:])
    sign = -1 if negate[0] != negate[1] else 1
    D = sign * (av @ bv.T) + (C * 2.0 ** -shift if accumulate else 0)
    if saturate:
        D = np.clip(D, -2 ** 31, 2 ** 31 - 1)
    want = cells.copy()
    masks = random.integers(0, 2 ** 32, 4 * blocks, dtype=np.uint64)
    bits = np.array([[int(masks[4 * c + line // 32]) >> line % 32 & 1 for line in range(128)] for c in range(blocks)])
    kept = bits[block_of, lane] == 1 if mask else np.zeros((M, N), bool)
    want[block_of, column, lane] = np.where(kept, want[block_of, column, lane], codes_of(D))
    table = CODES.get(kind.replace("mxf8", "f8").replace("nvf4", ""), CODES["f8f6f4"])
    idesc = table[a] << 7 | table[b] << 10 | (N >> 3) << 17 | negate[0] << 13 | negate[1] << 14
    idesc |= transposed[0] << 15 | transposed[1] << 16 | bool(sparse) << 2 | selector
    if mx:
        idesc |= (scale_type == "ue8m0") << 23 | (M >> 7) << 27 | scale_id[0] << 29 | scale_id[1] << 4
    else:
        idesc |= {0: 0, 8: 1, 16: 2, 32: 3}[zero.get("most", 32) if zero else 0] << 30
        idesc |= (M >> 4) << 24 | {"f16": 0, "f32": 1, "s32": 2}[d] << 4 | saturate << 3
    pa, pb = where[0]
    text = [descriptor("db", pb, span)]
    if not a_columns:
        text.append(descriptor("da", pa, span))
    text.append("setp.%s.u32 %%acc, 0, 0;" % ("eq" if accumulate else "ne"))
    text += ["mov.b32 %%off%d, %d;" % (k, x) for k, x in enumerate(masks) if mask]
    text.append("tcgen05.mma%s%s.cta_group::%d.kind::%s%s [%%ta], %s, %%db%s, %d%s%s, %%acc%s;" % (
        ".ws" if ws else "", ".sp" if sparse else "", blocks, kind, ".block_scale" + spelling if mx else "",
        "[%%ta+%d]" % first_rows if a_columns else "%da", ", [%%ta+%d]" % first_meta if sparse else "",
        idesc - 2 ** 32 if idesc >> 31 else idesc,
        ", [%%ta+%d], [%%ta+%d]" % (first_a, first_b) if mx else "",
        ", {%s}" % ", ".join("%%off%d" % k for k in range(len(masks))) if mask else "", ", %d" % shift if shift else ""))
    if zero:
        text[-1] = "mov.b64 %%i, %d; " % layouts.signed64(mask_descriptor(**zero)) + text[-1][:-1] + ", %i;"
    label = "mma_%s_%s_%s_%s_m%dn%d_cta%d_%d" % (kind, a, b, d, M, N, blocks, len(t.names))
    kernel(t, label, "\n".join(text), images, cells, want)


def dense(t):
    for M, N in ((64, 8), (64, 64), (128, 16), (128, 48), (128, 256)):
        product(t, "f16", "f16", "f16", "f32", M, N)
    for span in (0, 32, 64, 128):
        product(t, "f16", "bf16", "bf16", "f32", 128, 32, span=span)
        for transposed in ((True, False), (False, True), (True, True)):
            product(t, "f16", "f16", "f16", "f16", 128, 64, span=span, transposed=transposed)
    product(t, "tf32", "tf32", "tf32", "f32", 128, 64, span="128b", transposed=(True, True))
    product(t, "f16", "f16", "f16", "f32", 128, 32, accumulate=False)
    product(t, "f16", "f16", "f16", "f32", 128, 32, negate=(True, False))
    product(t, "f16", "f16", "f16", "f32", 64, 32, negate=(True, True), mask=True)
    product(t, "f16", "f16", "f16", "f32", 128, 32, shift=3)
    for kind, a, b in (("f16", "f16", "f16"), ("tf32", "tf32", "tf32"), ("i8", "s8", "u8"), ("f8f6f4", "e4m3", "e5m2")):
        d = "s32" if kind == "i8" else "f32"
        for M in (64, 128):
            product(t, kind, a, b, d, M, 32, a_columns=True)
        for M in (64, 128):
            product(t, kind, a, b, d, M, 24 if M == 64 else 96)
        product(t, kind, a, b, d, 128, 64, blocks=2)
        product(t, kind, a, b, d, 256, 32, blocks=2)
        product(t, kind, a, b, d, 256, 64, blocks=2, a_columns=True)
        for M in (32, 64, 128):
            product(t, kind, a, b, d, M, 64, ws=True)
    product(t, "i8", "u8", "u8", "s32", 128, 16, saturate=True)
    # The examples of the PTX ISA, and further ones.
    for M, zero in ((128, dict(starts=(0, 0, 0, 0), firsts=(0, 0, 0, 0), skip=4, use=3, shift=0, generated=False)),
                    (128, dict(starts=(0, 0, 0, 0), firsts=(0, 0, 0, 0), skip=2, use=3, shift=0)),
                    (64, dict(starts=(0, 0, 0, 0), firsts=(1, 0, 0, 0), skip=2, use=3, shift=0)),
                    (32, dict(starts=(0, 1, 2, 1), firsts=(1, 1, 0, 0), skip=2, use=3, shift=2, most=8)),
                    (64, dict(starts=(6, 3, 0, 0), firsts=(0, 1, 0, 0), skip=4, use=9, shift=24)),
                    (128, dict(starts=(0, 0, 0, 0), firsts=(1, 0, 0, 0), skip=255, use=0, shift=16, most=16))):
        product(t, "f16", "f16", "bf16", "f32", M, 128 if M == 32 else 64, ws=True, zero=zero)
        product(t, "i8", "s8", "u8", "s32", M, 64, ws=True, zero=zero)
    for a in ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1"):
        for b in ("e4m3", "e2m3", "e2m1"):
            product(t, "f8f6f4", a, b, "f16" if a == b else "f32", 128, 32, span=128 if a != "e5m2" else 32)
    product(t, "f8f6f4", "e4m3", "e4m3", "f32", 256, 64, blocks=2, mask=True)


def sparse(t):
    for M in (64, 128):
        for selector in (0, 1):
            product(t, "f16", "f16", "f16", "f32", M, 32, sparse=True, selector=selector)
            product(t, "tf32", "tf32", "tf32", "f32", M, 16 * M // 64, sparse=True, selector=selector)
        product(t, "i8", "s8", "s8", "s32", M, 32, sparse=True)
        product(t, "f8f6f4", "e5m2", "e4m3", "f32", M, 64, sparse=True)
        product(t, "f8f6f4", "e2m1", "e3m2", "f32", M, 64, sparse=True)
    product(t, "f16", "bf16", "bf16", "f32", 128, 32, sparse=True, a_columns=True)
    product(t, "f16", "bf16", "f16", "f32", 128, 32, sparse=True, transposed=(True, True))
    for M in (128, 256):
        product(t, "f16", "f16", "f16", "f16", M, 64, blocks=2, sparse=True, selector=1)
        product(t, "i8", "u8", "s8", "s32", M, 64, blocks=2, sparse=True)


def block_scaled(t):
    for byte in range(4):
        product(t, "mxf8f6f4", "e4m3", "e5m2", "f32", 128, 32, block=("", 1, "ue8m0"), scale_id=(byte, 3 - byte))
    for a, b in (("e4m3", "e4m3"), ("e2m3", "e4m3"), ("e3m2", "e2m1"), ("e2m1", "e5m2")):
        product(t, "mxf8f6f4", a, b, "f32", 128, 64, block=(".block32", 1, "ue8m0"))
    product(t, "mxf8f6f4", "e4m3", "e4m3", "f32", 128, 256, block=("", 1, "ue8m0"), scale_id=(1, 2))
    product(t, "mxf8f6f4", "e4m3", "e4m3", "f32", 256, 64, blocks=2, block=("", 1, "ue8m0"), scale_id=(2, 1))
    for byte in (0, 2):
        product(t, "mxf4", "e2m1", "e2m1", "f32", 128, 32, block=("", 2, "ue8m0"), scale_id=(byte, 2 - byte))
        product(t, "mxf4nvf4", "e2m1", "e2m1", "f32", 128, 64, block=(".block32", 2, "ue8m0"), scale_id=(byte, byte))
    product(t, "mxf4nvf4", "e2m1", "e2m1", "f32", 128, 128, block=(".block16", 4, "ue4m3"))
    product(t, "mxf4nvf4", "e2m1", "e2m1", "f32", 128, 192, block=(".block16", 4, "ue4m3"), negate=(True, False))
    product(t, "mxf4nvf4", "e2m1", "e2m1", "f32", 256, 64, blocks=2, block=(".block16", 4, "ue4m3"))
    product(t, "mxf4", "e2m1", "e2m1", "f32", 256, 128, blocks=2, block=("", 2, "ue8m0"), scale_id=(2, 0))
    product(t, "mxf8f6f4", "e4m3", "e4m3", "f32", 128, 64, block=("", 1, "ue8m0"), sparse=True)
    product(t, "mxf4", "e2m1", "e2m1", "f32", 256, 64, blocks=2, block=("", 2, "ue8m0"), sparse=True)


def copies(t):
    """Checks tcgen05.cp: rows of shared memory to lanes, and its multicast."""
    for shape, multicast, rows, bits in (("128x256b", "", 128, 256), ("128x128b", "", 128, 128),
                                         ("64x128b", ".warpx2::02_13", 64, 128), ("64x128b", ".warpx2::01_23", 64, 128),
                                         ("32x128b", ".warpx4", 32, 128)):
        for blocks in (1, 2):
            columns = bits // 32
            images, data = [], []
            for _ in range(blocks):
                words = random.integers(0, 2 ** 32, (rows, columns), dtype=np.uint64).astype(np.uint32)
                image = Image()
                place = image.add(words.astype(np.uint64), 32, 0)
                images.append(image.words())
                data.append(words)
            cells = random.integers(0, 2 ** 32, (blocks, columns + 4, 128), dtype=np.uint64).astype(np.uint32)
            want = cells.copy()
            for c in range(blocks):
                for r in range(rows):
                    lanes = {"": [r], ".warpx4": [r + 32 * q for q in range(4)], ".warpx2::02_13": [r, r + 64],
                             ".warpx2::01_23": [r % 32 + 64 * (r // 32), r % 32 + 64 * (r // 32) + 32]}[multicast]
                    for lane in lanes:
                        want[c, 4:, lane] = data[c][r]
            kernel(t, "cp_%s_%d_%d" % (shape, blocks, len(t.names)), descriptor("da", place, 0) + """
add.u32 %%n, %%ta, 4; tcgen05.cp.cta_group::%d.%s%s [%%n], %%da;""" % (blocks, shape, multicast), images, cells, want)


def shifts(t):
    """Checks tcgen05.shift: 32 bytes of every lane go to the previous lane; the last of 32 lanes keeps its own."""
    for blocks in (1, 2):
        for column, times in ((0, 1), (4, 1), (3, 2)):
            cells = random.integers(0, 2 ** 32, (blocks, 16, 128), dtype=np.uint64).astype(np.uint32)
            want = cells.copy()
            for lane in range(128):
                want[:, column:column + 8, lane] = cells[:, column:column + 8, min(lane + times, lane | 31)]
            kernel(t, "shift_%d_%d" % (blocks, len(t.names)), "add.u32 %%n, %%ta, %d;" % column + times * (
                "tcgen05.shift.cta_group::%d.down [%%n];" % blocks), [np.zeros(32, np.uint32)] * blocks, cells, want)


def reductions(t):
    """Checks tcgen05.ld.red: the loaded values, and the minimum or maximum in each lane."""
    columns = 16
    for kind, dtype in (("f32", np.float32), ("u32", np.uint32), ("s32", np.int32)):
        values = random.integers(-1000, 1000, (columns, 128))
        cells = (values % 2 ** 32).astype(np.uint32) if kind != "f32" else values.astype(np.float32).view(np.uint32)
        numbers = cells.view(dtype)
        for op, least in (("min", np.min), ("max", np.max)):
            for modifier in ("", ".abs") if kind == "f32" else ("",):
                of = np.abs(numbers) if modifier else numbers
                want = np.concatenate([cells, least(of, axis=0).view(np.uint32)[None]])
                regs = ", ".join("%%d0_%d" % c for c in range(columns))
                t.warp("ld_red_%s_%s%s" % (op, kind, modifier.replace(".", "_")), """
setp.lt.u32 %%p0, %%t, 32; @%%p0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%%s], 32;
@%%p0 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync; ld.shared.b32 %%r1, [%%s];
and.b32 %%r2, %%t, 96; shl.b32 %%r2, %%r2, 16; add.u32 %%r2, %%r2, %%r1;
tcgen05.st.sync.aligned.32x32b.x16.b32 [%%r2], {%s}; tcgen05.wait::st.sync.aligned;
tcgen05.ld.red.sync.aligned.32x32b.x16.%s%s.%s {%s}, %%d0_16, [%%r2]; tcgen05.wait::ld.sync.aligned;
tcgen05.fence::before_thread_sync; bar.sync 0; @%%p0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %%r1, 32;""" % (
                    ", ".join("%%a%d" % c for c in range(columns)), op, modifier, kind, regs),
                       [cells], [want], block=128, shared=16)


def tests():
    """ptxas requires one cta_group per kernel, not per module."""
    t, s, m, r = Suite("sm_100a", "8.8"), Suite("sm_100a", "8.8"), Suite("sm_100a", "8.8"), Suite("sm_103a", "8.8")
    dense(t)
    sparse(s)
    block_scaled(m)
    copies(m)
    shifts(m)
    reductions(r)
    return [t, s, m, r]
