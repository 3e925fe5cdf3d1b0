# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton sources that compute what kernels of test/data/perf/kernels and test/data/tileirbc compute, at the same tiles.

    triton_kernels.py --list ARCH,... KERNEL...    JSON: [kernel, arch, configuration] of each that has a source here or in
                                                   triton_small.py
    triton_kernels.py KERNEL ARCH FOLDER           writes FOLDER/out.cubin, out.ptx and triton.json (how it is launched)

TRITON_PTXAS_PATH names ptxas. Arrays are aligned and their extents multiples of 16, as
the launch-size kernels of the Tile IR set assume; products load through descriptors where the target has TMA, by pointers elsewhere.
"""

import json
import os
import re
import sys

import triton
import triton.language as tl
import triton_small


@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(c + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


@triton.jit
def axpy(x, y, out, alpha, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, alpha * tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def gelu(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n).to(tl.float32)
    inner = 0.7978845608028654 * (v + 0.044715 * v * v * v)
    tanh = 1 - 2 / (tl.exp(2 * inner) + 1)
    tl.store(y + at, (0.5 * v * (1 + tanh)).to(y.dtype.element_ty), mask=at < n)


@triton.jit
def silu_gate(g, u, y, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    inside = at < columns
    v = tl.load(g + row * columns + at, mask=inside).to(tl.float32)
    w = tl.load(u + row * columns + at, mask=inside).to(tl.float32)
    tl.store(y + row * columns + at, (v / (1 + tl.exp(-v)) * w).to(y.dtype.element_ty), mask=inside)


@triton.jit
def softmax(x, y, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    inside = at < columns
    v = tl.load(x + row * columns + at, mask=inside, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * columns + at, (e / tl.sum(e, axis=0)).to(y.dtype.element_ty), mask=inside)


@triton.jit
def softmax_online(x, y, columns, BLOCK: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, BLOCK)
    top, total = -float("inf"), 0.0
    for start in range(0, columns, BLOCK):
        at = start + lanes
        v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf")).to(tl.float32)
        new = tl.maximum(top, tl.max(v, axis=0))
        total = total * tl.exp(top - new) + tl.sum(tl.exp(v - new), axis=0)
        top = new
    for start in range(0, columns, BLOCK):
        at = start + lanes
        v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf")).to(tl.float32)
        tl.store(y + row * columns + at, (tl.exp(v - top) / total).to(y.dtype.element_ty), mask=at < columns)


@triton.jit
def rmsnorm(x, w, y, columns, eps, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    inside = at < columns
    v = tl.load(x + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    r = tl.rsqrt(tl.sum(v * v, axis=0) / columns + eps)
    scale = tl.load(w + at, mask=inside).to(tl.float32)
    tl.store(y + row * columns + at, (v * r * scale).to(y.dtype.element_ty), mask=inside)


@triton.jit
def layernorm(x, w, b, y, mean, rstd, columns, eps, BLOCK: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        total += tl.load(x + row * columns + start + lanes, mask=start + lanes < columns, other=0.0).to(tl.float32)
    m = tl.sum(total, axis=0) / columns
    # Squares of differences in a separate pass, as in the Tile IR kernel.
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        v = tl.load(x + row * columns + start + lanes, mask=start + lanes < columns, other=0.0).to(tl.float32)
        d = tl.where(start + lanes < columns, v - m, 0.0)
        squares += d * d
    r = tl.rsqrt(tl.sum(squares, axis=0) / columns + eps)
    tl.store(mean + row, m)
    tl.store(rstd + row, r)
    for start in range(0, columns, BLOCK):
        at = start + lanes
        v = tl.load(x + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
        scale = tl.load(w + at, mask=at < columns).to(tl.float32)
        shift = tl.load(b + at, mask=at < columns).to(tl.float32)
        tl.store(y + row * columns + at, ((v - m) * r * scale + shift).to(y.dtype.element_ty), mask=at < columns)


@triton.jit
def row_sum(x, y, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y + row, tl.sum(tl.load(x + row * columns + at, mask=at < columns, other=0), axis=0).to(y.dtype.element_ty))


@triton.jit
def cross_entropy(x, target, loss, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf")).to(tl.float32)
    top = tl.max(v, axis=0)
    total = tl.log(tl.sum(tl.exp(v - top), axis=0)) + top
    selected = tl.sum(tl.where(at == tl.load(target + row), v, 0.0), axis=0)
    tl.store(loss + row, total - selected)


@triton.jit
def rope(x, cos, sin, y, HALF: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, HALF)
    a = tl.load(x + row * 2 * HALF + at).to(tl.float32)
    b = tl.load(x + row * 2 * HALF + HALF + at).to(tl.float32)
    c, s = tl.load(cos + row * HALF + at).to(tl.float32), tl.load(sin + row * HALF + at).to(tl.float32)
    tl.store(y + row * 2 * HALF + at, (a * c - b * s).to(y.dtype.element_ty))
    tl.store(y + row * 2 * HALF + HALF + at, (b * c + a * s).to(y.dtype.element_ty))


@triton.jit
def transpose(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    v = tl.load(x + m[:, None] * N + n[None, :], mask=(m[:, None] < M) & (n[None, :] < N))
    tl.store(y + n[:, None] * M + m[None, :], v.T, mask=(m[None, :] < M) & (n[:, None] < N))


@triton.jit
def extrema(x, top, low, bits, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at)
    tl.atomic_max(top, tl.max(v, axis=0), sem="relaxed")
    tl.atomic_min(low, tl.min(v, axis=0), sem="relaxed")
    tl.atomic_xor(bits, tl.xor_sum(v, axis=0), sem="relaxed")


@triton.jit
def gemm(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, NT: tl.constexpr, PRECISION: tl.constexpr,
         ACC: tl.constexpr, STAGES: tl.constexpr):
    """By pointers; B is N x K with NT, else K x N."""
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    pa = a + m[:, None] * K + k[None, :]
    pb = b + n[None, :] * K + k[:, None] if NT else b + k[:, None] * N + n[None, :]
    acc = tl.zeros((BM, BN), ACC)
    for t in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES):
        x = tl.load(pa, mask=k[None, :] < K - t * BK, other=0.0)
        y = tl.load(pb, mask=k[:, None] < K - t * BK, other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PRECISION, out_dtype=ACC)
        pa += BK
        pb += BK if NT else BK * N
    tl.store(c + m[:, None] * N + n[None, :], acc.to(c.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def gemm_tma(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, NT: tl.constexpr,
             PRECISION: tl.constexpr, ACC: tl.constexpr, STAGES: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), ACC)
    for t in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES):
        x = a.load([m, t * BK])
        y = b.load([n, t * BK]).T if NT else b.load([t * BK, n])
        acc = tl.dot(x, y, acc, input_precision=PRECISION, out_dtype=ACC)
    c.store([m, n], acc.to(c.dtype))


@triton.jit
def gemm_persistent(a, b, c, M, N, K, PROGRAMS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                    GROUP: tl.constexpr, STAGES: tl.constexpr):
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), rows * columns, PROGRAMS, flatten=True):
        group = GROUP * columns
        first = tile // group * GROUP
        size = min(rows - first, GROUP)
        m, n = (first + tile % size) * BM, (tile % group // size) * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for t in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES):
            acc = tl.dot(a.load([m, t * BK]), b.load([t * BK, n]), acc)
        c.store([m, n], acc.to(c.dtype))


@triton.jit
def gemm_persistent_pointers(a, b, c, M, N, K, PROGRAMS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                             GROUP: tl.constexpr, STAGES: tl.constexpr):
    """For targets without TMA."""
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), rows * columns, PROGRAMS):
        group = GROUP * columns
        first = tile // group * GROUP
        size = min(rows - first, GROUP)
        m = (first + tile % size) * BM + tl.arange(0, BM)
        n = (tile % group // size) * BN + tl.arange(0, BN)
        k = tl.arange(0, BK)
        pa, pb = a + m[:, None] * K + k[None, :], b + k[:, None] * N + n[None, :]
        acc = tl.zeros((BM, BN), tl.float32)
        for t in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES):
            x = tl.load(pa, mask=k[None, :] < K - t * BK, other=0.0)
            y = tl.load(pb, mask=k[:, None] < K - t * BK, other=0.0)
            acc = tl.dot(x, y, acc)
            pa += BK
            pb += BK * N
        tl.store(c + m[:, None] * N + n[None, :], acc.to(c.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def bmm(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr, STAGES: tl.constexpr):
    """By pointers, one matrix of the batch per plane of the grid."""
    batch = tl.program_id(0)
    m = tl.program_id(1) * BM + tl.arange(0, BM)
    n = tl.program_id(2) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    pa = a + batch * M * K + m[:, None] * K + k[None, :]
    pb = b + batch * K * N + k[:, None] * N + n[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for t in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES):
        x = tl.load(pa, mask=k[None, :] < K - t * BK, other=0.0)
        y = tl.load(pb, mask=k[:, None] < K - t * BK, other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PRECISION)
        pa += BK
        pb += BK * N
    at = c + batch * M * N + m[:, None] * N + n[None, :]
    tl.store(at, acc.to(c.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def bmm_tma(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, STAGES: tl.constexpr):
    """By descriptors of the matrices of all batches, stacked."""
    batch, m, n = tl.program_id(0), tl.program_id(1) * BM, tl.program_id(2) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for t in tl.range(0, tl.cdiv(K, BK), num_stages=STAGES):
        acc = tl.dot(a.load([batch * M + m, t * BK]), b.load([batch * K + t * BK, n]), acc)
    c.store([batch * M + m, n], acc.to(c.dtype))


@triton.jit
def attention_block(acc, total, top, query, keys, values, base, first, last, rows, scale, BN: tl.constexpr, MASKED: tl.constexpr,
                    POINTERS: tl.constexpr, D: tl.constexpr, STAGES: tl.constexpr):
    for start in tl.range(first, last, BN, num_stages=STAGES):
        if POINTERS:
            at = (base + start + tl.arange(0, BN))[:, None] * D + tl.arange(0, D)[None, :]
            key, value = tl.load(keys + at), tl.load(values + at)
        else:
            key, value = keys.load([base + start, 0]), values.load([base + start, 0])
        score = tl.dot(query, key.T)
        if MASKED:
            score = tl.where(rows[:, None] >= (start + tl.arange(0, BN))[None, :], score, -1.0e6)
        new = tl.maximum(top, tl.max(score, axis=1) * scale)
        weight = tl.math.exp2(score * scale - new[:, None])
        shrink = tl.math.exp2(top - new)
        total = total * shrink + tl.sum(weight, axis=1)
        acc = tl.dot(weight.to(query.dtype), value, acc * shrink[:, None])
        top = new
    return acc, total, top


@triton.jit
def attention(queries, keys, values, out, scale, length, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
              CAUSAL: tl.constexpr, POINTERS: tl.constexpr, STAGES: tl.constexpr):
    """Whole blocks first, then the blocks on the diagonal. `scale` includes log2(e)."""
    block, base = tl.program_id(0), tl.program_id(1) * length
    rows = block * BM + tl.arange(0, BM)
    at = (base + rows)[:, None] * D + tl.arange(0, D)[None, :]
    query = tl.load(queries + at) if POINTERS else queries.load([base + block * BM, 0])
    acc = tl.zeros((BM, D), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    top = tl.full((BM,), -float("inf"), tl.float32)
    whole = block * BM if CAUSAL else length
    acc, total, top = attention_block(acc, total, top, query, keys, values, base, 0, whole, rows, scale, BN, False, POINTERS, D, STAGES)
    if CAUSAL:
        acc, total, top = attention_block(acc, total, top, query, keys, values, base, block * BM, (block + 1) * BM, rows, scale, BN,
                                          True, POINTERS, D, STAGES)
    result = (acc / total[:, None]).to(query.dtype)
    if POINTERS:
        tl.store(out + at, result)
    else:
        out.store([base + block * BM, 0], result)


TYPES = {"bf16": "bf16", "f16": "fp16", "f32": "fp32", "tf32": "fp32", "e4m3": "fp8e4nv", "e5m2": "fp8e5", "int8": "i8", "i32": "i32", "i8": "i8"}


def number_of(arch):
    return int(re.match(r"sm_(\d+)", arch).group(1))


def pointers(names, kind):
    return {n: "*" + TYPES[kind] for n in names.split()}


def tensors(names, kind, block):
    return {n: f"tensordesc<{TYPES[kind]}[{block[0]},{block[1]}]>" for n in names.split()}


# Matmuls of the small set: variant, type of the operands and of the result, tile.
SMALL_PRODUCTS = {
    "gemm_tiled_f16": ("", "f16", "f16", (64, 64, 32)),
    "gemm_tiled_bf16": ("", "bf16", "bf16", (64, 64, 32)),
    "gemm_tiled_f32": ("", "f32", "f32", (32, 32, 16)),
    "gemm_tiled_f16_ragged": ("", "f16", "f16", (32, 32, 16)),
    "gemm_inbounds_f16": ("", "f16", "f16", (64, 64, 32)),
    "gemm_f8e4m3_f32": ("", "e4m3", "f32", (64, 64, 64)),
    "gemm_f8e5m2_f16": ("", "e5m2", "f16", (64, 64, 64)),
    "gemm_f8_fast": ("", "e4m3", "f32", (64, 32, 64)),
    "gemm_tf32": ("", "tf32", "f32", (64, 64, 32)),
    "gemm_int8": ("", "int8", "i32", (32, 32, 64)),
    "gemm_nt_bf16": ("_nt", "bf16", "bf16", (64, 32, 32)),
    "gemm_nt_f32": ("_nt", "f32", "f32", (64, 32, 32)),
    "gemm_persistent_f16": ("_persistent", "f16", "f16", (64, 64, 32)),
    "gemm_persistent_bf16": ("_persistent", "bf16", "bf16", (64, 64, 32)),
    "bmm_f16": ("bmm", "f16", "f16", (32, 32, 32)),
    "bmm_bf16": ("bmm", "bf16", "bf16", (32, 32, 32)),
    "bmm_f32": ("bmm", "f32", "f32", (32, 32, 32)),
}


def product_of(name, arch):
    """Returns (variant, type of the operands, of the result, tile, warps, stages, whether by descriptors) of a matmul,
    or None.

    The launch-size ones have all of it in their names: gemm[_nt|_persistent]_TYPE[_fast]_MxNxK, bmm_TYPE_MxNxK. Triton
    accumulates e4m3 always as `fast`: only in the tensor core."""
    has_tma = number_of(arch) >= 90
    if name in SMALL_PRODUCTS:
        form, kind, result, tile = SMALL_PRODUCTS[name]
        return form, kind, result, tile, 4, 3 if kind == "f32" else 4, has_tma and form == "_persistent"
    found = re.fullmatch(r"(?:gemm(_nt|_persistent)?|(bmm))_(bf16|f16|f32|tf32|e4m3|int8)(?:_fast)?_(\d+)x(\d+)x(\d+)", name)
    if not found:
        return None
    form, kind, (m, n, k) = found.group(1) or found.group(2) or "", found.group(3), map(int, found.groups()[3:])
    warps = 8 if m * n >= 128 * 256 or kind in ("tf32", "int8") else 4
    stages = 2 if number_of(arch) == 120 and m * n >= 128 * 256 else 3 if warps == 8 or form or kind == "e4m3" else 4
    result = {"e4m3": "f32", "int8": "i32", "tf32": "f32"}.get(kind, kind)
    return form, kind, result, (m, n, k), warps, stages, has_tma and kind not in ("f32", "int8")


def product(name, arch):
    """Returns GEMMs, with warps by the accumulator and two to four stages."""
    found = product_of(name, arch)
    if not found:
        return None
    form, kind, result, (m, n, k), warps, stages, tma = found
    size = {"M": "i32", "N": "i32", "K": "i32"}
    tile = {"BM": m, "BN": n, "BK": k, "STAGES": stages}
    way = "tma" if tma else "ptr"
    # wgmma takes fp8 K-major only; mma.sync takes B as in our kernel, contiguous along N.
    nt = form == "_nt" or (kind == "e4m3" and tma and number_of(arch) != 120)
    if tma:
        signature = {**tensors("a", kind, (m, k)), **tensors("b", kind, (n, k) if nt else (k, n)), **tensors("c", result, (m, n)), **size}
    else:
        signature = {**pointers("a b", kind), **pointers("c", result), **size}
    precision = "ieee" if kind == "f32" else "tf32"
    if form == "_persistent":
        constants = {"PROGRAMS": 132, "GROUP": 8, **tile}
        return gemm_persistent if tma else gemm_persistent_pointers, signature, constants, warps, stages, way
    if form == "bmm":
        return bmm_tma if tma else bmm, signature, tile if tma else {**tile, "PRECISION": precision}, warps, stages, way
    extra = {"NT": nt, "PRECISION": precision, "ACC": tl.int32 if kind == "int8" else tl.float32}
    return gemm_tma if tma else gemm, signature, {**tile, **extra}, warps, stages, way


def attention_of(name, arch):
    found = re.fullmatch(r"attn_(causal|full)_(bf16|f16)_d(\d+)_(\d+)x(\d+)", name)
    if not found:
        return None
    causal, kind, (d, m, n) = found.group(1) == "causal", found.group(2), map(int, found.groups()[2:])
    tma = number_of(arch) >= 90
    stages = 3 if number_of(arch) == 100 or (d == 64 and number_of(arch) != 120) else 2
    warps = 8 if d == 128 or n == 128 else 4
    names = "queries keys values out"
    rows = {"queries": m, "keys": n, "values": n, "out": m}
    places = {k: f"tensordesc<{TYPES[kind]}[{r},{d}]>" for k, r in rows.items()} if tma else pointers(names, kind)
    constants = {"D": d, "BM": m, "BN": n, "CAUSAL": causal, "POINTERS": not tma, "STAGES": stages}
    return attention, {**places, "scale": "fp32", "length": "i32"}, constants, warps, stages, "tma" if tma else "ptr"


# Row and element kernels: name without type and size, function, pointers in and out, scalars, a fixed size (the small set).
ROWS = {
    "add": (add, "a b c", {"n": "i32"}, None),
    "add_vec": (add, "a b c", {"n": "i32"}, 512),
    "axpy_masked": (axpy, "x y out", {"alpha": "fp32", "n": "i32"}, 256),
    "gelu": (gelu, "x y", {"n": "i32"}, None),
    "gelu_tanh": (gelu, "x y", {"n": "i32"}, 256),
    "silu_gate": (silu_gate, "g u y", {"columns": "i32"}, 512),
    "softmax": (softmax, "x y", {"columns": "i32"}, None),
    "softmax_row": (softmax, "x y", {"columns": "i32"}, 256),
    "softmax_online": (softmax_online, "x y", {"columns": "i32"}, 128),
    "rmsnorm": (rmsnorm, "x w y", {"columns": "i32", "eps": "fp32"}, 512),
    "row_sum": (row_sum, "x y", {"columns": "i32"}, 512),
    "rope": (rope, "x cos sin y", {}, 32),
}


def rows_of(name):
    found = re.fullmatch(r"([a-z_]+?)_(bf16|f16|f32|i32)(?:_(\d+))?", name)
    if not found:
        return None
    what, kind, size = found.group(1), found.group(2), found.group(3)
    if what in ("layernorm", "cross_entropy"):
        block = int(size) if size else 256
        if what == "layernorm":
            signature = {**pointers("x w b y", kind), **pointers("mean rstd", "f32"), "columns": "i32", "eps": "fp32"}
            return layernorm, signature, {"BLOCK": block}, 4, 3, ""
        signature = {**pointers("x", kind), **pointers("target", "i32"), **pointers("loss", "f32"), "columns": "i32"}
        return cross_entropy, signature, {"BLOCK": block}, 16 if block >= 16384 else 4, 3, ""
    if what not in ROWS:
        return None
    kernel, names, scalars, fixed = ROWS[what]
    block = int(size) if size else fixed
    constants = {"HALF": block} if kernel is rope else {"BLOCK": block}
    warps = 1 if kernel is rope else 16 if block >= 16384 else 8 if block >= 4096 or what == "softmax_online" and size else 4
    # Angles are f32, as in the Tile IR kernels.
    angles = pointers("cos sin", "f32") if kernel is rope else {}
    return kernel, {**pointers(names, kind), **angles, **scalars}, constants, warps, 3, ""


def others(name):
    found = re.fullmatch(r"transpose(?:2d)?_(bf16|f16|f32|i8)(?:_(\d+)x(\d+))?", name)
    if found:
        m, n = (int(found.group(2)), int(found.group(3))) if found.group(2) else (32, 64)
        signature = {**pointers("x y", found.group(1)), "M": "i32", "N": "i32"}
        return transpose, signature, {"BM": m, "BN": n}, 8 if m * n >= 8192 else 4, 3, ""
    if name == "atomic_extrema_i32":
        return extrema, {**pointers("x top low bits", "i32"), "n": "i32"}, {"BLOCK": 128}, 4, 3, ""
    return None


def recipe(name, arch):
    """Returns (function, signature, constants, warps, stages, way of loading) for a kernel of the Tile IR set, or
    None."""
    name = re.sub(r"\.v13_\d$", "", name)
    return product(name, arch) or attention_of(name, arch) or rows_of(name) or others(name) or triton_small.recipe(name)


# Kernels of the small set whose extents are not multiples of 16: Triton's launcher would not detect divisibility.
RAGGED = (
    "axpy_masked silu_gate softmax_row softmax_online layernorm cross_entropy row_sum transpose2d logsumexp row_argmax stencil3 histogram "
    "gemm_tiled_f16_ragged attn_fwd_full_ragged"
).split()


def is_ragged(name):
    """Returns whether extents are not multiples of the tile; launch-size kernels have divisible extents."""
    return not re.search(r"_\d+(x\d+)*$", re.sub(r"\.v13_\d$", "", name)) and name.startswith(tuple(RAGGED))


def main():
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    if sys.argv[1] == "--list":
        found = [(k, a, recipe(k, a)) for a in sys.argv[2].split(",") for k in sys.argv[3:]]
        print(json.dumps([(k, a, f"w{r[3]}s{r[4]} {r[5]}".strip()) for k, a, r in found if r]))
        return
    name, arch, folder = sys.argv[1:]
    kernel, signature, constants, warps, stages, _ = recipe(name, arch)
    # Properties that the launcher detects at run time: aligned pointers, extents that are multiples of 16.
    ragged = is_ragged(name)
    attributes = {(n,): [["tt.divisibility", 16]] for n, kind in enumerate(signature.values()) if kind[0] == "*" or (kind == "i32" and not ragged)}
    order = [*signature, *constants]
    signature = {**signature, **dict.fromkeys(constants, "constexpr")}
    if [a for a in kernel.arg_names if a not in order]:
        sys.exit(f"error: {name}: arguments {kernel.arg_names} of {kernel} are not all given")
    order.sort(key=kernel.arg_names.index)
    attributes = {(order.index(list(signature)[n]),): a for (n,), a in attributes.items()}
    signature = {a: signature[a] for a in order}
    made = triton.compile(
        ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=attributes),
        target=GPUTarget("cuda", number_of(arch), 32),
        options={"num_warps": warps, "num_stages": stages},
    )
    meta = made.metadata
    told = {"shared": meta.shared, "name": meta.name, "warps": meta.num_warps, "scratch": meta.global_scratch_size,
            "descriptors": meta.tensordesc_meta or [], "arguments": [(a, t) for a, t in signature.items() if t != "constexpr"]}
    with open(os.path.join(folder, "triton.json"), "w") as out:
        json.dump(told, out)
    with open(os.path.join(folder, "out.cubin"), "wb") as out:
        out.write(made.asm["cubin"])
    with open(os.path.join(folder, "out.ptx"), "w") as out:
        out.write(made.asm["ptx"])


if __name__ == "__main__":
    main()
