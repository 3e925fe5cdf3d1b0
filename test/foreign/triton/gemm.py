# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmul kernels: pipelined, persistent, by tensor descriptors, split, grouped, scaled, warp-specialized."""
import numpy as np
import triton
import triton.language as tl

from harness import Case, Descriptor, out, put
from numbers_of import Bits, integers, make, normal, random, small_values


@triton.jit
def matmul(a, b, c, M, N, K, am, ak, bk, bn, cm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
           GROUP: tl.constexpr, PRECISION: tl.constexpr, ACC: tl.constexpr):
    """The tutorial's kernel: blocks in groups for the cache, advanced pointers, a masked tail of K."""
    pid = tl.program_id(0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    group = GROUP * columns
    first = pid // group * GROUP
    size = min(rows - first, GROUP)
    pm = first + (pid % group) % size
    pn = (pid % group) // size
    m = (pm * BM + tl.arange(0, BM)) % M
    n = (pn * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    pa = a + m[:, None] * am + k[None, :] * ak
    pb = b + k[:, None] * bk + n[None, :] * bn
    acc = tl.zeros((BM, BN), ACC)
    for t in range(0, tl.cdiv(K, BK)):
        x = tl.load(pa, mask=k[None, :] < K - t * BK, other=0.0)
        y = tl.load(pb, mask=k[:, None] < K - t * BK, other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PRECISION, out_dtype=ACC)
        pa += BK * ak
        pb += BK * bk
    m = pm * BM + tl.arange(0, BM)
    n = pn * BN + tl.arange(0, BN)
    tl.store(c + m[:, None] * cm + n[None, :], acc.to(c.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def block_pointers(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Bounds checks by hand in both dimensions, and a product of wide integers as the address."""
    pm, pn = tl.program_id(0).to(tl.int64), tl.program_id(1).to(tl.int64)
    m, n = pm * BM + tl.arange(0, BM), pn * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for t in range(0, K, BK):
        k = t + tl.arange(0, BK)
        x = tl.load(a + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        y = tl.load(b + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        acc += tl.dot(x, y)
    tl.store(c + m[:, None] * N + n[None, :], acc.to(tl.float16), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def by_descriptors(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TRANSPOSED: tl.constexpr,
                   SPECIAL: tl.constexpr, SINGLE: tl.constexpr, STAGES: tl.constexpr):
    """One block of c; descriptors come from the host."""
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for t in tl.range(0, tl.cdiv(K, BK), warp_specialize=SPECIAL, disallow_acc_multi_buffer=SINGLE, num_stages=STAGES):
        x = a.load([m, t * BK])
        if TRANSPOSED:
            y = b.load([n, t * BK]).T
        else:
            y = b.load([t * BK, n])
        acc = tl.dot(x, y, acc)
    c.store([m, n], acc.to(c.dtype))


@triton.jit
def persistent(a, b, c, M, N, K, programs, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, FLATTEN: tl.constexpr,
               SPECIAL: tl.constexpr, SPLIT: tl.constexpr):
    """A persistent kernel: a program takes every n-th tile; descriptors are created on the device; the epilogue may be
    split in two halves."""
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN if not SPLIT else BN // 2])
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), rows * columns, programs, flatten=FLATTEN, warp_specialize=SPECIAL):
        m, n = tile // columns * BM, tile % columns * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for t in range(0, tl.cdiv(K, BK)):
            acc = tl.dot(da.load([m, t * BK]), db.load([n, t * BK]).T, acc)
        if SPLIT:
            halves = tl.permute(tl.reshape(acc, (BM, 2, BN // 2)), (0, 2, 1))
            low, high = tl.split(halves)
            dc.store([m, n], low.to(tl.float16))
            dc.store([m, n + BN // 2], high.to(tl.float16))
        else:
            dc.store([m, n], acc.to(tl.float16))


@triton.jit
def split_k(a, b, c, locks, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PARTS: tl.constexpr):
    """Split-K: slices of K in separate programs; the holder of the tile's lock adds to it."""
    tile, part = tl.program_id(0), tl.program_id(1)
    columns = tl.cdiv(N, BN)
    m, n = tile // columns * BM + tl.arange(0, BM), tile % columns * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for t in range(part, tl.cdiv(K, BK), PARTS):
        k = t * BK + tl.arange(0, BK)
        acc = tl.dot(tl.load(a + m[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + n[None, :]), acc)
    where = c + m[:, None] * N + n[None, :]
    lock, count = locks + tile, locks + tl.num_programs(0) + tile
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(count) == 0:
        tl.store(where, acc)
        tl.atomic_xchg(count, 1)
    else:
        tl.store(where, tl.load(where) + acc)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def split_k_atomic(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PARTS: tl.constexpr):
    tile, part = tl.program_id(0), tl.program_id(1)
    columns = tl.cdiv(N, BN)
    m, n = tile // columns * BM + tl.arange(0, BM), tile % columns * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for t in range(part, tl.cdiv(K, BK), PARTS):
        k = t * BK + tl.arange(0, BK)
        acc = tl.dot(tl.load(a + m[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + n[None, :]), acc)
    tl.atomic_add(c + m[:, None] * N + n[None, :], acc, sem="relaxed")


@triton.jit
def stream_k(a, b, c, partial, flags, M, N, K, steps, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Stream-K: equal shares of all steps; the program that starts a tile waits for the programs that finish it."""
    pid, programs = tl.program_id(0), tl.num_programs(0)
    columns, per = tl.cdiv(N, BN), tl.cdiv(K, BK)
    at, end = pid * steps // programs, (pid + 1) * steps // programs
    rm, rn = tl.arange(0, BM), tl.arange(0, BN)
    area = rm[:, None] * BN + rn[None, :]
    while at < end:
        tile = at // per
        last = min((tile + 1) * per, end)
        m, n = tile // columns * BM + rm, tile % columns * BN + rn
        acc = tl.zeros((BM, BN), tl.float32)
        for t in range(at - tile * per, last - tile * per):
            k = t * BK + tl.arange(0, BK)
            acc = tl.dot(tl.load(a + m[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + n[None, :]), acc)
        if at == tile * per:
            # Other programs may have computed the rest of this tile.
            done, other = last, pid + 1
            while done < (tile + 1) * per:
                while tl.atomic_cas(flags + other, 1, 1) != 1:
                    pass
                acc += tl.load(partial + other * BM * BN + area)
                done = min((tile + 1) * per, (other + 1) * steps // programs)
                other += 1
            tl.store(c + m[:, None] * N + n[None, :], acc)
        else:
            tl.store(partial + pid * BM * BN + area, acc)
            tl.debug_barrier()
            tl.atomic_xchg(flags + pid, 1)
        at = last


@triton.jit
def grouped(pa, pb, pc, sizes, groups, programs, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Several matmuls of different sizes; their addresses are in memory."""
    tile, before = tl.program_id(0), 0
    for g in range(groups):
        M, N, K = tl.load(sizes + g * 3), tl.load(sizes + g * 3 + 1), tl.load(sizes + g * 3 + 2)
        columns = tl.cdiv(N, BN)
        tiles = tl.cdiv(M, BM) * columns
        while tile >= before and tile < before + tiles:
            a = tl.load(pa + g).to(tl.pointer_type(tl.float16))
            b = tl.load(pb + g).to(tl.pointer_type(tl.float16))
            c = tl.load(pc + g).to(tl.pointer_type(tl.float16))
            m = (tile - before) // columns * BM + tl.arange(0, BM)
            n = (tile - before) % columns * BN + tl.arange(0, BN)
            acc = tl.zeros((BM, BN), tl.float32)
            for t in range(0, tl.cdiv(K, BK)):
                k = t * BK + tl.arange(0, BK)
                x = tl.load(a + m[:, None] * K + k[None, :], mask=m[:, None] < M, other=0.0)
                y = tl.load(b + k[:, None] * N + n[None, :], mask=n[None, :] < N, other=0.0)
                acc = tl.dot(x, y, acc)
            tl.store(c + m[:, None] * N + n[None, :], acc.to(tl.float16), mask=(m[:, None] < M) & (n[None, :] < N))
            tile += programs
        before += tiles


@triton.jit
def scaled(a, sa, b, sb, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, FA: tl.constexpr,
           FB: tl.constexpr, PA: tl.constexpr, PB: tl.constexpr):
    """Microscaling: a scale for every 32 elements along K; PA and PB elements of a byte."""
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    N = tl.num_programs(1) * BN
    s = tl.arange(0, BK // 32)
    acc = tl.zeros((BM, BN), tl.float32)
    for t in range(0, K, BK):
        ka, kb = t // PA + tl.arange(0, BK // PA), t // PB + tl.arange(0, BK // PB)
        x = tl.load(a + m[:, None] * (K // PA) + ka[None, :])
        y = tl.load(b + kb[:, None] + n[None, :] * (K // PB))
        xs = tl.load(sa + m[:, None] * (K // 32) + (t // 32 + s)[None, :])
        ys = tl.load(sb + n[:, None] * (K // 32) + (t // 32 + s)[None, :])
        acc = tl.dot_scaled(x, xs, FA, y, ys, FB, acc)
    tl.store(c + m[:, None] * N + n[None, :], acc)


@triton.jit
def convolution(x, w, y, N, H, W, C, F, R: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A 3x3 convolution with a border of zeros, as a matmul whose operand A is gathered."""
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    image, row, column = m // (H * W), m // W % H, m % W
    acc = tl.zeros((BM, BN), tl.float32)
    for r in tl.static_range(R):
        for s in tl.static_range(R):
            h, v = row + (r - R // 2), column + (s - R // 2)
            inside = (h >= 0) & (h < H) & (v >= 0) & (v < W) & (m < N * H * W)
            for t in range(0, C, BK):
                k = t + tl.arange(0, BK)
                left = tl.load(x + ((image * H + h) * W + v)[:, None] * C + k[None, :], mask=inside[:, None], other=0.0)
                right = tl.load(w + ((r * R + s) * C + k)[:, None] * F + n[None, :])
                acc = tl.dot(left, right, acc)
    tl.store(y + m[:, None] * F + n[None, :], acc.to(tl.float16), mask=(m < N * H * W)[:, None])


@triton.jit
def batched(a, b, c, M, N, K, BB: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Three-dimensional dots in one program."""
    i, m, n = tl.arange(0, BB), tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BB, BM, BN), tl.float32)
    for t in range(0, K, BK):
        k = t + tl.arange(0, BK)
        x = tl.load(a + i[:, None, None] * M * K + m[None, :, None] * K + k[None, None, :])
        y = tl.load(b + i[:, None, None] * K * N + k[None, :, None] * N + n[None, None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + i[:, None, None] * M * N + m[None, :, None] * N + n[None, None, :], acc)


@triton.jit
def fused(a, b, bias, scale, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, UNROLL: tl.constexpr):
    """8-bit weights converted in the loop, bias and an activation after it."""
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for t in tl.range(0, tl.cdiv(K, BK), loop_unroll_factor=UNROLL):
        k = t * BK + tl.arange(0, BK)
        x = tl.load(a + m[:, None] * K + k[None, :])
        y = tl.load(b + k[:, None] * N + n[None, :])
        acc = tl.dot(x, y.to(tl.bfloat16), acc)
    v = acc * tl.load(scale + n)[None, :] + tl.load(bias + n)[None, :]
    v = v * tl.sigmoid(v)
    tl.store(c + m[:, None] * N + n[None, :], v.to(tl.bfloat16))


@triton.jit
def gathered(a, b, rows, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Rows of a selected by a list, gathered by TMA, and results scattered back."""
    da = tl.make_tensor_descriptor(a, [128, K], [K, 1], [1, BK])
    db = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    dc = tl.make_tensor_descriptor(c, [128, N], [N, 1], [1, BN])
    which = tl.load(rows + tl.program_id(0) * BM + tl.arange(0, BM))
    n = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for t in range(0, K, BK):
        acc = tl.dot(da.gather(which, t), db.load([t, n]), acc)
    dc.scatter(acc.to(tl.float16), which, n)


def _matmul(a, b):
    return a.value.astype(np.float64) @ b.value.astype(np.float64)


def _tutorial(name, m, n, k, kind, blocks, options, acc="f32", result=None, precision="tf32", atol=0.0, b_columns=False,
              gpus=None):
    a = integers(-20, 20, m, k, kind=kind) if kind == "i8" else normal(m, k, kind=kind)
    b = integers(-20, 20, k, n, kind=kind) if kind == "i8" else normal(k, n, kind=kind)
    result = result or acc
    expect = _matmul(a, b)
    stored = Bits(np.ascontiguousarray(b.bits.T), kind) if b_columns else b
    bm, bn, bk = blocks
    grid = [-(-m // bm) * -(-n // bn)]
    strides = (1, k) if b_columns else (n, 1)
    return Case(name, matmul,
                {"a": put(a), "b": put(stored), "c": out(make(expect, result), atol=atol, rtol=4e-3 if atol else 0),
                 "M": m, "N": n, "K": k, "am": k, "ak": 1, "bk": strides[0], "bn": strides[1], "cm": n},
                grid, {"BM": bm, "BN": bn, "BK": bk, "GROUP": 2, "PRECISION": precision,
                       "ACC": {"f32": tl.float32, "i32": tl.int32, "f16": tl.float16}[acc]}, options, gpus=gpus)


def _fp8(gpu):
    return gpu not in ("sm_80", "sm_86")


def _tensor_core(gpu):
    return gpu in ("sm_90a", "sm_100a", "sm_103a", "sm_120a")


def _warp_specialized(gpu):
    """Returns whether to use warp specialization: Triton 3.9 fails on sm_90 with transposed operands, and exceeds the
    shared memory of sm_120."""
    return gpu in ("sm_100a", "sm_103a")


def _large(gpu):
    return gpu in ("sm_100a", "sm_103a")


def _round_scale(shape):
    return random.integers(124, 130, shape).astype(np.uint8)


def _microscaled(name, kinds, blocks, k, gpus=None):
    m, n = blocks[0], blocks[1] * 2
    sides, values, formats, packs = [], [], [], []
    for rows, kind in ((m, kinds[0]), (n, kinds[1])):
        scale = _round_scale((rows, k // 32))
        if kind == "f4E2M1FN":
            codes = random.integers(0, 16, (rows, k)).astype(np.uint8)
            wide, packed, fmt = small_values(kind)[codes], Bits(codes[:, ::2] | codes[:, 1::2] << 4, "u8"), "e2m1"
        else:
            packed = normal(rows, k, kind=kind)
            wide, fmt = packed.value, {"f8E4M3FN": "e4m3", "f8E5M2": "e5m2", "bf16": "bf16", "f16": "fp16"}[kind]
        packs.append(2 if fmt == "e2m1" else 1)
        formats.append(fmt)
        values.append(wide * np.exp2(np.repeat(scale.astype(np.float64) - 127, 32, axis=1)))
        sides += [put(packed), put(Bits(scale, "u8"))]
    expect = values[0] @ values[1].T
    return Case(name, scaled, {"a": sides[0], "sa": sides[1], "b": sides[2], "sb": sides[3],
                               "c": out(make(expect, "f32"), atol=2e-3 * np.abs(expect).max()), "K": k}, [1, 2],
                {"BM": blocks[0], "BN": blocks[1], "BK": blocks[2], "FA": formats[0], "FB": formats[1], "PA": packs[0],
                 "PB": packs[1]}, {"num_warps": 4, "num_stages": 2}, gpus=gpus)


def cases():
    for stages in (1, 2, 3, 4, 5):
        for warps in (1, 2, 4, 8):
            if (stages, warps) not in ((1, 4), (2, 2), (2, 8), (3, 4), (3, 1), (4, 8), (5, 4)):
                continue
            yield _tutorial("gemm_f16_s%d_w%d" % (stages, warps), 100, 144, 144, "f16", (64, 64, 32),
                            {"num_stages": stages, "num_warps": warps}, result="f16", atol=4e-2)
    yield _tutorial("gemm_bf16_large", 256, 128, 192, "bf16", (128, 128, 64), {"num_stages": 3, "num_warps": 8},
                    result="bf16", atol=1e-1)
    yield _tutorial("gemm_bf16_columns", 128, 256, 128, "bf16", (128, 256, 32), {"num_stages": 3, "num_warps": 8},
                    result="f32", atol=1e-3, b_columns=True)
    yield _tutorial("gemm_f16_small", 17, 33, 16, "f16", (16, 16, 16), {"num_stages": 2, "num_warps": 1}, atol=1e-3)
    yield _tutorial("gemm_f16_acc16", 64, 64, 64, "f16", (64, 64, 32), {"num_stages": 2, "num_warps": 4}, acc="f16",
                    atol=6e-2)
    yield _tutorial("gemm_tf32", 64, 128, 96, "f32", (64, 64, 32), {"num_stages": 3, "num_warps": 4}, atol=6e-2)
    yield _tutorial("gemm_tf32x3", 64, 64, 64, "f32", (64, 64, 32), {"num_stages": 2, "num_warps": 4},
                    precision="tf32x3", atol=1e-4)
    yield _tutorial("gemm_bf16x6", 64, 64, 64, "f32", (64, 64, 32), {"num_stages": 2, "num_warps": 4},
                    precision="bf16x6", atol=1e-3)
    yield _tutorial("gemm_ieee", 64, 64, 64, "f32", (32, 32, 32), {"num_stages": 2, "num_warps": 4},
                    precision="ieee", atol=1e-4)
    yield _tutorial("gemm_f64", 64, 64, 64, "f64", (32, 32, 32), {"num_stages": 2, "num_warps": 4},
                    precision="ieee", result="f32", acc="f32", atol=1e-4, gpus=lambda gpu: False)
    yield _tutorial("gemm_int8", 64, 128, 128, "i8", (64, 64, 64), {"num_stages": 3, "num_warps": 4}, acc="i32")
    yield _tutorial("gemm_e4m3", 128, 128, 128, "f8E4M3FN", (64, 64, 64), {"num_stages": 3, "num_warps": 4}, atol=2e-2,
                    gpus=_fp8)
    yield _tutorial("gemm_e5m2", 128, 128, 128, "f8E5M2", (128, 64, 64), {"num_stages": 2, "num_warps": 4}, atol=2e-2,
                    b_columns=True)

    m, n, k = 70, 90, 50
    a, b = normal(m, k, kind="f16"), normal(k, n, kind="f16")
    yield Case("gemm_block_pointers", block_pointers,
               {"a": put(a), "b": put(b), "c": out(make(_matmul(a, b), "f16"), atol=4e-2, rtol=4e-3), "M": m, "N": n,
                "K": k}, [2, 3], {"BM": 64, "BN": 32, "BK": 32}, {"num_stages": 3})

    m, n, k = 200, 256, 416
    for kind, transposed, special, single, stages, warps, gpus in (
            ("f16", False, False, False, 3, 4, None), ("f16", True, True, False, 3, 4, _warp_specialized),
            ("bf16", True, False, True, 4, 8, None), ("f16", False, True, True, 2, 8, _tensor_core),
            ("f8E4M3FN", True, False, False, 3, 4, _tensor_core), ("f32", True, False, False, 2, 4, _tensor_core)):
        a, b = normal(m, k, kind=kind), normal(k, n, kind=kind)
        stored = Bits(np.ascontiguousarray(b.bits.T), kind) if transposed else b
        bk = {"f32": 32, "f8E4M3FN": 128}.get(kind, 64)
        result = kind if kind in ("f16", "bf16") else "f32" if kind == "f32" else "f16"
        yield Case("gemm_tma_%s_%d%s%s" % (kind, stages, "_ws" if special else "", "_t" if transposed else ""),
                   by_descriptors,
                   {"a": Descriptor(put(a), (128, bk)),
                    "b": Descriptor(put(stored), (128, bk) if transposed else (bk, 128)),
                    "c": Descriptor(out(make(_matmul(a, b), result), atol=8e-2, rtol=1e-2), (128, 128)), "M": m,
                    "N": n, "K": k}, [2, 2],
                   {"BM": 128, "BN": 128, "BK": bk, "TRANSPOSED": transposed, "SPECIAL": special, "SINGLE": single,
                    "STAGES": stages}, {"num_warps": warps, "num_stages": stages}, gpus=gpus)

    m, n, k = 384, 256, 128
    a, b = normal(m, k, kind="f16"), normal(n, k, kind="f16")
    expect = make(a.value @ b.value.T, "f16")
    for flatten, special, split, stages, gpus in ((False, False, False, 3, None), (True, False, True, 3, None),
                                                  (True, True, True, 3, _warp_specialized),
                                                  (False, True, False, 2, _tensor_core)):
        yield Case("gemm_persistent_%d%d%d" % (flatten, special, split), persistent,
                   {"a": put(a), "b": put(b), "c": out(expect, atol=8e-2, rtol=4e-3), "M": m, "N": n, "K": k,
                    "programs": 2}, [2],
                   {"BM": 128, "BN": 128, "BK": 64, "FLATTEN": flatten, "SPECIAL": special, "SPLIT": split},
                   {"num_warps": 4, "num_stages": stages}, gpus=gpus)

    m, n, k = 64, 64, 256
    a, b = normal(m, k, kind="f16"), normal(k, n, kind="f16")
    expect = make(_matmul(a, b), "f32")
    sizes = {"M": m, "N": n, "K": k}
    tiles = {"BM": 32, "BN": 32, "BK": 32}
    yield Case("split_k_locks", split_k, {"a": put(a), "b": put(b), "c": out(expect, atol=2e-3), "locks":
                                          put(np.zeros(8, np.int32)), **sizes}, [4, 3], {**tiles, "PARTS": 3})
    yield Case("split_k_atomic", split_k_atomic,
               {"a": put(a), "b": put(b), "c": out(expect, atol=2e-3, init=np.zeros((m, n), np.float32)), **sizes},
               [4, 4], {**tiles, "PARTS": 4})
    yield Case("stream_k", stream_k,
               {"a": put(a), "b": put(b), "c": out(expect, atol=2e-3), "partial": out(
                   make(np.zeros((5, 32, 32)), "f32"), mask=np.zeros((5, 32, 32), np.uint8)),
                "flags": put(np.zeros(5, np.int32)), **sizes, "steps": 4 * (k // 32)}, [5], tiles)

    shapes = ((40, 64, 32), (96, 32, 64), (33, 50, 32))
    tables = {"pa": [], "pb": [], "pc": []}
    for g, (m, n, k) in enumerate(shapes):
        a, b = normal(m, k, kind="f16"), normal(k, n, kind="f16")
        tables["pa"].append(("ga%d" % g, put(a)))
        tables["pb"].append(("gb%d" % g, put(b)))
        tables["pc"].append(("gc%d" % g, out(make(_matmul(a, b), "f16"), atol=4e-2, rtol=4e-3)))
    yield Case("grouped", grouped,
               {**{name: put(np.zeros(len(shapes), np.int64)) for name in tables}, "sizes":
                put(np.array(shapes, np.int32)), "groups": len(shapes), "programs": 4}, [4], {"BM": 32, "BN": 32, "BK": 32},
               fields={"pointers": tables})

    e4, e5, f4, bf = "f8E4M3FN", "f8E5M2", "f4E2M1FN", "bf16"
    yield _microscaled("scaled_e4m3_e5m2", (e4, e5), (128, 64, 128), 256, gpus=_fp8)
    yield _microscaled("scaled_e2m1", (f4, f4), (128, 64, 128), 256)
    yield _microscaled("scaled_e4m3_e2m1", (e4, f4), (128, 64, 128), 256, gpus=_fp8)
    yield _microscaled("scaled_e2m1_bf16", (f4, bf), (64, 64, 64), 128, gpus=lambda gpu: False)

    shape, c, f = (2, 7, 9), 32, 64
    x, w = normal(*shape, c, kind="f16"), normal(3, 3, c, f, kind="f16")
    padded = np.pad(x.value, ((0, 0), (1, 1), (1, 1), (0, 0)))
    expect = sum(np.einsum("nhwc,cf->nhwf", padded[:, r:r + 7, s:s + 9], w.value[r, s]) for r in range(3)
                 for s in range(3))
    yield Case("convolution", convolution, {"x": put(x), "w": put(w), "y": out(make(expect, "f16"), atol=5e-2, rtol=4e-3),
                                            "N": 2, "H": 7, "W": 9, "C": c, "F": f}, [2, 2],
               {"R": 3, "BM": 64, "BN": 32, "BK": 32}, {"num_stages": 3})

    a, b = normal(4, 32, 64, kind="f16"), normal(4, 64, 32, kind="f16")
    yield Case("batched", batched, {"a": put(a), "b": put(b), "c": out(make(a.value @ b.value, "f32"), atol=1e-3),
                                    "M": 32, "N": 32, "K": 64}, [1, 1], {"BB": 4, "BM": 32, "BN": 32, "BK": 32},
               {"num_warps": 4})

    a, b = normal(64, 128, kind="bf16"), integers(-8, 8, 128, 64, kind="i8")
    bias, scale = normal(64), make(np.full(64, 0.01), "f32")
    v = _matmul(a, b) * scale.value[None, :] + bias.value[None, :]
    yield Case("fused_int8_weights", fused, {"a": put(a), "b": put(b), "bias": put(bias), "scale": put(scale),
                                             "c": out(make(v / (1 + np.exp(-v)), "bf16"), atol=2e-2, rtol=1e-2),
                                             "M": 64, "N": 64, "K": 128}, [1, 1],
               {"BM": 64, "BN": 64, "BK": 32, "UNROLL": 2}, {"num_stages": 3})

    a, b = normal(128, 128, kind="f16"), normal(128, 128, kind="f16")
    rows = random.permutation(128)[:64].astype(np.int32)
    expect, mask = np.zeros((128, 128)), np.zeros((128, 128), np.uint8)
    expect[rows] = a.value[rows] @ b.value
    mask[rows] = 1
    yield Case("gathered", gathered, {"a": put(a), "b": put(b), "rows": put(rows),
                                      "c": out(make(expect, "f16"), atol=6e-2, rtol=4e-3, mask=mask), "N": 128, "K": 128},
               [1, 1], {"BM": 64, "BN": 128, "BK": 64}, {"num_stages": 3}, gpus=_large)
