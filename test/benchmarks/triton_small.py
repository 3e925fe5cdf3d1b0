# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton sources that compute what kernels of test/data/tileirbc alone compute; triton_kernels.py calls `recipe`.

They do what the kernels do: arrays have extents and strides of their own, which only the launch knows, all accesses are bounded by
them, and quotients, roots and remainders are rounded as the module says. Exponentials are Triton's, of fewer bits.

What Triton has no word for has no source here: tables of constants, tiles that change the width of their elements, saturating
and tf32 conversions by a mode, atomics and copies that only differ in their promises, prints and assertions, multicast memory.
"""

import math

import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait


@triton.jit
def place(row, rows, stride, at, columns):
    """Where a tile lies in an array whose extents and stride the launch gives, and which of its elements are inside."""
    return row.to(tl.int64) * stride + at, (row < rows) & (at < columns)


@triton.jit
def add_vec(a, b, out, a_n, b_n, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(a + at, mask=at < a_n) + tl.load(b + at, mask=at < b_n), mask=at < n)


@triton.jit
def axpy(x, y, out, alpha, x_n, y_n, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v, w = tl.load(x + at, mask=at < x_n, other=0.0), tl.load(y + at, mask=at < y_n, other=0.0)
    tl.store(out + at, alpha * v + w, mask=at < n)


@triton.jit
def gelu(x, y, x_n, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < x_n).to(tl.float32)
    inner = 0.7978845608028654 * (v + 0.044715 * v * v * v)
    tanh = 1 - 2 / (tl.exp(2 * inner) + 1)
    tl.store(y + at, (0.5 * v * (1 + tanh)).to(y.dtype.element_ty), mask=at < n)


@triton.jit
def silu_gate(g, u, y, g_rows, g_columns, g_stride, u_rows, u_columns, u_stride, rows, columns, stride, BLOCK: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, BLOCK)
    at, inside = place(row, g_rows, g_stride, lanes, g_columns)
    v = tl.load(g + at, mask=inside, other=0.0).to(tl.float32)
    at, inside = place(row, u_rows, u_stride, lanes, u_columns)
    w = tl.load(u + at, mask=inside, other=0.0).to(tl.float32)
    at, inside = place(row, rows, stride, lanes, columns)
    tl.store(y + at, (v * tl.div_rn(1.0, 1 + tl.exp(-v)) * w).to(y.dtype.element_ty), mask=inside)


@triton.jit
def softmax(x, y, x_rows, x_columns, x_stride, rows, columns, stride, BLOCK: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, BLOCK)
    at, inside = place(row, x_rows, x_stride, lanes, x_columns)
    v = tl.load(x + at, mask=inside, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, axis=0))
    at, inside = place(row, rows, stride, lanes, columns)
    tl.store(y + at, tl.div_rn(e, tl.sum(e, axis=0)).to(y.dtype.element_ty), mask=inside)


@triton.jit
def rmsnorm(x, w, y, x_rows, x_columns, x_stride, w_columns, rows, columns, stride, size, eps, BLOCK: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, BLOCK)
    at, inside = place(row, x_rows, x_stride, lanes, x_columns)
    v = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
    scale = tl.load(w + lanes, mask=lanes < w_columns, other=0.0).to(tl.float32)
    r = tl.rsqrt(tl.div_rn(tl.sum(v * v, axis=0), size.to(tl.float32)) + eps)
    at, inside = place(row, rows, stride, lanes, columns)
    tl.store(y + at, (v * r * scale).to(y.dtype.element_ty), mask=inside)


@triton.jit
def row_sum(x, y, x_rows, x_columns, x_stride, rows, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at, inside = place(row, x_rows, x_stride, tl.arange(0, BLOCK), x_columns)
    tl.store(y + row, tl.sum(tl.load(x + at, mask=inside, other=0), axis=0).to(y.dtype.element_ty), mask=row < rows)


@triton.jit
def cross_entropy(x, target, loss, x_rows, x_columns, x_stride, targets, rows, BLOCK: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, BLOCK)
    at, inside = place(row, x_rows, x_stride, lanes, x_columns)
    v = tl.load(x + at, mask=inside, other=-float("inf")).to(tl.float32)
    top = tl.max(v, axis=0)
    total = tl.log(tl.sum(tl.exp(v - top), axis=0)) + top
    picked = tl.sum(tl.where(lanes == tl.load(target + row, mask=row < targets), v, 0.0), axis=0)
    tl.store(loss + row, total - picked, mask=row < rows)


@triton.jit
def rotary_half(x, row, head, rows, heads, columns, row_stride, stride, at):
    inside = (row < rows) & (head < heads) & (at < columns)
    return x + row.to(tl.int64) * row_stride + head.to(tl.int64) * stride + at, inside


@triton.jit
def rope(x, cos, sin, y, x_rows, x_heads, x_columns, x_row_stride, x_stride, cos_rows, cos_columns, cos_stride, sin_rows, sin_columns,
         sin_stride, rows, heads, columns, row_stride, stride, HALF: tl.constexpr):
    row, head, lanes = tl.program_id(0), tl.program_id(1), tl.arange(0, HALF)
    at, inside = rotary_half(x, row, head, x_rows, x_heads, x_columns, x_row_stride, x_stride, lanes)
    a = tl.load(at, mask=inside).to(tl.float32)
    at, inside = rotary_half(x, row, head, x_rows, x_heads, x_columns, x_row_stride, x_stride, HALF + lanes)
    b = tl.load(at, mask=inside).to(tl.float32)
    at, inside = place(row, cos_rows, cos_stride, lanes, cos_columns)
    c = tl.load(cos + at, mask=inside).to(tl.float32)
    at, inside = place(row, sin_rows, sin_stride, lanes, sin_columns)
    s = tl.load(sin + at, mask=inside).to(tl.float32)
    at, inside = rotary_half(y, row, head, rows, heads, columns, row_stride, stride, lanes)
    tl.store(at, (a * c - b * s).to(y.dtype.element_ty), mask=inside)
    at, inside = rotary_half(y, row, head, rows, heads, columns, row_stride, stride, HALF + lanes)
    tl.store(at, (b * c + a * s).to(y.dtype.element_ty), mask=inside)


@triton.jit
def clamp_leaky(x, out, low, high, x_n, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < x_n)
    v = tl.where(v > 0, v, v * 0.125)
    tl.store(out + at, tl.minimum(tl.maximum(v, low), high), mask=at < n)


@triton.jit
def scale(x, out, alpha, x_n, n, BLOCK: tl.constexpr, DEPENDENT: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if DEPENDENT:
        gdc_wait()
    v = tl.load(x + at, mask=at < x_n) * alpha
    if DEPENDENT:
        gdc_launch_dependents()
    tl.store(out + at, v, mask=at < n)


@triton.jit
def slice_scale(x, out, start, stop, BLOCK: tl.constexpr):
    at = start + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < stop) * 4, mask=at < stop)


@triton.jit
def fill_wide(x, out, x_rows, x_columns, x_stride, rows, columns, stride, BLOCK: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, BLOCK)
    at, inside = place(row, x_rows, x_stride, lanes, x_columns)
    v = tl.load(x + at, mask=inside) * 2 + 1
    at, inside = place(row, rows, stride, lanes, columns)
    tl.store(out + at, v, mask=inside)


@triton.jit
def copy_twice(x, out, N, BM: tl.constexpr, BN: tl.constexpr):
    at = (tl.program_id(0) * BM + tl.arange(0, BM))[:, None] * N + (tl.program_id(1) * BN + tl.arange(0, BN))[None, :]
    tl.store(out + at, tl.load(x + at) * 2)


@triton.jit
def stencil3(x, out, x_n, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x + at - 1, mask=(at > 0) & (at - 1 < x_n), other=0.0)
    right = tl.load(x + at + 1, mask=at + 1 < x_n, other=0.0)
    tl.store(out + at, 0.25 * left + 0.5 * tl.load(x + at, mask=at < x_n, other=0.0) + 0.25 * right, mask=at < n)


@triton.jit
def float_bits(x, out, bits, x_n, n, bits_n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < x_n)
    rest = libdevice.fmod(v, 1.5)
    rest = tl.where((rest != 0) & (rest < 0), rest + 1.5, rest)
    tl.store(out + at, tl.sqrt_rn(tl.abs(v)) + rest, mask=at < n)
    tl.store(bits + at, v.to(tl.int32, bitcast=True) >> 23, mask=at < bits_n)


@triton.jit
def half_toward_zero(x, out, x_n, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < x_n).to(tl.float16, fp_downcast_rounding="rtz"), mask=at < n)


@triton.jit
def concat_halves(x, y, out, BM: tl.constexpr, BN: tl.constexpr):
    row, at = (tl.program_id(0) * BM + tl.arange(0, BM))[:, None], tl.arange(0, BN)[None, :]
    tl.store(out + row * 2 * BN + at, tl.load(x + row * BN + at))
    tl.store(out + row * 2 * BN + BN + at, tl.load(y + row * BN + at))


@triton.jit
def embedding(table, ids, out, words, t_columns, t_stride, ids_n, rows, columns, stride, COLS: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, COLS)
    at, inside = place(tl.load(ids + row, mask=row < ids_n), words, t_stride, lanes, t_columns)
    v = tl.load(table + at, mask=inside)
    at, inside = place(row, rows, stride, lanes, columns)
    tl.store(out + at, v, mask=inside)


@triton.jit
def row_gather(x, ids, out, x_rows, x_columns, x_stride, ids_n, rows, columns, stride, ROWS: tl.constexpr, COLS: tl.constexpr):
    row, lanes = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, COLS)[None, :]
    at, inside = place(tl.load(ids + row, mask=row < ids_n)[:, None], x_rows, x_stride, lanes, x_columns)
    v = tl.load(x + at, mask=inside, other=0.0)
    at, inside = place(row[:, None], rows, stride, lanes, columns)
    tl.store(out + at, v, mask=inside)


@triton.jit
def row_argmax(x, value, where, x_rows, x_columns, x_stride, values, wheres, BLOCK: tl.constexpr):
    """The maximum by itself, as the kernel has it, and its first position."""
    row = tl.program_id(0)
    at, inside = place(row, x_rows, x_stride, tl.arange(0, BLOCK), x_columns)
    v = tl.load(x + at, mask=inside, other=-float("inf"))
    tl.store(value + row, tl.max(v, axis=0), mask=row < values)
    tl.store(where + row, tl.argmax(v, axis=0), mask=row < wheres)


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def prefix_sum(x, out, x_rows, x_columns, x_stride, rows, columns, stride, COLS: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, COLS)
    at, inside = place(row, x_rows, x_stride, lanes, x_columns)
    v = tl.cumsum(tl.load(x + at, mask=inside, other=0), axis=0)
    at, inside = place(row, rows, stride, lanes, columns)
    tl.store(out + at, v, mask=inside)


@triton.jit
def suffix_prod(x, out, x_rows, x_columns, x_stride, rows, columns, stride, COLS: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, COLS)
    at, inside = place(row, x_rows, x_stride, lanes, x_columns)
    v = tl.associative_scan(tl.load(x + at, mask=inside), 0, multiply, reverse=True)
    at, inside = place(row, rows, stride, lanes, columns)
    tl.store(out + at, v, mask=inside)


@triton.jit
def histogram(x, bins, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(bins + tl.load(x + at, mask=at < n, other=0), 1, mask=at < n, sem="relaxed")


@triton.jit
def logsumexp(x, out, x_rows, x_columns, x_stride, rows, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at, inside = place(row, x_rows, x_stride, tl.arange(0, BLOCK), x_columns)
    v = tl.load(x + at, mask=inside, other=-float("inf"))
    top = tl.max(v, axis=0)
    tl.store(out + row, tl.log(tl.sum(tl.exp(v - top), axis=0)) + top, mask=row < rows)


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


def scalars(names, kind="i32"):
    return dict.fromkeys(names.split(), kind)


FLOATS = {"f32": "fp32", "f16": "fp16", "bf16": "bf16"}
ONE = "x_n n"
ROW = "x_rows x_columns x_stride"
BOTH = ROW + " rows columns stride"
COS_SIN = " cos_rows cos_columns cos_stride sin_rows sin_columns sin_stride"
# Kernel without the type of its elements: function, types of its pointers by that type (one for all, or one each), scalars, constants.
SMALL = {
    "add_vec": (add_vec, {**FLOATS, "i32": "i32"}, scalars("a_n b_n n"), {"BLOCK": 512}),
    "axpy_masked": (axpy, FLOATS, {"alpha": "fp32", **scalars("x_n y_n n")}, {"BLOCK": 256}),
    "gelu_tanh": (gelu, FLOATS, scalars(ONE), {"BLOCK": 256}),
    "silu_gate": (silu_gate, FLOATS, scalars("g_rows g_columns g_stride u_rows u_columns u_stride rows columns stride"), {"BLOCK": 512}),
    "softmax_row": (softmax, FLOATS, scalars(BOTH), {"BLOCK": 256}),
    "rmsnorm": (rmsnorm, FLOATS, {**scalars(BOTH + " w_columns size"), "eps": "fp32"}, {"BLOCK": 512}),
    "row_sum": (row_sum, {**FLOATS, "i32": "i32"}, scalars(ROW + " rows"), {"BLOCK": 512}),
    "cross_entropy": (cross_entropy, {"f32": "fp32 i32 fp32", "bf16": "bf16 i32 fp32"}, scalars(ROW + " targets rows"), {"BLOCK": 256}),
    "rope": (rope, FLOATS, scalars(BOTH + COS_SIN + " x_heads x_row_stride heads row_stride"), {"HALF": 32}),
    "clamp_leaky": (clamp_leaky, FLOATS, {**scalars("low high", "fp32"), **scalars(ONE)}, {"BLOCK": 128}),
    "pdl_scale": (scale, FLOATS, {"alpha": "fp32", **scalars(ONE)}, {"BLOCK": 256, "DEPENDENT": True}),
    "slice_scale": (slice_scale, FLOATS, scalars("start stop"), {"BLOCK": 64}),
    "fill_wide": (fill_wide, FLOATS, scalars(BOTH, "i64"), {"BLOCK": 64}),
    "copy_inbounds": (copy_twice, FLOATS, scalars("N"), {"BM": 16, "BN": 32}),
    "stencil3": (stencil3, FLOATS, scalars(ONE), {"BLOCK": 256}),
    "float_bits": (float_bits, {"f32": "fp32 fp32 i32"}, scalars(ONE + " bits_n"), {"BLOCK": 128}),
    "half_toward_zero": (half_toward_zero, {"f16": "fp32 fp16"}, scalars(ONE), {"BLOCK": 128}),
    "concat_halves": (concat_halves, FLOATS, {}, {"BM": 16, "BN": 64}),
    "embedding": (embedding, {"f16": "fp16 i32 fp16", "f32": "fp32 i32 fp32"},
                  scalars("words t_columns t_stride ids_n rows columns stride"), {"COLS": 128}),
    "row_gather_view": (row_gather, {"f16": "fp16 i32 fp16"}, scalars(BOTH + " ids_n"), {"ROWS": 16, "COLS": 64}),
    "row_argmax": (row_argmax, {"f16": "fp16 fp16 i32", "f32": "fp32 fp32 i32"}, scalars(ROW + " values wheres"), {"BLOCK": 128}),
    "prefix_sum": (prefix_sum, {**FLOATS, "i32": "i32"}, scalars(BOTH), {"COLS": 128}),
    "suffix_prod": (suffix_prod, FLOATS, scalars(BOTH), {"COLS": 32}),
    "histogram": (histogram, {"i32": "i32"}, scalars("n"), {"BLOCK": 256}),
    "logsumexp": (logsumexp, {"f64": "fp64"}, scalars(ROW + " rows"), {"BLOCK": 128}),
    "collatz": (collatz, {"i32": "i32"}, scalars("limit"), {}),
    "complex_dft": (complex_dft, FLOATS, {}, {"BB": 16, "N": 32}),
}
REDUCTIONS = "softmax_row rmsnorm row_sum cross_entropy row_argmax logsumexp".split()
PRODUCTS = ["complex_dft"]


def warps_of(what, kind, constants):
    """As many as leave each thread of an access a vector of 16 bytes, and of a reduction 16 elements, but no more than four.

    These tiles are small: four warps would run a fourth of the elements a thread each, with all of the address arithmetic."""
    if what in PRODUCTS:
        return 4
    elements = math.prod(n for n in constants.values() if n is not True)
    bits = 32 if what == "half_toward_zero" else int(kind.lstrip("bfi"))
    vectors = elements // 512 if what in REDUCTIONS else elements * bits // (128 * 32)
    return 4 if vectors >= 4 else max(1, vectors)


def small_of(name):
    what, _, kind = name.rpartition("_")
    if what not in SMALL or kind not in SMALL[what][1]:
        return None
    function, types, given, constants = SMALL[what]
    arrays = [a for a in function.arg_names if a not in given and a not in constants]
    kinds = types[kind].split()
    signature = {a: "*" + kinds[n % len(kinds)] for n, a in enumerate(arrays)}
    return function, {**signature, **given}, constants, warps_of(what, kind, constants), 3, ""


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
    """(function, signature, constants, warps, stages, way of loading), or None."""
    return small_of(name) or attention_of(name)
