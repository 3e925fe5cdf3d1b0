# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton kernels whose PTX the emulator runs."""
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(out, x, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * stride + at, e / tl.sum(e, axis=0), mask=at < columns)


@triton.jit
def layernorm(out, x, weight, bias, mean, rstd, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    v = tl.load(x + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    m = tl.sum(v, axis=0) / columns
    d = tl.where(inside, v - m, 0.0)
    r = 1 / tl.sqrt(tl.sum(d * d, axis=0) / columns + eps)
    tl.store(mean + row, m)
    tl.store(rstd + row, r)
    w = tl.load(weight + at, mask=inside)
    b = tl.load(bias + at, mask=inside)
    tl.store(out + row * columns + at, d * r * w + b, mask=inside)


@triton.jit
def scan(out, x, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.cumsum(tl.load(x + at), axis=0))


@triton.jit
def histogram(bins, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0)
    tl.atomic_add(bins + v, tl.where(at < n, 1, 0), mask=at < n)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for t in range(0, tl.cdiv(K, BK)):
        left = K - t * BK
        x = tl.load(a + m[:, None] * K + (t * BK + k)[None, :], mask=(m[:, None] < M) & (k[None, :] < left), other=0.0)
        y = tl.load(b + (t * BK + k)[:, None] * N + n[None, :], mask=(k[:, None] < left) & (n[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
    tl.store(c + m[:, None] * N + n[None, :], acc.to(c.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def matmul_tma(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Tensor descriptors created on the host, on targets that have them."""
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for t in range(0, tl.cdiv(K, BK)):
        acc = tl.dot(a.load([m, t * BK]), b.load([t * BK, n]), acc)
    c.store([m, n], acc.to(tl.float16))


@triton.jit
def matmul_device_tma(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Tensor descriptors created by the kernel, in global scratch memory."""
    da = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    db = tl.make_tensor_descriptor(b, shape=[K, N], strides=[N, 1], block_shape=[BK, BN])
    dc = tl.make_tensor_descriptor(c, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for t in range(0, tl.cdiv(K, BK)):
        acc = tl.dot(da.load([m, t * BK]), db.load([t * BK, n]), acc)
    dc.store([m, n], acc.to(tl.float16))


@triton.jit
def attention(q, k, v, out, scale, length, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """Causal, one head per program of the second axis."""
    base = tl.program_id(1) * length * D
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    query = tl.load(q + base + m[:, None] * D + d[None, :])
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for start in range(0, (tl.program_id(0) + 1) * BM, BN):
        n = start + tl.arange(0, BN)
        key = tl.load(k + base + n[None, :] * D + d[:, None])
        s = tl.dot(query, key) * scale
        s = tl.where(m[:, None] >= n[None, :], s, -1.0e6)
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        alpha = tl.exp2(top - new)
        total = total * alpha + tl.sum(p, 1)
        value = tl.load(v + base + n[:, None] * D + d[None, :])
        acc = tl.dot(p.to(tl.float16), value, acc * alpha[:, None])
        top = new
    tl.store(out + base + m[:, None] * D + d[None, :], (acc / total[:, None]).to(tl.float16))
