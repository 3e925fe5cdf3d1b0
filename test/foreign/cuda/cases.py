# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments and NumPy's answers of the kernels in this folder."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../lib"))
from rawcase import buffer, scalar, struct, tensor_map  # noqa: E402

random = np.random.default_rng(7)


def elementwise():
    n = 1000
    x, y = random.standard_normal(n).astype(np.float32), random.standard_normal(n).astype(np.float32)
    offset = np.array([0.5, -1.5, 2.25, 8.0], np.float32)
    expect = (np.float32(1.5) * x.astype(np.float64) + y).astype(np.float32) + offset[np.arange(n) & 3]
    yield dict(entry="axpy", grid=[3], block=[128], args=[
        buffer("y", y, expect, atol=1e-5), buffer("x", x), scalar("a", "f32", 1.5), scalar("n", "i32", n)])

    a, b = random.integers(-128, 128, n).astype(np.int8), random.integers(0, 256, n).astype(np.uint8)
    table = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3])
    i = np.arange(n)
    v = np.clip((a.astype(np.int32) * b + table[i & 15]) >> 2, -100, 3000)
    expect = np.trunc((v.astype(np.float32) * np.float32(0.75)).astype(np.float64) + np.where(i & 1, -20.5, 10.25))
    yield dict(entry="narrow", grid=[8], block=[128], args=[
        buffer("out", None, expect.astype(np.int16)), buffer("a", a), buffer("b", b),
        struct("scale", 24, 8, [{"offset": 0, "dtype": "f32", "value": 0.75}, {"offset": 4, "dtype": "i32", "value": 2},
                                {"offset": 8, "dtype": "f64", "value": [10.25, -20.5]}]),
        scalar("n", "i32", n)])

    a = random.integers(-2**62, 2**62, n)
    b = random.integers(1, 2**20, n).astype(np.int32) * np.where(random.integers(0, 2, n), 1, -1).astype(np.int32)
    out = []
    for x, y in zip(a.tolist(), b.tolist()):
        q = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        r = q + (x - q * y)
        unsigned = x % 2**64
        r ^= (unsigned << (y & 31)) + (unsigned >> 7)
        r += (unsigned * ((x ^ y) % 2**64)) >> 64
        r += bin(unsigned % 2**32).count("1") + (32 - (y % 2**32).bit_length())
        out.append(r % 2**64)
    yield dict(entry="integers", grid=[8], block=[128], args=[
        buffer("out", None, np.array(out, np.uint64).view(np.int64)), buffer("a", a), buffer("b", b),
        scalar("n", "i32", n)])

    x, f = random.standard_normal(n) * 50, random.standard_normal(n).astype(np.float32)
    v = x * 1.25 - f
    with np.errstate(all="ignore"):
        v = np.where(v > 0, v / (1 + v), -v)
    expect = v + np.trunc(x * 1000) + np.sqrt(np.abs(f)).astype(np.float64)
    yield dict(entry="doubles", grid=[8], block=[128], args=[
        buffer("out", None, expect, rtol=1e-12, atol=1e-6), buffer("x", x), buffer("f", f), scalar("n", "i32", n)])

    x = random.standard_normal((n, 4)).astype(np.float32)
    expect = np.stack([x[:, 3], x[:, 2] * 2, x[:, 1] + 1, x[:, 0]], axis=1)[::-1]
    yield dict(entry="vectors", grid=[8], block=[128], args=[
        buffer("out", None, expect), buffer("in", x), scalar("n", "i32", n)])


def reduce():
    x = random.integers(-50, 50, 5000).astype(np.float32)
    blocks, threads = 6, 256
    expect = np.zeros(blocks, np.float32)
    for i, v in enumerate(x):
        expect[i % (blocks * threads) // threads] += v
    yield dict(entry="blockSum", grid=[blocks], block=[threads], args=[
        buffer("out", None, expect), buffer("in", x), scalar("n", "i32", len(x))])

    x = random.integers(-100, 100, 1000).astype(np.int32)
    yield dict(entry="lastBlock", grid=[8], block=[128], args=[
        buffer("total", None, np.array([x.sum()], np.int32)), buffer("partial", np.zeros(8, np.int32)),
        buffer("in", x), scalar("n", "i32", 1000)])

    x = random.integers(-100, 100, (5, 256)).astype(np.int32)
    yield dict(entry="blockScan", grid=[5], block=[256], args=[
        buffer("out", None, np.cumsum(x, axis=1).astype(np.int32)), buffer("in", x)])

    x = random.integers(-100, 100, 12 * 128).astype(np.int32)
    yield dict(entry="chainedScan", grid=[12], block=[128], args=[
        buffer("out", None, np.cumsum(x).astype(np.int32)), buffer("prefix", np.zeros(12, np.int32)),
        buffer("flags", np.zeros(12, np.int32)), buffer("in", x)])

    blocks, rounds = 7, 4
    sums = np.array([sum(b * (r + 1) for b in range(blocks)) for r in range(rounds)], np.int32)
    yield dict(entry="gridBarrier", grid=[blocks], block=[64], co_resident=True, args=[
        buffer("out", None, np.repeat(sums, blocks)), buffer("scratch", np.zeros(blocks, np.int32)),
        scalar("rounds", "i32", rounds)])

    x = random.integers(0, 256, 3000).astype(np.uint8)
    bins = np.bincount(x & 63, minlength=64).astype(np.int32)
    yield dict(entry="histogram", grid=[4], block=[96], args=[
        buffer("bins", np.zeros(64, np.int32), bins), buffer("in", x), scalar("n", "i32", len(x))])

    x = random.integers(0, 9, 500).astype(np.int32)
    yield dict(entry="aggregated", grid=[4], block=[128], args=[
        buffer("bins", np.zeros(16, np.int32), np.bincount(x, minlength=16).astype(np.int32)), buffer("key", x),
        scalar("n", "i32", len(x))])

    x = random.integers(-5, 5, (3, 256)).astype(np.int32)
    expect, mask = np.zeros_like(x), np.zeros(x.shape, np.uint8)
    for b in range(3):
        kept = x[b][x[b] > 0]
        expect[b, :len(kept)], mask[b, :len(kept)] = kept, 1
    yield dict(entry="compact", grid=[3], block=[256], args=[
        buffer("out", None, expect, mask=mask), buffer("counts", None, (x > 0).sum(axis=1).astype(np.int32)),
        buffer("in", x)])

    yield dict(entry="locked", grid=[2], block=[36], args=[
        buffer("counter", np.zeros(1, np.int32), np.array([2 * 36], np.int32)), scalar("rounds", "i32", 1)])

    x = random.integers(-1000, 1000, 32).astype(np.int32)
    lane = np.arange(32)
    given = np.where(lane & 1, x * 3, x + 100)
    expect = (given[lane ^ 1] + np.where(lane & 1, 0, 1)).astype(np.int32)
    yield dict(entry="twoSides", grid=[1], block=[32], args=[buffer("out", None, expect), buffer("in", x)])


def control():
    n = 100
    i = np.arange(n)
    fib = [0, 1]
    while len(fib) < 12:
        fib.append(fib[-1] + fib[-2])
    yield dict(entry="recursion", grid=[4], block=[32], stack_bytes=4096, args=[
        buffer("out", None, np.array(fib, np.int32)[i % 12]), scalar("n", "i32", n)])

    which = random.integers(0, 3, n).astype(np.int32)
    table = [lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b]
    expect = np.array([table[w](k, 7) + table[w](3, k) for k, w in enumerate(which)], np.int32)
    yield dict(entry="indirect", grid=[4], block=[32], args=[
        buffer("out", None, expect), buffer("which", which), scalar("n", "i32", n)])

    yield dict(entry="virtuals", grid=[4], block=[32], args=[
        buffer("out", None, np.where(i & 1, i * i, i * 3).astype(np.float32)), scalar("n", "i32", n)])

    x = random.integers(-1000, 1000, (n, 16)).astype(np.int32)
    yield dict(entry="localSort", grid=[2], block=[64], args=[
        buffer("out", None, np.sort(x, axis=1)), buffer("in", x), scalar("n", "i32", n)])

    given = random.integers(-1000, 1000, 10).astype(np.int32)
    expect = []
    for k in range(n):
        b = [k * j + j * j for j in range(10)]
        b[k % 10] += given[(k * 3) % 10]
        second = (k + 1) % 10
        expect.append(b[k % 10] + b[9 - k % 10] + given[second] + given[9 - second])
    yield dict(entry="structs", grid=[4], block=[32], args=[
        buffer("out", None, np.array(expect, np.int32)),
        struct("given", 40, 4, [{"offset": 0, "dtype": "i32", "value": given.tolist()}]), scalar("n", "i32", n)])

    x = random.integers(0, 4096, n).astype(np.int32)
    expect = []
    for k, v in enumerate(x.tolist()):
        r = 0
        for j in range(4):
            r = [lambda r: r + 11, lambda r: r * 3, lambda r: r ^ 0x55, lambda r: r - k, lambda r: r << 2,
                 lambda r: -r, lambda r: r | 1, lambda r: r + j][(v >> (3 * j)) & 7](r)
        expect.append(r)
    yield dict(entry="switches", grid=[4], block=[32], args=[
        buffer("out", None, np.array(expect, np.int32)), buffer("in", x), scalar("n", "i32", n)])

    m = 96
    x = random.integers(-1000, 1000, (3, m)).astype(np.int32)
    expect = (x + np.roll(x, -1, axis=1))[:, ::-1]
    yield dict(entry="dynamicShared", grid=[3], block=[m], shared_bytes=2 * 4 * m, args=[
        buffer("out", None, expect), buffer("in", x), scalar("n", "i32", m)])

    text = "".join("thread %d of %s: %5.2f %d %c%%\n" % (k, "block", k * 0.5, k << 33, ord("a") + k) for k in range(6))
    yield dict(entry="printing", grid=[2], block=[4], stdout=text, stdout_order="any", args=[scalar("n", "i32", 6)])

    x = random.integers(-1000, 1000, 64).astype(np.int32)
    yield dict(entry="earlyExit", grid=[1], block=[128], args=[
        buffer("out", None, x[::-1]), buffer("in", x)])

    x = random.integers(-1000, 1000, (5, 32)).astype(np.int32)
    yield dict(entry="namedBarriers", grid=[2], block=[64], args=[
        buffer("out", None, x[:, ::-1] * 2), buffer("in", x), scalar("rounds", "i32", 5)])


def matmul():
    m, n, k = 37, 45, 29
    a, b = random.standard_normal((m, k)).astype(np.float32), random.standard_normal((k, n)).astype(np.float32)
    expect = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)
    yield dict(entry="matmulTiled", grid=[3, 3], block=[16, 16], args=[
        buffer("c", None, expect, atol=1e-4), buffer("a", a), buffer("b", b), scalar("m", "i32", m),
        scalar("n", "i32", n), scalar("k", "i32", k)])

    m, n, k = 64, 128, 160
    a, b = random.standard_normal((m, k)).astype(np.float16), random.standard_normal((k, n)).astype(np.float16)
    expect = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)
    yield dict(entry="matmulTensor", grid=[2, 1], block=[128], args=[
        buffer("c", None, expect, atol=2e-3), buffer("a", a), buffer("b", b), scalar("n", "i32", n),
        scalar("k", "i32", k)])

    k = 48
    a, b = random.standard_normal((16, k)).astype(np.float16), random.standard_normal((16, k)).astype(np.float16)
    c = random.standard_normal((16, 16)).astype(np.float32)
    expect = (2 * (a.astype(np.float64) @ b.T.astype(np.float64) + c)).astype(np.float32)
    yield dict(entry="matmulWmma", grid=[1], block=[32], args=[
        buffer("d", None, expect, atol=1e-3), buffer("a", a), buffer("b", b), buffer("c", c), scalar("k", "i32", k)])

    a, b = random.integers(-128, 128, (16, 32)).astype(np.int8), random.integers(-128, 128, (8, 32)).astype(np.int8)
    expect = a.astype(np.int32) @ b.T.astype(np.int32)
    col, row = np.arange(8) & 1, np.arange(16) // 8
    expect += 1 + col[None, :] + 2 * row[:, None]
    yield dict(entry="matmulInt8", grid=[1], block=[32], args=[
        buffer("c", None, expect.astype(np.int32)), buffer("a", a), buffer("b", b)])


def hopper():
    x = random.integers(-100, 100, (5, 256)).astype(np.float32)
    yield dict(entry="bulkSum", grid=[1], block=[256], args=[
        buffer("out", None, x.sum(axis=0)), buffer("in", x), scalar("pieces", "i32", 5)])

    rows, cols = 50, 76
    x = random.standard_normal((rows, cols)).astype(np.float32)
    padded = np.zeros((cols, 52), np.float32)
    padded[:, :rows] = x.T + 1
    mask = np.zeros(padded.shape, np.uint8)
    mask[:, :rows] = 1
    yield dict(entry="transposeTma", grid=[3, 2], block=[128], args=[
        tensor_map("in", "x", "FLOAT32", [cols, rows], [cols * 4], [32, 32]),
        tensor_map("out", "y", "FLOAT32", [rows, cols], [52 * 4], [32, 32])],
        buffers=[buffer("x", x), buffer("y", None, padded, mask=mask)])

    x = random.integers(0, 256, 3000).astype(np.uint8)
    yield dict(entry="clusterHistogram", grid=[8], block=[64], cluster=[4], args=[
        buffer("bins", np.zeros(64, np.int32), np.bincount(x & 63, minlength=64).astype(np.int32)), buffer("in", x),
        scalar("n", "i32", len(x))])

    x = random.integers(-1000, 1000, (3, 64)).astype(np.int32)
    expect = np.stack([x, x * 2], axis=1).reshape(6, 64)
    yield dict(entry="multicast", grid=[6], block=[64], cluster=[2], args=[buffer("out", None, expect), buffer("in", x)])


# Sources, their cases, and the first supported architecture.
SOURCES = {"elementwise.cu": (elementwise, 80), "reduce.cu": (reduce, 80), "control.cu": (control, 80),
           "matmul.cu": (matmul, 80), "hopper.cu": (hopper, 90)}
