# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels for cuTile Python, each with the signatures for which it is compiled: CASES maps a name to (kernel,
signatures)."""
import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, ScalarConstraint

CASES = {}


def array(dtype, rank=1, aligned=True):
    """Returns a C-contiguous array as frameworks pass it."""
    return ArrayConstraint(
        dtype, rank, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False,
        stride_constant=[None] * (rank - 1) + [1], stride_divisible_by=[16 if aligned else 1] * (rank - 1) + [1],
        shape_divisible_by=16 if aligned else 1, base_addr_divisible_by=16 if aligned else 1)


def scalar(dtype):
    return ScalarConstraint(dtype)


def compiled_for(*signatures, cases=CASES):
    """Adds a kernel to `cases`; each signature: (array or scalar or constant, …)."""

    def register(kernel):
        name = kernel._annotated_function.pyfunc.__name__
        cases[name] = (kernel, [
            KernelSignature(parameters, CallingConvention.cutile_python_v1(), symbol=f"{name}_{i}")
            for i, parameters in enumerate(signatures)])
        return kernel

    return register


@compiled_for([array(ct.float32), array(ct.float32), array(ct.float32), 256],
              [array(ct.float16), array(ct.float16), array(ct.float16), 1024],
              [array(ct.bfloat16, aligned=False), array(ct.bfloat16, aligned=False), array(ct.bfloat16, aligned=False), 64],
              [array(ct.int32), array(ct.int32), array(ct.int32), 128])
@ct.kernel
def add(x, y, out, n: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, (i,), ct.load(x, (i,), (n,)) + ct.load(y, (i,), (n,)))


@compiled_for([array(ct.float32), array(ct.float32), scalar(ct.float32), scalar(ct.int32), 128])
@ct.kernel
def axpy_strided(x, y, a, blocks, n: ct.Constant[int]):
    for i in range(ct.bid(0), blocks, ct.num_blocks(0)):
        ct.store(y, (i,), ct.load(x, (i,), (n,)) * a + ct.load(y, (i,), (n,)))


@compiled_for([array(ct.float16, 2), array(ct.float16, 2), array(ct.float32, 2), 64, 64, 32],
              [array(ct.bfloat16, 2), array(ct.bfloat16, 2), array(ct.bfloat16, 2), 128, 64, 64],
              [array(ct.int8, 2), array(ct.int8, 2), array(ct.int32, 2), 64, 64, 64])
@ct.kernel
def matmul(a, b, c, m: ct.Constant[int], n: ct.Constant[int], k: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((m, n), ct.int32 if a.dtype == ct.int8 else ct.float32)
    for step in range(ct.num_tiles(a, axis=1, shape=(m, k))):
        x = ct.load(a, (i, step), (m, k), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, (step, j), (k, n), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(x, y, acc)
    ct.store(c, (i, j), acc.astype(c.dtype))


@compiled_for([array(ct.float32, 2), array(ct.float32, 2), 512], [array(ct.float16, 2), array(ct.float16, 2), 1024])
@ct.kernel
def softmax(x, out, n: ct.Constant[int]):
    row = ct.bid(0)
    t = ct.load(x, (row, 0), (1, n), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
    e = ct.exp(t - ct.max(t, axis=1, keepdims=True))
    ct.store(out, (row, 0), (e / ct.sum(e, axis=1, keepdims=True)).astype(out.dtype))


@compiled_for([array(ct.float16, 2), array(ct.float16), array(ct.float16), array(ct.float16, 2), scalar(ct.float32), 256])
@ct.kernel
def layernorm(x, weight, bias, out, eps, n: ct.Constant[int]):
    row = ct.bid(0)
    t = ct.load(x, (row, 0), (1, n)).astype(ct.float32)
    mean = ct.sum(t, axis=1, keepdims=True) / n
    centred = t - mean
    variance = ct.sum(centred * centred, axis=1, keepdims=True) / n
    w = ct.load(weight, (0,), (n,)).astype(ct.float32)
    b = ct.load(bias, (0,), (n,)).astype(ct.float32)
    result = centred * ct.rsqrt(variance + eps) * w + b
    ct.store(out, (row, 0), result.astype(out.dtype))


@compiled_for([array(ct.float32, 2), array(ct.float32), array(ct.int32), 64, 128])
@ct.kernel
def reductions(x, largest, where, m: ct.Constant[int], n: ct.Constant[int]):
    row = ct.bid(0)
    t = ct.load(x, (row, 0), (m, n))
    ct.store(largest, (row,), ct.max(t, axis=1) + ct.min(t, axis=1))
    ct.store(where, (row,), ct.argmax(t, axis=1))


@compiled_for([array(ct.float32), array(ct.float32), array(ct.float32), 256])
@ct.kernel
def scans(x, sums, products, n: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i,), (n,))
    ct.store(sums, (i,), ct.cumsum(t, axis=0))
    ct.store(products, (i,), ct.cumprod(t, axis=0, reverse=True))


@compiled_for([array(ct.float32, 2), array(ct.float32, 2), 32], [array(ct.int8, 2), array(ct.int8, 2), 64])
@ct.kernel
def transpose(x, out, n: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(out, (j, i), ct.transpose(ct.load(x, (i, j), (n, n))))


@compiled_for([array(ct.float32), array(ct.int32), array(ct.float32), 128])
@ct.kernel
def gather_scatter(x, index, out, n: ct.Constant[int]):
    i = ct.bid(0)
    at = ct.load(index, (i,), (n,))
    value = ct.gather(x, at)
    ct.scatter(out, at, value * 2.0)


@compiled_for([array(ct.int32), array(ct.int32), 256])
@ct.kernel
def histogram(x, bins, n: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0),), (n,))
    ct.atomic_add(bins, ct.bitwise_and(t, 63), 1)


@compiled_for([array(ct.float32), array(ct.float32), 512])
@ct.kernel
def elementary(x, out, n: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i,), (n,))
    a = ct.sin(t) + ct.cos(t) * ct.tanh(t)
    b = ct.sqrt(ct.abs(t)) + ct.log(ct.abs(t) + 1.0) + ct.exp2(t) + ct.floor(t) - ct.ceil(t)
    ct.store(out, (i,), ct.where(t > 0.0, a, ct.minimum(b, ct.pow(t, 2.0))))


@compiled_for([array(ct.int32), array(ct.int32), array(ct.int32), 128])
@ct.kernel
def integers(x, y, out, n: ct.Constant[int]):
    i = ct.bid(0)
    a, b = ct.load(x, (i,), (n,)), ct.load(y, (i,), (n,))
    c = a // (ct.abs(b) + 1) + a % (ct.abs(b) + 3)
    d = ct.bitwise_xor(a << 3, b >> 2) | ct.bitwise_not(a & b)
    ct.store(out, (i,), ct.where(a < b, c, d))


@compiled_for([array(ct.int32), array(ct.int32), 1])
@ct.kernel
def collatz(x, steps, one: ct.Constant[int]):
    i = ct.bid(0)
    value = ct.load(x, (i,), (one,)).item()
    count = 0
    while value > 1:
        if value % 2 == 0:
            value = value // 2
        else:
            value = 3 * value + 1
        count += 1
    ct.store(steps, (i,), ct.full((one,), count, ct.int32))


@compiled_for([array(ct.float16, 3), array(ct.float16, 3), array(ct.float32, 3), 32, 32, 32])
@ct.kernel
def batched(a, b, c, m: ct.Constant[int], n: ct.Constant[int], k: ct.Constant[int]):
    z, i, j = ct.bid(2), ct.bid(0), ct.bid(1)
    acc = ct.zeros((m, n), ct.float32)
    for step in range(ct.num_tiles(a, axis=2, shape=(1, m, k))):
        x = ct.load(a, (z, i, step), (1, m, k)).reshape((m, k))
        y = ct.load(b, (z, step, j), (1, k, n)).reshape((k, n))
        acc = ct.mma(x, y, acc)
    ct.store(c, (z, i, j), acc.reshape((1, m, n)))


@compiled_for([array(ct.float32, 2), array(ct.float32, 2), 16])
@ct.kernel
def shapes(x, out, n: ct.Constant[int]):
    t = ct.load(x, (0, 0), (n, n))
    both = ct.cat((t, ct.permute(t, (1, 0))), axis=1)
    column = ct.extract(both, (0, 1), (n, n))
    row = ct.broadcast_to(ct.reshape(ct.sum(column, axis=0), (1, n)), (n, n))
    ct.store(out, (0, 0), row + column)


@compiled_for([array(ct.float32), array(ct.float16), array(ct.bfloat16), array(ct.int32), array(ct.uint8), 128])
@ct.kernel
def conversions(x, half, brain, whole, byte, n: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i,), (n,))
    ct.store(half, (i,), t.astype(ct.float16))
    ct.store(brain, (i,), t.astype(ct.bfloat16))
    ct.store(whole, (i,), ct.bitcast(t, ct.int32))
    ct.store(byte, (i,), t.astype(ct.int32).astype(ct.uint8))


@compiled_for([array(ct.float16, 2), array(ct.float16, 2), array(ct.float16, 2), array(ct.float16, 2), scalar(ct.float32), 64, 64, 64])
@ct.kernel
def attention(q, k, v, out, scale, m: ct.Constant[int], n: ct.Constant[int], d: ct.Constant[int]):
    i = ct.bid(0)
    query = ct.load(q, (i, 0), (m, d))
    acc = ct.zeros((m, d), ct.float32)
    largest = ct.full((m, 1), -1e30, ct.float32)
    total = ct.zeros((m, 1), ct.float32)
    for j in range(ct.num_tiles(k, axis=0, shape=(n, d))):
        key = ct.transpose(ct.load(k, (j, 0), (n, d)))
        score = ct.mma(query, key, ct.zeros((m, n), ct.float32)) * scale
        now = ct.maximum(largest, ct.max(score, axis=1, keepdims=True))
        p = ct.exp(score - now)
        old = ct.exp(largest - now)
        total = total * old + ct.sum(p, axis=1, keepdims=True)
        acc = ct.mma(p.astype(ct.float16), ct.load(v, (j, 0), (n, d)), acc * old)
        largest = now
    ct.store(out, (i, 0), (acc / total).astype(out.dtype))
