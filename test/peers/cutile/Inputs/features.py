# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Features of producers beyond the common kernels, one each: FEATURES maps a name to (kernel, signatures)."""
import cuda.tile as ct

from kernels import array, compiled_for, scalar

FEATURES = {}
# Features that the compiler does not support yet: maps a name to the error text.
REFUSED = {}
F32, F16, I32 = array(ct.float32), array(ct.float16), array(ct.int32)
N = 128


def feature(*signatures):
    return compiled_for(*signatures, cases=FEATURES)


@feature([I32, I32, N], [array(ct.int64), array(ct.int64), N], [array(ct.uint32), array(ct.uint32), N])
@ct.kernel
def atomics_integer(x, out, n: ct.Constant[int]):
    i = ct.arange(n, dtype=ct.int32)
    t = ct.load(x, (ct.bid(0),), (n,))
    old = ct.atomic_add(out, i, t)
    old = old + ct.atomic_max(out, i, t) + ct.atomic_min(out, i, t)
    old = old + ct.atomic_and(out, i, t) + ct.atomic_or(out, i, t) + ct.atomic_xor(out, i, t)
    old = old + ct.atomic_xchg(out, i, t)
    ct.scatter(x, i, old + ct.atomic_cas(out, i, t, old))


@feature([F32, F32, N], [F16, F16, N], [array(ct.bfloat16), array(ct.bfloat16), N], [array(ct.float64), array(ct.float64), N])
@ct.kernel
def atomics_float(x, out, n: ct.Constant[int]):
    i = ct.arange(n, dtype=ct.int32)
    ct.atomic_add(out, i, ct.load(x, (ct.bid(0),), (n,)))


@feature([F32, F32, N])
@ct.kernel
def atomics_orders(x, out, n: ct.Constant[int]):
    i = ct.arange(n, dtype=ct.int32)
    t = ct.load(x, (0,), (n,))
    ct.atomic_add(out, i, t, memory_order=ct.MemoryOrder.RELAXED, memory_scope=ct.MemoryScope.BLOCK)
    ct.atomic_add(out, i, t, memory_order=ct.MemoryOrder.RELEASE, memory_scope=ct.MemoryScope.SYS)
    ct.atomic_xchg(out, i, t, memory_order=ct.MemoryOrder.ACQUIRE, check_bounds=False)


@feature([array(ct.float32, 2), array(ct.float32), array(ct.int32), 64])
@ct.kernel
def reduce_pairs(x, best, where, n: ct.Constant[int]):
    def larger(a, i, b, j):
        take = (a > b) | ((a == b) & (i < j))
        return ct.where(take, a, b), ct.where(take, i, j)

    t = ct.load(x, (ct.bid(0), 0), (1, n)).reshape((n,))
    value, index = ct.reduce((t, ct.arange(n, dtype=ct.int32)), 0, larger, (-1e30, 0))
    ct.scatter(best, ct.bid(0), value)
    ct.scatter(where, ct.bid(0), index)


@feature([F32, F32, F32, N])
@ct.kernel
def scan_pairs(a, b, out, n: ct.Constant[int]):
    def chain(p, q, r, s):
        return p * r, q * r + s

    x, y = ct.load(a, (0,), (n,)), ct.load(b, (0,), (n,))
    p, q = ct.scan((x, y), 0, chain, (1.0, 0.0))
    ct.store(out, (0,), p + q)


@feature([F32, N])
@ct.kernel
def printing(x, n: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0),), (n,))
    ct.printf("block %d, sum %f\n", ct.bid(0), ct.sum(t))
    print(t, ct.bid(0))


@feature([I32, I32, N])
@ct.kernel
def assertions(x, out, n: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0),), (n,))
    ct.assert_(t >= 0, "negative")
    ct.store(out, (ct.bid(0),), t)


@feature([array(ct.float32, 2), array(ct.float32, 2), I32, 32])
@ct.kernel
def gather_masked(x, out, index, n: ct.Constant[int]):
    rows = ct.load(index, (ct.bid(0),), (n,)).reshape((n, 1))
    columns = ct.arange(n, dtype=ct.int32).reshape((1, n))
    t = ct.gather(x, (rows, columns), mask=rows > columns, padding_value=3.5)
    ct.scatter(out, (rows, columns), t, mask=columns < 17)
    ct.scatter(out, (rows, columns), ct.gather(x, (rows, columns), check_bounds=False), check_bounds=False)


@feature([array(ct.float32, 2), array(ct.float32, 2), I32, scalar(ct.int32), 16])
@ct.kernel
def gather_rows(x, out, index, start, n: ct.Constant[int]):
    rows = ct.load(index, (ct.bid(0),), (n,))
    t = ct.load_advanced_indexing(x, (rows, ct.Slice(start, n)), padding_mode=ct.PaddingMode.ZERO)
    ct.store_advanced_indexing(out, (rows, ct.Slice(start, n)), t)


@feature([array(ct.float32, 2), array(ct.float32, 2), 32])
@ct.kernel
def hints(x, out, n: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0), 0), (n, n), latency=4, allow_tma=False)
    u = ct.load(x, (0, ct.bid(0)), (n, n), order='F', latency=10, padding_mode=ct.PaddingMode.NAN)
    ct.store(out, (ct.bid(0), 0), t + u, latency=2, allow_tma=True)
    ct.store(out, (ct.bid(0), 0), t, order='F', check_bounds=False)


@feature([I32, I32, 1])
@ct.kernel
def ordered(flag, out, n: ct.Constant[int]):
    t = ct.load(flag, (0,), (n,), memory_order=ct.MemoryOrder.ACQUIRE, memory_scope=ct.MemoryScope.DEVICE)
    ct.store(out, (0,), t, memory_order=ct.MemoryOrder.RELEASE, memory_scope=ct.MemoryScope.DEVICE)


@feature([array(ct.float8_e4m3fn, 2), array(ct.float8_e4m3fn, 2), array(ct.float32, 2), 64],
         [array(ct.float8_e5m2, 2), array(ct.float8_e5m2, 2), array(ct.float32, 2), 64],
         [array(ct.float64, 2), array(ct.float64, 2), array(ct.float64, 2), 16],
         [array(ct.float32, 2), array(ct.float32, 2), array(ct.float32, 2), 32],
         [array(ct.uint8, 2), array(ct.uint8, 2), array(ct.int32, 2), 32])
@ct.kernel
def products(a, b, c, n: ct.Constant[int]):
    x, y = ct.load(a, (0, 0), (n, n)), ct.load(b, (0, 0), (n, n))
    ct.store(c, (0, 0), ct.mma(x, y, ct.zeros((n, n), c.dtype)))


@feature([array(ct.float8_e4m3fn, 2), array(ct.float8_e4m3fn, 2), array(ct.float32, 2), 64])
@ct.kernel
def product_fast(a, b, c, n: ct.Constant[int]):
    x, y = ct.load(a, (0, 0), (n, n)), ct.load(b, (0, 0), (n, n))
    ct.store(c, (0, 0), ct.mma(x, y, ct.zeros((n, n), ct.float32), use_fast_acc=True))


@feature([array(ct.float32, 2), array(ct.float32, 2), array(ct.float32, 2), 64])
@ct.kernel
def product_tf32(a, b, c, n: ct.Constant[int]):
    x = ct.load(a, (0, 0), (n, n)).astype(ct.tfloat32)
    y = ct.load(b, (0, 0), (n, n)).astype(ct.tfloat32)
    ct.store(c, (0, 0), ct.mma(x, y, ct.zeros((n, n), ct.float32)))


@feature([array(ct.float16, 3), array(ct.float16, 3), array(ct.float16, 3), 32])
@ct.kernel
def product_operator(a, b, c, n: ct.Constant[int]):
    x, y = ct.load(a, (0, 0, 0), (2, n, n)), ct.load(b, (0, 0, 0), (2, n, n))
    ct.store(c, (0, 0, 0), x @ y + ct.matmul(y, x))


@feature([array(ct.float8_e4m3fn, 2), array(ct.float8_e8m0fnu, 2), array(ct.float8_e4m3fn, 2), array(ct.float8_e8m0fnu, 2),
          array(ct.float32, 2), 128, 4])
@ct.kernel
def product_scaled(a, sa, b, sb, c, n: ct.Constant[int], s: ct.Constant[int]):
    x, y = ct.load(a, (0, 0), (n, n)), ct.load(b, (0, 0), (n, n))
    p, q = ct.load(sa, (0, 0), (n, s)), ct.load(sb, (0, 0), (s, n))
    ct.store(c, (0, 0), ct.mma_scaled(x, p, y, q, ct.zeros((n, n), ct.float32)))


@feature([array(ct.uint8), array(ct.uint8), array(ct.float8_e8m0fnu, 2), array(ct.float8_e8m0fnu, 2), array(ct.float32, 2),
          128, 4])
@ct.kernel
def product_scaled_narrow(a, b, sa, sb, c, n: ct.Constant[int], s: ct.Constant[int]):
    x = ct.unpack_from_bytes(ct.load(a, (0,), (n * n // 2,)), ct.float4_e2m1fn).reshape((n, n))
    y = ct.unpack_from_bytes(ct.load(b, (0,), (n * n // 2,)), ct.float4_e2m1fn).reshape((n, n))
    p, q = ct.load(sa, (0, 0), (n, s)), ct.load(sb, (0, 0), (s, n))
    ct.store(c, (0, 0), ct.mma_scaled(x, p, y, q, ct.zeros((n, n), ct.float32)))


@feature([array(ct.float32, 2), array(ct.float32, 2), 32])
@ct.kernel
def insertion(x, out, n: ct.Constant[int]):
    t = ct.load(x, (0, 0), (n, n))
    part = ct.extract(t, (1, 0), (n // 2, n // 2))
    ct.store(out, (0, 0), ct.insert(t, (0, ct.bid(0)), part * 2.0))


@feature([F32, array(ct.uint8), N], [F16, array(ct.uint8), N])
@ct.kernel
def bytes_of(x, out, n: ct.Constant[int]):
    t = ct.pack_to_bytes(ct.load(x, (0,), (n,)))
    ct.store(out, (0,), t)
    ct.store(x, (0,), ct.unpack_from_bytes(t, x.dtype))


@feature([F32, F32, N], [F16, F16, N], [array(ct.float64), array(ct.float64), N], [array(ct.bfloat16), array(ct.bfloat16), N])
@ct.kernel
def functions(x, out, n: ct.Constant[int]):
    t = ct.load(x, (0,), (n,))
    a = ct.sinh(t) + ct.cosh(t) + ct.tan(t) + ct.tanh(t) + ct.sin(t) * ct.cos(t)
    b = ct.exp(t) + ct.exp2(t) + ct.log(t) + ct.log2(t) + ct.sqrt(t) + ct.rsqrt(t)
    c = ct.floor(t) + ct.ceil(t) + ct.pow(t, t) + ct.negative(t) + ct.abs(t)
    d = t % 3.0 + t // 2.0 + ct.maximum(t, a) - ct.minimum(b, c)
    ct.store(out, (0,), ct.where(ct.isnan(t), a + b + c + d, t))


@feature([F32, F32, F32, N])
@ct.kernel
def angles(x, y, out, n: ct.Constant[int]):
    ct.store(out, (0,), ct.atan2(ct.load(x, (0,), (n,)), ct.load(y, (0,), (n,))))


@feature([F32, F32, F32, N])
@ct.kernel
def roundings(x, y, out, n: ct.Constant[int]):
    a, b = ct.load(x, (0,), (n,)), ct.load(y, (0,), (n,))
    c = ct.add(a, b, rounding_mode=ct.RoundingMode.RZ) + ct.mul(a, b, rounding_mode=ct.RoundingMode.RP)
    c = c + ct.sub(a, b, rounding_mode=ct.RoundingMode.RM, flush_to_zero=True)
    c = c + ct.truediv(a, b, rounding_mode=ct.RoundingMode.APPROX) + ct.truediv(a, b, rounding_mode=ct.RoundingMode.FULL)
    c = c + ct.sqrt(a, rounding_mode=ct.RoundingMode.APPROX) + ct.sqrt(b, rounding_mode=ct.RoundingMode.RZ)
    c = c + ct.tanh(a, rounding_mode=ct.RoundingMode.APPROX) + ct.exp2(a, flush_to_zero=True)
    ct.store(out, (0,), c)


@feature([array(ct.int8), array(ct.int8), N], [array(ct.int16), array(ct.int16), N], [array(ct.int64), array(ct.int64), N],
         [array(ct.uint8), array(ct.uint8), N], [array(ct.uint16), array(ct.uint16), N],
         [array(ct.uint64), array(ct.uint64), N])
@ct.kernel
def integer_widths(x, out, n: ct.Constant[int]):
    a, b = ct.load(x, (0,), (n,)), ct.load(x, (1,), (n,))
    t = a * b - (a ^ b) + (a & b) + (a | b) + ct.maximum(a, b)
    ct.store(out, (0,), ct.where(a < b, t, ~t))
    ct.store(out, (1,), ct.cumsum(t, axis=0) + ct.prod(t))
    ct.store(out, (2,), t.astype(ct.float32).astype(x.dtype))


@feature([array(ct.int16), array(ct.int16), N], [array(ct.int64), array(ct.int64), N])
@ct.kernel
def divisions(x, out, n: ct.Constant[int]):
    q, r = ct.divmod(ct.load(x, (0,), (n,)), 7)
    ct.store(out, (0,), q + r)


@feature([array(ct.bool_), array(ct.bool_), N])
@ct.kernel
def booleans(x, out, n: ct.Constant[int]):
    a, b = ct.load(x, (0,), (n,)), ct.load(x, (1,), (n,))
    ct.store(out, (0,), (a & b) | ~a ^ (a == b))


@feature([F32, F32, N])
@ct.kernel
def dependent_launch(x, out, n: ct.Constant[int]):
    ct.grid_dependency_control_wait()
    t = ct.load(x, (ct.bid(0),), (n,))
    ct.grid_dependency_control_launch_dependents()
    ct.store(out, (ct.bid(0),), t * 2.0)


@feature([array(ct.float32, 2), array(ct.float32, 2), 32])
@ct.kernel(num_ctas=ct.ByTarget(sm_100=2, default=1), occupancy=ct.ByTarget(sm_90=4, default=2), opt_level=2)
def targets(x, out, n: ct.Constant[int]):
    ct.store(out, (ct.bid(0), 0), ct.load(x, (ct.bid(0), 0), (n, n)))


@feature([array(ct.float32, 2), array(ct.float32, 2), 16])
@ct.kernel
def views(x, out, n: ct.Constant[int]):
    source = x.tiled_view((n, n), padding_mode=ct.PaddingMode.ZERO)
    target = out.tiled_view((n, n))
    target.store((ct.bid(0), 1), source.load((ct.bid(0), 0)))


@feature([array(ct.float32, 2), array(ct.float32, 2), 16])
@ct.kernel
def views_overlapping(x, out, n: ct.Constant[int]):
    source = x.tiled_view((n, n), traversal_steps=(1, n))
    ct.store(out, (ct.bid(0), 0), source.load((ct.bid(0), 0)))


@feature([array(ct.float32, 2), array(ct.float32, 2), scalar(ct.int32), scalar(ct.int32), 16])
@ct.kernel
def slices(x, out, first, last, n: ct.Constant[int]):
    part = x.slice(axis=0, start=ct.assume_divisible_by(first, 16), stop=last)
    for i in range(ct.bid(0), ct.cdiv(last - first, n), ct.num_blocks(0)):
        ct.store(out, (i, 0), ct.load(part, (i, 0), (n, n), padding_mode=ct.PaddingMode.NEG_INF))


@feature([I32, I32, scalar(ct.int32), 16])
@ct.kernel
def control(x, out, limit, n: ct.Constant[int]):
    if ct.bid(0) > limit:
        return
    total = ct.zeros((n,), ct.int32)
    i = 0
    while True:
        t = ct.load(x, (i,), (n,))
        i += 1
        if ct.sum(t) == 0:
            continue
        if ct.max(t) > limit:
            break
        for j in range(i):
            total = total + t * j if j % 2 == 0 else total - t
    ct.store(out, (ct.bid(0),), total)


@ct.function
def halves(t, n: ct.Constant[int]):
    return ct.extract(t, (0,), (n // 2,)), ct.extract(t, (1,), (n // 2,))


@feature([F32, F32, N])
@ct.kernel
def helpers(x, out, n: ct.Constant[int]):
    low, high = halves(ct.load(x, (0,), (n,)), n)
    for k in ct.static_iter(range(3)):
        low = low * ct.static_eval(k + 1) + high
    ct.store(out, (0,), ct.cat((low, high), axis=0))


@feature([array(ct.float32, 5), array(ct.float32, 4), 8])
@ct.kernel
def ranks(x, out, n: ct.Constant[int]):
    t = ct.load(x, (0, 0, 0, ct.bid(0), 0), (2, 2, 2, n, n))
    ct.store(out, (0, 0, 0, 0), ct.sum(ct.permute(t, (4, 2, 0, 1, 3)), axis=2))


@feature([scalar(ct.float64), scalar(ct.int64), scalar(ct.bool_), scalar(ct.int8), array(ct.float64), 64])
@ct.kernel
def scalars(a, b, c, d, out, n: ct.Constant[int]):
    t = ct.full((n,), a, ct.float64) + ct.astile(b, dtype=ct.float64) + d
    ct.store(out, (0,), ct.where(c, t, -t))
