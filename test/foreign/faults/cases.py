# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments and NumPy's answers of the kernels in this folder; the runner adds `bug`."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../lib"))
from rawcase import buffer, scalar, tensor_map  # noqa: E402

random = np.random.default_rng(17)


def integers(*shape, low=-100, high=100):
    return random.integers(low, high, shape).astype(np.int32)


def zeros(*shape, dtype=np.int32):
    return np.zeros(shape, dtype)


def ordering():
    x = integers(6, 64)
    yield dict(entry="ticketSum", grid=[6], block=[64], args=[
        buffer("total", None, np.array([3 * x.sum()], np.int32)), buffer("partial", None, 3 * x), buffer("in", x)])

    yield dict(entry="volatileSum", grid=[6], block=[64], args=[
        buffer("total", None, np.array([x.sum()], np.int32)), buffer("partial", zeros(6)), buffer("in", x)])

    x = integers(40, 128)
    yield dict(entry="lookBack", grid=[40], block=[128], args=[
        buffer("out", None, np.cumsum(x).astype(np.int32)), buffer("state", np.zeros(40, np.uint64)), buffer("in", x)])

    x = integers(5, 2, 64).astype(np.float32)
    yield dict(entry="turns", grid=[2, 5], block=[64], co_resident=True, args=[
        buffer("c", None, x.sum(axis=0)), buffer("lock", zeros(2), zeros(2)), buffer("part", x)])

    slots = zeros(4, 4)
    slots[:, 0] = np.arange(4)
    yield dict(entry="queue", grid=[6], block=[32], co_resident=True, args=[
        buffer("sums", zeros(1), np.array([sum(k + k * k for k in range(40))], np.int32)), buffer("slots", slots),
        scalar("items", "i32", 40)])

    yield dict(entry="mutex", grid=[3], block=[64], co_resident=True, args=[
        buffer("counter", zeros(1), np.array([3 * 2 * 4], np.int32)), scalar("rounds", "i32", 4)])

    yield dict(entry="twoLocks", grid=[2], block=[32], co_resident=True, args=[
        buffer("counters", zeros(2), np.array([2, 4], np.int32))])

    n, steps = 4 * 32, 6
    a = random.standard_normal(n).astype(np.float32)
    now = a
    for _ in range(steps - 1):
        now = (np.float32(0.5) * (np.roll(now, 1) + np.roll(now, -1))).astype(np.float32)
    after = (np.float32(0.5) * (np.roll(now, 1) + np.roll(now, -1))).astype(np.float32)
    yield dict(entry="gridSteps", grid=[4], block=[32], co_resident=True, args=[
        buffer("a", a, after, atol=1e-6), buffer("b", None, now, atol=1e-6), scalar("steps", "i32", steps)])

    tasks = integers(20)
    yield dict(entry="fetchTasks", grid=[3], block=[64], args=[
        buffer("done", None, tasks[:, None] + np.arange(8, dtype=np.int32)), buffer("tasks", tasks),
        buffer("next", zeros(1)), scalar("n", "i32", 20)])

    x = integers(32)
    yield dict(entry="sharedFlag", grid=[1], block=[64], args=[buffer("out", None, 2 * x[::-1]), buffer("in", x)])

    x = integers(128)
    yield dict(entry="readOnly", grid=[2], block=[64], args=[buffer("out", None, x), buffer("x", x, x + 1)])
    yield dict(entry="inPlace", grid=[2], block=[64], args=[buffer("x", x, x + 1), scalar("n", "i32", 128)])

    f = random.random(500).astype(np.float32)
    yield dict(entry="maximum", grid=[2], block=[64], corrected=[1], args=[
        buffer("top", np.zeros(1, np.float32), f.max(keepdims=True)), buffer("in", f), scalar("n", "i32", 500)])

    yield dict(entry="patterns", grid=[2], block=[32], co_resident=True, args=[
        buffer("out", None, np.array([5], np.int32)), buffer("data", zeros(1)), buffer("word", zeros(1)),
        buffer("other", zeros(1))])

    y = integers(6, 32)
    yield dict(entry="lookBackApart", grid=[6], block=[32], co_resident=True, corrected=[3], args=[
        buffer("out", None, np.cumsum(y).astype(np.int32)), buffer("flag", zeros(6)), buffer("sum", zeros(6)),
        buffer("prefix", zeros(6)), buffer("in", y)])

    y = integers(30)
    yield dict(entry="together", grid=[30], block=[32], co_resident=True, args=[
        buffer("out", None, np.cumsum(y).astype(np.int32)), buffer("state", zeros(60)), buffer("in", y)])

    yield dict(entry="dekker", grid=[2], block=[32], co_resident=True, args=[
        buffer("count", zeros(1)), buffer("flags", zeros(2))])

    yield dict(entry="scopes", grid=[4], block=[32], args=[
        buffer("bins", zeros(8), np.bincount(x & 7, minlength=8).astype(np.int32)), buffer("in", x),
        scalar("n", "i32", 128)])


def sharing():
    x = integers(2, 64)
    yield dict(entry="warpReduce", grid=[2], block=[64], args=[
        buffer("out", None, x.reshape(4, 32).sum(axis=1).astype(np.int32)), buffer("in", x)])

    x = integers(32)
    ballot = sum(1 << lane for lane in range(16, 32) if x[lane] > 0)
    expect = np.where(np.arange(32) < 16, x[:16].sum(), ballot).astype(np.uint32)
    yield dict(entry="halves", grid=[1], block=[32], args=[buffer("out", None, expect), buffer("in", x)])

    count = integers(32, low=1, high=12)
    sums = [sum(np.sum((count > k) & (count & 3 == c & 3)) for k in range(c)) for c in count]
    yield dict(entry="shrinking", grid=[1], block=[32], args=[
        buffer("out", None, np.array(sums, np.int32)), buffer("count", count)])

    x, steps = integers(64), 7
    yield dict(entry="doubleBuffer", grid=[1], block=[64], args=[
        buffer("out", None, np.roll(x, -steps) + steps), buffer("in", x), scalar("steps", "i32", steps)])

    x = integers(6, 64)
    yield dict(entry="rotating", grid=[1], block=[64], args=[
        buffer("out", None, x.sum(axis=0)[::-1].astype(np.int32)), buffer("in", x), scalar("steps", "i32", 6)])

    x = integers(64)
    yield dict(entry="reuse", grid=[1], block=[64], args=[
        buffer("out", None, (0.5 * x[::-1])[np.arange(64) ^ 40].astype(np.float32)), buffer("in", x)])

    x = integers(5)
    yield dict(entry="broadcast", grid=[1], block=[256], args=[
        buffer("out", None, np.full(256, x.sum(), np.int32)), buffer("in", x), scalar("rounds", "i32", 5)])

    x = integers(6, 32)
    expect = np.concatenate([np.roll(x.sum(axis=0), -w) for w in (1, 2, 3)]).astype(np.int32)
    yield dict(entry="handOver", grid=[1], block=[128], args=[
        buffer("out", None, expect), buffer("in", x), scalar("rounds", "i32", 6)])

    x = integers(64)
    yield dict(entry="votes", grid=[1], block=[64], args=[
        buffer("out", None, x[::-1] + np.int32(1000 * (x > 90).any())), buffer("in", x)])

    x = integers(40)
    yield dict(entry="leaving", grid=[1], block=[128], args=[
        buffer("out", None, x[::-1]), buffer("in", x), scalar("n", "i32", 40)])

    x = integers(64)
    yield dict(entry="branches", grid=[1], block=[64], args=[buffer("out", None, x[::-1]), buffer("in", x)])

    x = integers(12, 75)
    t = np.arange(75)
    v = x[:, ::-1]
    expect = v + np.where(t < 64, v[:, np.where(t < 64, t ^ 1, t)], v)
    yield dict(entry="oddBlock", grid=[3, 2, 2], block=[5, 5, 3], args=[
        buffer("out", None, expect.astype(np.int32)), buffer("in", x)])

    x = integers(100)
    yield dict(entry="tail", grid=[4], block=[32], args=[
        buffer("out", None, 2 * x), buffer("in", x), scalar("n", "i32", 100)])

    x = integers(32, 4)
    yield dict(entry="vector", grid=[1], block=[32], args=[buffer("out", None, x), buffer("in", x)])

    x = integers(32)
    raw = np.zeros((32, 24), np.uint8)
    back = x[::-1].copy()
    raw[:, 0] = back.astype(np.int8).view(np.uint8)
    raw[:, 4:8] = (back * 2).view(np.uint8).reshape(32, 4)
    raw[:, 8:10] = (back * 3).astype(np.int16).view(np.uint8).reshape(32, 2)
    raw[:, 16:24] = (back * 5).astype(np.int64).view(np.uint8).reshape(32, 8)
    mask = np.zeros((32, 24), np.uint8)
    mask[:, [0, 4, 5, 6, 7, 8, 9, *range(16, 24)]] = 1
    total = (back.astype(np.int8) + back * 2 + (back * 3).astype(np.int16) + back * 5).astype(np.int32)
    yield dict(entry="holes", grid=[1], block=[32], args=[
        buffer("out", None, raw, mask=mask, align=16), buffer("sums", None, total), buffer("in", x)])

    f = integers(32).astype(np.float32)
    back = f[::-1]
    out = np.stack([back, back + 1, back + 2, back], axis=1)
    mask = np.ones((32, 4), np.uint8)
    mask[:, 3] = 0
    yield dict(entry="padded", grid=[1], block=[32], args=[
        buffer("out", None, out, mask=mask), buffer("sums", None, 3 * back + 3), buffer("in", f)])

    x = integers(32)
    expect = []
    for t in range(32):
        filled = int(x[t]) & 15
        expect.append(sum((k * 7 + 3) % filled * t for k in range(filled)))
    yield dict(entry="localArray", grid=[1], block=[32], args=[
        buffer("out", None, np.array(expect, np.int32)), buffer("in", x), scalar("n", "i32", 3)])

    x = integers(64)
    yield dict(entry="pieces", grid=[1], block=[64], shared_bytes=2 * 256, args=[
        buffer("out", None, x[::-1] + 2 * x), buffer("in", x), scalar("n", "i32", 64)])

    x = integers(300)
    yield dict(entry="bins", grid=[1], block=[96], args=[
        buffer("out", None, np.bincount(x & 15, minlength=16).astype(np.int32)), buffer("in", x),
        scalar("n", "i32", 300)])

    f = random.standard_normal((30, 23)).astype(np.float32)
    yield dict(entry="transpose", grid=[2, 2], block=[16, 16], args=[
        buffer("out", None, np.ascontiguousarray(f.T)), buffer("in", f), scalar("rows", "i32", 30),
        scalar("cols", "i32", 23)])

    x = integers(64)
    expect = x[::-1] + 3 * x + x[np.arange(64) % 3]
    yield dict(entry="neighbours", grid=[1], block=[64], args=[buffer("out", None, expect), buffer("in", x)])

    x, t = integers(64), np.arange(64)
    yield dict(entry="callsTwice", grid=[1], block=[64], args=[
        buffer("out", None, (x[63 - t ^ 1] + 63 - t).astype(np.int32)), buffer("in", x)])
    yield dict(entry="callsOnce", grid=[1], block=[64], args=[buffer("out", None, x[::-1]), buffer("in", x)])

    x = integers(5, 32)
    yield dict(entry="collect", grid=[5], block=[32], args=[
        buffer("out", None, np.array([x.sum()], np.int32)), buffer("in", x)])

    x = integers(64)
    expect = (np.abs(x) // 7 * np.sign(x)).astype(np.int32)
    yield dict(entry="stops", grid=[1], block=[64], args=[
        buffer("out", None, expect), buffer("in", x), scalar("n", "i32", 7)])


def pipelines():
    x = integers(7, 128)
    t = np.arange(32)
    yield dict(entry="threeStages", grid=[1], block=[32], args=[
        buffer("out", None, (x[:, 127 - t * 4] + x[:, t * 4]).sum(axis=0).astype(np.int32)), buffer("in", x),
        scalar("steps", "i32", 7)])

    x = integers(50)
    tile = np.zeros(128, np.int32)
    tile[:50] = x
    yield dict(entry="zeroFill", grid=[1], block=[32], args=[
        buffer("out", None, tile.reshape(4, 32).sum(axis=0).astype(np.int32)), buffer("in", x),
        scalar("n", "i32", 50)])

    x = integers(7, 128)
    yield dict(entry="copyingWarp", grid=[1], block=[64], args=[
        buffer("out", None, (x[:, 127 - t * 4] + x[:, t]).sum(axis=0).astype(np.int32)), buffer("in", x),
        scalar("steps", "i32", 7)])

    x = integers(64)
    v = x
    for _ in range(3):
        v = v + np.roll(v, -1)
    yield dict(entry="tokens", grid=[1], block=[64], args=[buffer("out", None, v + np.int32(7)), buffer("in", x)])

    a, b = (random.integers(-4, 5, (n, 16)).astype(np.float16) for n in (16, 8))
    yield dict(entry="tensor", grid=[1], block=[32], args=[
        buffer("out", None, (a.astype(np.float32) @ b.astype(np.float32).T)), buffer("a", a.view(np.uint16)),
        buffer("b", b.view(np.uint16))])


def hopper():
    x = integers(8, 256)
    row = np.arange(128)
    yield dict(entry="roles", grid=[1], block=[160], args=[
        buffer("out", None, (x[:, 2 * row] + x[:, 255 - 2 * row]).sum(axis=0).astype(np.int32)), buffer("in", x),
        scalar("steps", "i32", 8)])

    x = integers(8, 64)
    yield dict(entry="pingPong", grid=[1], block=[128], args=[
        buffer("out", None, np.ascontiguousarray(x[:, ::-1])), buffer("in", x), scalar("rounds", "i32", 4)])

    x = integers(6, 128)
    yield dict(entry="storeRing", grid=[1], block=[128], corrected=[6], args=[
        buffer("out", None, (x + np.arange(6)[:, None]).astype(np.int32)), buffer("in", x),
        scalar("steps", "i32", 6)])

    x = integers(5, 64)
    total = np.append(x.sum(axis=0), 5).astype(np.int32)
    yield dict(entry="bulkAdd", grid=[5], block=[64], args=[
        buffer("out", None, total[:64]), buffer("total", zeros(65), total), buffer("in", x)])

    rows, cols = 21, 20
    x = integers(rows, cols)
    yield dict(entry="clipped", grid=[2, 2], block=[64], buffers=[buffer("y", None, x)], args=[
        tensor_map("map", "y", "INT32", [cols, rows], [cols * 4], [16, 16]), buffer("in", x),
        scalar("rows", "i32", rows), scalar("cols", "i32", cols)])

    x = integers(2, 4, 32)
    yield dict(entry="ring", grid=[8], block=[32], cluster=[4], args=[
        buffer("out", None, np.repeat(x.sum(axis=1, keepdims=True), 4, axis=1).astype(np.int32)), buffer("in", x)])

    x = integers(2, 2, 64)
    yield dict(entry="exchange", grid=[4], block=[64], cluster=[2], args=[
        buffer("out", None, np.ascontiguousarray(x[:, ::-1, ::-1])), buffer("in", x)])

    x = integers(6, 64)
    sums = x.sum(axis=0)[::-1]
    yield dict(entry="shared2", grid=[4], block=[64], cluster=[2], args=[
        buffer("out", None, np.stack([sums, 2 * sums] * 2).astype(np.int32)), buffer("in", x),
        scalar("steps", "i32", 6)])


    x = integers(64)
    yield dict(entry="muchStatic", grid=[1], block=[64], args=[
        buffer("out", None, (x[::-1] + 10239 - np.arange(64)).astype(np.int32)), buffer("in", x)])
    words = 96 * 256  # 96 KiB, which sm_120 has, too
    yield dict(entry="muchDynamic", grid=[1], block=[64], shared_bytes=4 * words, args=[
        buffer("out", None, x[::-1]), buffer("in", x), scalar("words", "i32", words)])


def tensor90():
    k = 5 * 64
    a, b = (random.integers(-3, 4, (n, k)).astype(np.float16) for n in (64, 8))
    yield dict(entry="wgmmaPipe", grid=[1], block=[256],
               buffers=[buffer("a", a), buffer("b", b)], args=[
        tensor_map("mapA", "a", "FLOAT16", [k, 64], [2 * k], [64, 64], swizzle="128B"),
        tensor_map("mapB", "b", "FLOAT16", [k, 8], [2 * k], [64, 8], swizzle="128B"),
        buffer("out", None, a.astype(np.float32) @ b.astype(np.float32).T), scalar("steps", "i32", 5)])


def stealing():
    x = integers(12, 32)
    yield dict(entry="steal", grid=[12], block=[32], sm_count=2, args=[
        buffer("out", None, 2 * x), buffer("in", x)])


def library():
    x = integers(64)
    quads, tops = np.repeat(x.reshape(16, 4).sum(axis=1), 4), np.repeat(x.reshape(2, 32).max(axis=1), 32)
    expect = quads + 3 * tops + 5 * np.cumsum(x.reshape(2, 32), axis=1).ravel()
    yield dict(entry="tiles", grid=[1], block=[64], args=[
        buffer("out", None, expect.astype(np.int32)), buffer("in", x)])

    count = int((x > 0).sum())
    yield dict(entry="active", grid=[1], block=[64], args=[
        buffer("counter", zeros(1), np.array([count], np.int32)),
        buffer("out", zeros(64), (np.arange(64) < count).astype(np.int32)), buffer("in", x)])

    x = integers(7, 128)
    yield dict(entry="piped", grid=[1], block=[128], args=[
        buffer("out", None, x[:, ::-1].sum(axis=0).astype(np.int32)), buffer("in", x), scalar("steps", "i32", 7)])

    x = integers(6, 64)
    yield dict(entry="barriers", grid=[1], block=[128], args=[
        buffer("out", None, x[:, ::-1].sum(axis=0).astype(np.int32)), buffer("in", x), scalar("steps", "i32", 6)])

    data = 2 * np.arange(64, dtype=np.int32)
    yield dict(entry="messages", grid=[4], block=[64], co_resident=True, args=[
        buffer("out", None, np.tile(data[::-1], 3)), buffer("data", None, data), buffer("flag", zeros(1))])


# Sources, their cases, the first supported architecture and the first unsupported one.
SOURCES = {"ordering.cu": (ordering, 80, 1000), "sharing.cu": (sharing, 80, 1000),
           "pipelines.cu": (pipelines, 80, 1000), "hopper.cu": (hopper, 90, 1000),
           "tensor90.cu": (tensor90, 90, 91), "stealing.cu": (stealing, 100, 1000),
           "library.cu": (library, 80, 1000)}
# Headers that only nvcc has.
NVCC_ONLY = {"library.cu"}
