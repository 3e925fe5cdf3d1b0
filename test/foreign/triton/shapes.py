# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans, sorting, gathers and rearrangements; atomics; conversions; prints and assertions."""
import numpy as np
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait

from harness import Case, Descriptor, out, put
from numbers_of import Bits, integers, make, normal, random


@triton.jit
def recurrence(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def linear_recurrence(a, b, y, STEPS: tl.constexpr, COLUMNS: tl.constexpr, REVERSE: tl.constexpr):
    at = tl.arange(0, STEPS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    _, h = tl.associative_scan((tl.load(a + at), tl.load(b + at)), 0, recurrence, reverse=REVERSE)
    tl.store(y + at, h)


@triton.jit
def sums(x, forward, backward, product, BM: tl.constexpr, BN: tl.constexpr):
    at = tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :]
    v = tl.load(x + at)
    tl.store(forward + at, tl.cumsum(v, axis=1))
    tl.store(backward + at, tl.cumsum(v, axis=0, reverse=True))
    tl.store(product + at, tl.cumprod(v, axis=1))


@triton.jit
def sorting(x, up, best, flipped, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    v = tl.load(x + row * N + tl.arange(0, N))
    tl.store(up + row * N + tl.arange(0, N), tl.sort(v))
    tl.store(best + row * K + tl.arange(0, K), tl.topk(v, K))
    tl.store(flipped + row * N + tl.arange(0, N), tl.flip(v))


@triton.jit
def extremes(x, high, low, values, columns, BM: tl.constexpr, BN: tl.constexpr):
    at = tl.arange(0, BM)[:, None] * columns + tl.arange(0, BN)[None, :]
    v = tl.load(x + at, mask=tl.arange(0, BN)[None, :] < columns, other=-float("inf"))
    top, where = tl.max(v, axis=1, return_indices=True)
    tl.store(values + tl.arange(0, BM), top)
    tl.store(high + tl.arange(0, BM), where)
    v = tl.where(tl.arange(0, BN)[None, :] < columns, v, float("inf"))
    tl.store(low + tl.arange(0, BM), tl.argmin(v, axis=1))


@triton.jit
def histogram(x, bins, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    h = tl.histogram(tl.load(x + at, mask=at < n, other=0), BINS, mask=at < n)
    tl.atomic_add(bins + tl.arange(0, BINS), h)


@triton.jit
def gathering(x, rows, columns, by_row, by_column, BM: tl.constexpr, BN: tl.constexpr):
    at = tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :]
    v = tl.load(x + at)
    tl.store(by_row + at, tl.gather(v, tl.load(rows + at), 0))
    tl.store(by_column + at, tl.gather(v, tl.load(columns + at), 1))


@triton.jit
def rearranging(x, y, mixed, transposed, joined, halves, N: tl.constexpr):
    at = tl.arange(0, N)
    a, b = tl.load(x + at), tl.load(y + at)
    tl.store(mixed + tl.arange(0, 2 * N), tl.interleave(a, b))
    cube = tl.reshape(a, (4, N // 32, 8))
    tl.store(transposed + at, tl.ravel(tl.permute(cube, (2, 0, 1))))
    tl.store(joined + tl.arange(0, 2 * N), tl.ravel(tl.trans(tl.join(a, b))))
    even, odd = tl.split(tl.reshape(a, (N // 2, 2)))
    tl.store(halves + tl.arange(0, N // 2), even - odd)


@triton.jit
def transpose(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    v = tl.load(x + m[:, None] * N + n[None, :], mask=(m[:, None] < M) & (n[None, :] < N), other=0)
    tl.store(y + n[:, None] * M + m[None, :], v.T, mask=(m[None, :] < M) & (n[:, None] < N))


@triton.jit
def atomics(x, total, top, low, bits, ticket, order, real, half, wide, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    v = tl.load(x + at, mask=inside, other=0)
    tl.atomic_add(total + at % 4, v, mask=inside)
    one = at * 0
    tl.atomic_max(top + one, v, mask=inside, sem="relaxed", scope="gpu")
    tl.atomic_min(low + one, v, mask=inside, sem="release", scope="sys")
    tl.atomic_xor(bits + one, v, mask=inside)
    tl.atomic_or(bits + 1 + one, v, mask=inside)
    tl.atomic_and(bits + 2 + one, v | 1, mask=inside)
    tl.atomic_add(real + at % 2, v.to(tl.float32), mask=inside)
    tl.atomic_add(half + at % 8, (v % 3).to(tl.float16), mask=inside)
    tl.atomic_add(wide + one, v.to(tl.int64), mask=inside)
    mine = tl.atomic_add(ticket, 1)
    tl.store(order + mine, 1)


@triton.jit
def last_block(x, partial, count, y, n, BLOCK: tl.constexpr, PROGRAMS: tl.constexpr):
    """Each program stores its sum; the last one to arrive adds them."""
    pid = tl.program_id(0)
    at = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(partial + pid, tl.sum(tl.load(x + at, mask=at < n, other=0.0), axis=0))
    tl.debug_barrier()
    done = tl.atomic_add(count, 1, sem="acq_rel")
    if done == tl.num_programs(0) - 1:
        all = tl.load(partial + tl.arange(0, PROGRAMS), cache_modifier=".cg")
        tl.store(y, tl.sum(all, axis=0))


@triton.jit
def chained(x, y, flags, sums, n, BLOCK: tl.constexpr):
    """A scan over blocks: each waits for the value published by its neighbour."""
    pid = tl.program_id(0)
    at = pid * BLOCK + tl.arange(0, BLOCK)
    local = tl.cumsum(tl.load(x + at, mask=at < n, other=0), axis=0)
    mine = tl.sum(tl.load(x + at, mask=at < n, other=0), axis=0)
    before = 0
    if pid > 0:
        while tl.atomic_add(flags + pid - 1, 0, sem="acquire") == 0:
            pass
        before = tl.load(sums + pid - 1)
    tl.store(sums + pid, before + mine)
    tl.debug_barrier()
    tl.atomic_xchg(flags + pid, 1, sem="release")
    tl.store(y + at, before + local, mask=at < n)


@triton.jit
def conversions(x, e4, e5, b, h, rz, n, BLOCK: tl.constexpr, FP8: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    if FP8:
        tl.store(e4 + at, v.to(tl.float8e4nv), mask=at < n)
    tl.store(e5 + at, v.to(tl.float8e5), mask=at < n)
    tl.store(b + at, v.to(tl.bfloat16), mask=at < n)
    tl.store(h + at, v.to(tl.float16).to(tl.float8e5).to(tl.float32), mask=at < n)
    tl.store(rz + at, v.to(tl.bfloat16, fp_downcast_rounding="rtz"), mask=at < n)


@triton.jit
def assembly(x, y, high, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at)
    r = tl.inline_asm_elementwise("""{
        .reg .b32 t<4>;
        .reg .pred more;
        mov.b32 t0, 0;
        mov.b32 t1, $1;
    AGAIN: setp.ne.b32 more, t1, 0;
        @!more bra OVER;
        sub.u32 t2, t1, 1;
        and.b32 t1, t1, t2;
        add.u32 t0, t0, 1;
        bra AGAIN;
    OVER: mov.b32 $0, t0;
    }""", "=r,r", [v], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(y + at, r)
    a, b = tl.inline_asm_elementwise("shf.l.wrap.b32 $0, $2, $2, 8; prmt.b32 $1, $2, 0, 0x0123;", "=r,=r,r", [v],
                                     dtype=(tl.int32, tl.int32), is_pure=True, pack=1)
    tl.store(high + at, a ^ b)


@triton.jit
def speaking(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=1)
    tl.device_assert(v > 0, "positive")
    tl.device_print("total", tl.sum(v, axis=0))


@triton.jit
def functions(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at)
    r = libdevice.tanh(v) + tl.erf(v) + tl.sin(v) * tl.cos(v) + libdevice.cbrt(v) + tl.exp(-v) + tl.log2(v * v + 1)
    r += libdevice.pow(tl.abs(v), 1.5) + tl.floor(v) + tl.sqrt_rn(v * v + 0.25) + tl.fma(v, v, 1.0) + tl.div_rn(v, 3.0)
    tl.store(y + at, r)


@triton.jit
def doubles(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at)
    s = tl.sum(v, axis=0)
    tl.store(y + at, tl.exp(v - tl.max(v, axis=0)) / s + libdevice.lgamma(tl.abs(v) + 0.5))


@triton.jit
def far(x, y, rows, stride, BLOCK: tl.constexpr):
    """Rows far apart: a 64-bit offset beyond 32 bits."""
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    tl.store(y + row * BLOCK + at, tl.load(x + row * stride + at) * 2)


@triton.jit
def descriptors(x, y, z, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """Blocks that exceed the array, from the host and from the device; a third is accumulated in memory."""
    dy = tl.make_tensor_descriptor(y, [M, N], [N, 1], [BM, BN])
    dz = tl.make_tensor_descriptor(z, [M, N], [N, 1], [BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    v = x.load([m, n])
    dy.store([m, n], v * 2)
    dz.atomic_add([m, n], v)


@triton.jit
def padded(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """A descriptor of three dimensions read across every border."""
    d = tl.make_tensor_descriptor(x, [2, M, N], [M * N, N, 1], [1, BM, BN])
    m, n = tl.arange(0, BM), tl.arange(0, BN)
    for i in range(4):
        v = tl.reshape(d.load([i - 1, -3, 8 * i - 4]), (BM, BN))
        tl.store(y + (i * BM + m)[:, None] * BN + n[None, :], v)


@triton.jit
def dependent(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    gdc_wait()
    v = tl.load(x + at, mask=at < n)
    gdc_launch_dependents()
    tl.store(y + at, v + 1, mask=at < n)


@triton.jit
def pointers(x, y, list, n, BLOCK: tl.constexpr):
    """A linked list that one program follows, and a loop whose end depends on data."""
    at, steps = 0, 0
    while at >= 0:
        tl.store(y + steps, tl.load(x + at))
        at = tl.load(list + at)
        steps += 1
    tl.store(y + n, steps)


@triton.jit
def collatz(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=1)
    steps = tl.zeros((BLOCK,), tl.int32)
    while tl.max(v, axis=0) > 1:
        steps += (v > 1).to(tl.int32)
        v = tl.where(v <= 1, 1, tl.where(v % 2 == 0, v // 2, 3 * v + 1))
    tl.store(y + at, steps, mask=at < n)


@triton.jit
def queue(x, y, head, n, BLOCK: tl.constexpr):
    """Programs take work from a queue until it is empty."""
    item = tl.atomic_add(head, 1)
    while item < n:
        at = item * BLOCK + tl.arange(0, BLOCK)
        tl.store(y + at, tl.load(x + at) * item)
        item = tl.atomic_add(head, 1)


@triton.jit
def in_and_out(x, y, n, BLOCK: tl.constexpr):
    """Adjacent elements of one byte, a mask from data, and other values where it is false."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=7)
    left = tl.load(x + at - 1, mask=(at > 0) & (at <= n), other=-1)
    tl.store(y + at, tl.where(v > left, v, left), mask=(at < n) & (v != 0))


def cases():
    steps, columns = 128, 16
    a, b = make(random.uniform(0.5, 1, (steps, columns)), "f32"), normal(steps, columns)
    for reverse in (False, True):
        h, y = np.zeros(columns), np.zeros((steps, columns))
        for t in reversed(range(steps)) if reverse else range(steps):
            h = a.value[t] * h + b.value[t]
            y[t] = h
        yield Case("recurrence_%d" % reverse, linear_recurrence,
                   {"a": put(a), "b": put(b), "y": out(make(y, "f32"), 1e-4)}, [1],
                   {"STEPS": steps, "COLUMNS": columns, "REVERSE": reverse}, {"num_warps": 4})
    x = make(random.uniform(0.5, 1.5, (64, 32)), "f32")
    yield Case("sums", sums, {"x": put(x), "forward": out(make(np.cumsum(x.value, 1), "f32"), 1e-3),
                              "backward": out(make(np.cumsum(x.value[::-1], 0)[::-1], "f32"), 1e-3),
                              "product": out(make(np.cumprod(x.value, 1), "f32"), 1e-3, 1e-3)}, [1], {"BM": 64, "BN": 32})
    for kind, warps in (("f32", 4), ("i16", 1)):
        x = normal(2, 256) if kind == "f32" else integers(-900, 900, 2, 256, kind=kind)
        up = np.sort(x.bits, axis=1)
        yield Case("sorting_" + kind, sorting,
                   {"x": put(x), "up": out(Bits(up, kind)), "best": out(Bits(up[:, ::-1][:, :16].copy(), kind)),
                    "flipped": out(Bits(x.bits[:, ::-1].copy(), kind))}, [2], {"N": 256, "K": 16}, {"num_warps": warps})
    x = normal(16, 50)
    yield Case("extremes", extremes,
               {"x": put(x), "high": out(x.value.argmax(1).astype(np.int32)), "low": out(x.value.argmin(1).astype(np.int32)),
                "values": out(make(x.value.max(1), "f32")), "columns": 50}, [1], {"BM": 16, "BN": 64})
    x = integers(0, 32, 1000)
    yield Case("histogram", histogram, {"x": put(x), "bins": out(np.bincount(x.bits, minlength=32).astype(np.int32),
                                                                 init=np.zeros(32, np.int32)), "n": 1000}, [2],
               {"BLOCK": 512, "BINS": 32})
    x, rows, columns = normal(32, 64), integers(0, 32, 32, 64), integers(0, 64, 32, 64)
    yield Case("gathering", gathering,
               {"x": put(x), "rows": put(rows), "columns": put(columns),
                "by_row": out(np.take_along_axis(x.bits, rows.bits, 0)),
                "by_column": out(np.take_along_axis(x.bits, columns.bits, 1))}, [1], {"BM": 32, "BN": 64})
    n = 256
    x, y = normal(n), normal(n)
    yield Case("rearranging", rearranging,
               {"x": put(x), "y": put(y), "mixed": out(np.stack([x.bits, y.bits], 1).ravel()),
                "turned": out(x.bits.reshape(4, n // 32, 8).transpose(2, 0, 1).ravel().copy()),
                "joined": out(np.concatenate([x.bits, y.bits])), "halves": out(x.bits[::2] - x.bits[1::2])}, [1], {"N": n})
    for kind in ("f16", "i8", "f64"):
        x = integers(-99, 99, 70, 100, kind=kind) if kind == "i8" else normal(70, 100, kind=kind)
        yield Case("transpose_" + kind, transpose, {"x": put(x), "y": out(Bits(x.bits.T.copy(), kind)), "M": 70, "N": 100},
                   [2, 2], {"BM": 64, "BN": 64})

    n = 700
    x = integers(1, 1000, n)
    v = x.bits
    half = np.zeros(8)
    np.add.at(half, np.arange(n) % 8, v % 3)
    yield Case("atomics", atomics,
               {"x": put(x),
                "total": out(np.array([v[i::4].sum() for i in range(4)], np.int32), init=np.zeros(4, np.int32)),
                "top": out(np.array([v.max()], np.int32), init=np.zeros(1, np.int32)),
                "low": out(np.array([v.min()], np.int32), init=np.full(1, 5000, np.int32)),
                "bits": out(np.array([np.bitwise_xor.reduce(v), np.bitwise_or.reduce(v), np.bitwise_and.reduce(v | 1)],
                                     np.int32), init=np.array([0, 0, -1], np.int32)),
                "ticket": out(np.array([3], np.int32), init=np.zeros(1, np.int32)), "order": out(np.ones(3, np.int32)),
                "real": out(make([v[0::2].sum(), v[1::2].sum()], "f32"), init=np.zeros(2, np.float32)),
                "half": out(make(half, "f16"), init=np.zeros(8, np.float16)),
                "wide": out(np.array([v.sum()], np.int64), init=np.zeros(1, np.int64)), "n": n}, [3], {"BLOCK": 256})
    n = 2000
    x = integers(-9, 9, n, kind="f32")
    yield Case("last_block", last_block, {"x": put(x), "partial": put(np.full(8, np.nan, np.float32)), "count":
                                          put(np.zeros(1, np.int32)), "y": out(make([x.value.sum()], "f32")), "n": n}, [8],
               {"BLOCK": 256, "PROGRAMS": 8})
    x = integers(-9, 9, n)
    yield Case("chained", chained, {"x": put(x), "y": out(np.cumsum(x.bits).astype(np.int32)), "flags":
                                    put(np.zeros(8, np.int32)), "sums": out(
                                        np.add.reduceat(x.bits, np.arange(0, n, 256)).cumsum().astype(np.int32)), "n": n},
               [8], {"BLOCK": 256})
    x = make(np.concatenate([random.standard_normal(400) * 30, [0, -0.0, 448, 464, 1e-3, 0.001953125, 57344]]), "f32")
    n = len(x.bits)
    toward = Bits((x.bits.view(np.uint32) >> 16).astype(np.uint16), "bf16")
    for fp8, gpus in ((True, lambda gpu: gpu not in ("sm_80", "sm_86")), (False, None)):
        e4 = make(x.value, "f8E4M3FN") if fp8 else Bits(np.zeros(n, np.uint8), "u8")
        yield Case("conversions_%d" % fp8, conversions,
                   {"x": put(x), "e4": out(e4) if fp8 else put(e4), "e5": out(make(x.value, "f8E5M2")), "b":
                    out(make(x.value, "bf16")), "h": out(make(make(make(x.value, "f16").value, "f8E5M2").value, "f32")),
                    "rz": out(toward), "n": n}, [1], {"BLOCK": 512, "FP8": fp8}, gpus=gpus)
    x = integers(-2**31, 2**31, 128)
    u = x.bits.view(np.uint32)
    transposed = ((u << np.uint32(8)) | (u >> np.uint32(24))) ^ u.byteswap()
    yield Case("assembly", assembly, {"x": put(x), "y": out(np.array([bin(w).count("1") for w in u], np.int32)), "high":
                                      out(transposed.view(np.int32))}, [1], {"BLOCK": 128})
    x = integers(1, 9, 100)
    yield Case("speaking", speaking, {"x": put(x), "n": 100}, [1], {"BLOCK": 128}, {"debug": True, "num_warps": 1},
               fields={"stdout_order": "any", "stdout_text": "".join("pid (0, 0, 0) idx () total: %d\n" % x.bits.sum()
                                                                     for lane in range(32))})
    from math import erf
    x = normal(256)
    v = x.value
    r = np.tanh(v) + np.vectorize(erf)(v) + np.sin(v) * np.cos(v) + np.cbrt(v) + np.exp(-v) + np.log2(v * v + 1)
    r += np.abs(v) ** 1.5 + np.floor(v) + np.sqrt(v * v + 0.25) + v * v + 1 + v / 3
    yield Case("functions", functions, {"x": put(x), "y": out(make(r, "f32"), 1e-4, 1e-4)}, [1], {"BLOCK": 256})
    from math import lgamma
    x = normal(128, kind="f64")
    v = x.value
    yield Case("doubles", doubles, {"x": put(x), "y": out(make(np.exp(v - v.max()) / v.sum() + np.vectorize(lgamma)(
        np.abs(v) + 0.5), "f64"), 1e-9, 1e-9)}, [1], {"BLOCK": 128})
    x = normal(2, 256)
    yield Case("far", far, {"x": put(x), "y": out(make(x.value[:1] * 2, "f32")), "rows": 1, "stride": 3 << 31}, [1],
               {"BLOCK": 256}, plain=("rows",))

    m, n = 50, 72
    x = integers(-99, 99, m, n, kind="f32")
    yield Case("descriptors", descriptors,
               {"x": Descriptor(put(x), (32, 32)), "y": out(make(x.value * 2, "f32")), "z":
                out(make(x.value + 1, "f32"), init=make(np.ones((m, n)), "f32")), "M": m, "N": n}, [2, 3],
               {"BM": 32, "BN": 32})
    m, n = 12, 32
    x = normal(2, m, n)
    y = np.zeros((4, 16, 16))
    for i in range(4):
        big = np.zeros((6, 64, 128))
        big[2:4, 16:16 + m, 32:32 + n] = x.value
        y[i] = big[2 + i - 1, 13:29, 32 + 8 * i - 4:32 + 8 * i + 12]
    yield Case("padded", padded, {"x": put(x), "y": out(make(y, "f32")), "M": m, "N": n}, [1], {"BM": 16, "BN": 16})
    x = normal(900)
    yield Case("dependent", dependent, {"x": put(x), "y": out(make(x.value + 1, "f32"), 1e-6), "n": 900}, [4],
               {"BLOCK": 256}, {"launch_pdl": True}, gpus=lambda gpu: number_of(gpu) >= 90)
    n = 20
    order = random.permutation(np.arange(1, n))
    follow = np.full(n, -1, np.int32)
    at = 0
    for nxt in order:
        follow[at], at = nxt, nxt
    x = normal(n)
    y = np.concatenate([x.bits[np.concatenate([[0], order])], [n]]).astype(np.float32)
    yield Case("pointers", pointers, {"x": put(x), "y": out(y), "list": put(follow), "n": n}, [1], {"BLOCK": 1},
               {"num_warps": 2})
    x = integers(1, 300, 500)

    def steps_of(v):
        count = 0
        while v > 1:
            v, count = (v // 2 if v % 2 == 0 else 3 * v + 1), count + 1
        return count
    yield Case("collatz", collatz, {"x": put(x), "y": out(np.array([steps_of(int(v)) for v in x.bits], np.int32)), "n":
                                    500}, [4], {"BLOCK": 128})
    x = normal(7, 128)
    yield Case("queue", queue, {"x": put(x), "y": out(make(x.value * np.arange(7)[:, None], "f32")), "head":
                                out(np.array([10], np.int32), init=np.zeros(1, np.int32)), "n": 7}, [3], {"BLOCK": 128})
    n = 1000
    x = integers(0, 5, n, kind="i8")
    left = np.concatenate([[-1], x.bits[:-1]])
    y = np.where(x.bits != 0, np.maximum(x.bits, left), 99).astype(np.int8)
    yield Case("in_and_out", in_and_out, {"x": put(x), "y": out(y, init=np.full(n, 99, np.int8)), "n": n}, [4],
               {"BLOCK": 256}, plain=("x", "y"))


def number_of(gpu):
    return int(gpu.strip("sm_a"))
