# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton sources of the computations of kernels that only test/data/tileirbc has; triton_kernels.py calls `recipe`.

Computations that Triton cannot express have no source here: tables of constants, tiles that change the width of their
elements, saturating and tf32 conversions by a mode, atomics and copies that differ only in their guarantees, prints and
assertions, multicast memory.
"""

import triton
import triton.language as tl
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait


@triton.jit
def clamp_leaky(x, out, low, high, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    v = tl.where(v > 0, v, v * 0.125)
    tl.store(out + at, tl.minimum(tl.maximum(v, low), high), mask=at < n)


@triton.jit
def scale(x, out, alpha, n, BLOCK: tl.constexpr, DEPENDENT: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if DEPENDENT:
        gdc_wait()
    v = tl.load(x + at, mask=at < n) * alpha
    if DEPENDENT:
        gdc_launch_dependents()
    tl.store(out + at, v, mask=at < n)


@triton.jit
def slice_scale(x, out, start, stop, BLOCK: tl.constexpr):
    at = start + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < stop) * 4, mask=at < stop)


@triton.jit
def fill_wide(x, out, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(out + row * columns + at, tl.load(x + row * columns + at, mask=at < columns) * 2 + 1, mask=at < columns)


@triton.jit
def copy_twice(x, out, N, BM: tl.constexpr, BN: tl.constexpr):
    at = (tl.program_id(0) * BM + tl.arange(0, BM))[:, None] * N + (tl.program_id(1) * BN + tl.arange(0, BN))[None, :]
    tl.store(out + at, tl.load(x + at) * 2)


@triton.jit
def stencil3(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x + at - 1, mask=(at > 0) & (at - 1 < n), other=0.0)
    right = tl.load(x + at + 1, mask=at + 1 < n, other=0.0)
    tl.store(out + at, 0.25 * left + 0.5 * tl.load(x + at, mask=at < n, other=0.0) + 0.25 * right, mask=at < n)


@triton.jit
def float_bits(x, out, bits, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    rest = v % 1.5
    rest = tl.where((rest != 0) & (rest < 0), rest + 1.5, rest)
    tl.store(out + at, tl.sqrt(tl.abs(v)) + rest, mask=at < n)
    tl.store(bits + at, v.to(tl.int32, bitcast=True) >> 23, mask=at < n)


@triton.jit
def half_toward_zero(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n).to(tl.float16, fp_downcast_rounding="rtz"), mask=at < n)


@triton.jit
def concat_halves(x, y, out, BM: tl.constexpr, BN: tl.constexpr):
    row, at = (tl.program_id(0) * BM + tl.arange(0, BM))[:, None], tl.arange(0, BN)[None, :]
    tl.store(out + row * 2 * BN + at, tl.load(x + row * BN + at))
    tl.store(out + row * 2 * BN + BN + at, tl.load(y + row * BN + at))


@triton.jit
def embedding(table, ids, out, COLS: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, COLS)
    tl.store(out + row * COLS + at, tl.load(table + tl.load(ids + row).to(tl.int64) * COLS + at))


@triton.jit
def row_gather(x, ids, out, ROWS: tl.constexpr, COLS: tl.constexpr):
    row, at = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, COLS)
    taken = tl.load(ids + row)
    tl.store(out + row[:, None] * COLS + at[None, :], tl.load(x + taken[:, None] * COLS + at[None, :]))


@triton.jit
def row_argmax(x, value, place, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf")).to(tl.float32)
    top, where = tl.max(v, axis=0, return_indices=True)
    tl.store(value + row, top)
    tl.store(place + row, where)


@triton.jit
def prefix_sum(x, out, COLS: tl.constexpr):
    at = tl.program_id(0) * COLS + tl.arange(0, COLS)
    tl.store(out + at, tl.cumsum(tl.load(x + at), axis=0))


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def suffix_prod(x, out, COLS: tl.constexpr):
    at = tl.program_id(0) * COLS + tl.arange(0, COLS)
    tl.store(out + at, tl.associative_scan(tl.load(x + at), 0, multiply, reverse=True))


@triton.jit
def histogram(x, bins, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(bins + tl.load(x + at, mask=at < n, other=0), 1, mask=at < n, sem="relaxed")


@triton.jit
def logsumexp(x, out, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    top = tl.max(v, axis=0)
    tl.store(out + row, tl.log(tl.sum(tl.exp(v - top), axis=0)) + top)


@triton.jit
def collatz(x, steps, limit):
    n, count = tl.load(x + tl.program_id(0)), 0
    while (n != 1) & (count < limit):
        n = tl.where(n % 2 == 0, n // 2, 3 * n + 1)
        count += 1
    tl.store(steps + tl.program_id(0), count)


@triton.jit
def complex_dft(xr, xi, wr, wi, yr, yi, BB: tl.constexpr, N: tl.constexpr):
    row, at = (tl.program_id(0) * BB + tl.arange(0, BB))[:, None], tl.arange(0, N)
    a, b = tl.load(xr + row * N + at[None, :]), tl.load(xi + row * N + at[None, :])
    square = at[:, None] * N + at[None, :]
    c, s = tl.load(wr + square), tl.load(wi + square)
    real = tl.dot(a, c, input_precision="ieee") - tl.dot(b, s, input_precision="ieee")
    imaginary = tl.dot(a, s, input_precision="ieee") + tl.dot(b, c, input_precision="ieee")
    tl.store(yr + row * N + at[None, :], real)
    tl.store(yi + row * N + at[None, :], imaginary)


@triton.jit
def attention_grouped(queries, keys, values, out, qk_scale, rows, length, GROUP: tl.constexpr, D: tl.constexpr, BM: tl.constexpr,
                      BN: tl.constexpr, CAUSAL: tl.constexpr, STAGES: tl.constexpr):
    """GROUP query heads share a key head; any lengths. `qk_scale` includes log2(e)."""
    block, head = tl.program_id(0), tl.program_id(1)
    m, d = block * BM + tl.arange(0, BM), tl.arange(0, D)
    query = tl.load(queries + (head * rows + m)[:, None] * D + d[None, :], mask=m[:, None] < rows, other=0.0)
    shared = head // GROUP * length
    acc, total = tl.zeros((BM, D), tl.float32), tl.zeros((BM,), tl.float32)
    top = tl.full((BM,), -float("inf"), tl.float32)
    last = tl.minimum((block + 1) * BM, length) if CAUSAL else length
    for start in tl.range(0, last, BN, num_stages=STAGES):
        n = start + tl.arange(0, BN)
        at = (shared + n)[:, None] * D + d[None, :]
        key, value = tl.load(keys + at, mask=n[:, None] < length, other=0.0), tl.load(values + at, mask=n[:, None] < length, other=0.0)
        seen = (n[None, :] < length) & (m[:, None] >= n[None, :]) if CAUSAL else n[None, :] < length
        score = tl.where(seen, tl.dot(query, key.T) * qk_scale, -1.0e30)
        new = tl.maximum(top, tl.max(score, axis=1))
        weight = tl.math.exp2(score - new[:, None])
        shrink = tl.math.exp2(top - new)
        total = total * shrink + tl.sum(weight, axis=1)
        acc = tl.dot(weight.to(query.dtype), value, acc * shrink[:, None])
        top = new
    tl.store(out + (head * rows + m)[:, None] * D + d[None, :], (acc / total[:, None]).to(query.dtype), mask=m[:, None] < rows)


def pointers(names, kind):
    return {n: "*" + kind for n in names.split()}


N = {"n": "i32"}
COLUMNS = {"columns": "i32"}
# Kernel: function, signature, constants.
SMALL = {
    "clamp_leaky_f32": (clamp_leaky, {**pointers("x out", "fp32"), "low": "fp32", "high": "fp32", **N}, {"BLOCK": 128}),
    "pdl_scale_f32": (scale, {**pointers("x out", "fp32"), "alpha": "fp32", **N}, {"BLOCK": 256, "DEPENDENT": True}),
    "slice_scale_f32": (slice_scale, {**pointers("x out", "fp32"), "start": "i32", "stop": "i32"}, {"BLOCK": 64}),
    "fill_wide_f32": (fill_wide, {**pointers("x out", "fp32"), "columns": "i64"}, {"BLOCK": 64}),
    "copy_inbounds_f32": (copy_twice, {**pointers("x out", "fp32"), "N": "i32"}, {"BM": 16, "BN": 32}),
    "stencil3_f32": (stencil3, {**pointers("x out", "fp32"), **N}, {"BLOCK": 256}),
    "float_bits_f32": (float_bits, {**pointers("x out", "fp32"), **pointers("bits", "i32"), **N}, {"BLOCK": 128}),
    "half_toward_zero_f16": (half_toward_zero, {**pointers("x", "fp32"), **pointers("out", "fp16"), **N}, {"BLOCK": 128}),
    "concat_halves_f32": (concat_halves, pointers("x y out", "fp32"), {"BM": 16, "BN": 64}),
    "embedding_f16": (embedding, {**pointers("table out", "fp16"), **pointers("ids", "i32")}, {"COLS": 128}),
    "embedding_f32": (embedding, {**pointers("table out", "fp32"), **pointers("ids", "i32")}, {"COLS": 128}),
    "row_gather_view_f16": (row_gather, {**pointers("x out", "fp16"), **pointers("ids", "i32")}, {"ROWS": 16, "COLS": 64}),
    "row_argmax_f16": (row_argmax, {**pointers("x", "fp16"), **pointers("value", "fp32"), **pointers("place", "i32"), **COLUMNS}, {"BLOCK": 128}),
    "row_argmax_f32": (row_argmax, {**pointers("x value", "fp32"), **pointers("place", "i32"), **COLUMNS}, {"BLOCK": 128}),
    "prefix_sum_f32": (prefix_sum, pointers("x out", "fp32"), {"COLS": 128}),
    "prefix_sum_i32": (prefix_sum, pointers("x out", "i32"), {"COLS": 128}),
    "suffix_prod_f32": (suffix_prod, pointers("x out", "fp32"), {"COLS": 32}),
    "histogram_i32": (histogram, {**pointers("x bins", "i32"), **N}, {"BLOCK": 256}),
    "logsumexp_f64": (logsumexp, {**pointers("x out", "fp64"), **COLUMNS}, {"BLOCK": 128}),
    "collatz_i32": (collatz, {**pointers("x steps", "i32"), "limit": "i32"}, {}),
    "complex_dft_f32": (complex_dft, pointers("xr xi wr wi yr yi", "fp32"), {"BB": 16, "N": 32}),
}
ATTENTION = {"attn_fwd_full_f16": False, "attn_fwd_full_bf16": False, "attn_fwd_causal_f16": True, "attn_fwd_causal_bf16": True}


def attention_of(name):
    ragged = name == "attn_fwd_full_ragged_f16"
    if not ragged and name not in ATTENTION:
        return None
    kind = "bf16" if name.endswith("bf16") else "fp16"
    constants = {"GROUP": 1 if ragged else 2, "D": 64, "BM": 32 if ragged else 64, "BN": 32, "CAUSAL": ATTENTION.get(name, False), "STAGES": 3}
    signature = {**pointers("queries keys values out", kind), "qk_scale": "fp32", "rows": "i32", "length": "i32"}
    return attention_grouped, signature, constants, 4, 3, "ptr"


def recipe(name):
    """Returns (function, signature, constants, warps, stages, way of loading), or None."""
    if name in SMALL:
        function, signature, constants = SMALL[name]
        return function, signature, constants, 4, 3, ""
    return attention_of(name)
