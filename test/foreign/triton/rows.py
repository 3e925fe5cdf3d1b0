# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Row kernels: normalization and softmax forward and backward, losses, attention, random masks."""
import numpy as np
import triton
import triton.language as tl

from harness import Case, out, put
from numbers_of import make, normal, random


@triton.jit
def rmsnorm(x, w, y, columns, eps, BLOCK: tl.constexpr):
    """Two loops over the columns: the row need not fit."""
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
        total += v * v
    r = tl.rsqrt(tl.sum(total, axis=0) / columns + eps)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * columns + at, mask=at < columns, other=0.0, eviction_policy="evict_first").to(tl.float32)
        tl.store(y + row * columns + at, (v * r * tl.load(w + at, mask=at < columns)).to(tl.bfloat16), mask=at < columns)


@triton.jit
def layernorm_backward(dy, x, w, mean, rstd, dx, dw, db, locks, columns, GROUPS: tl.constexpr, BLOCK: tl.constexpr):
    """The tutorial's kernel: partial sums of dw and db of a group of rows under a lock."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    v = tl.load(x + row * columns + at, mask=inside, other=0.0)
    g = tl.load(dy + row * columns + at, mask=inside, other=0.0)
    scale = tl.load(w + at, mask=inside)
    m, r = tl.load(mean + row), tl.load(rstd + row)
    hat = tl.where(inside, (v - m) * r, 0.0)
    wg = tl.where(inside, scale * g, 0.0)
    c1 = tl.sum(hat * wg, axis=0) / columns
    c2 = tl.sum(wg, axis=0) / columns
    tl.store(dx + row * columns + at, (wg - (hat * c1 + c2)) * r, mask=inside)
    group = row % GROUPS
    lock, count = locks + group, locks + GROUPS + group
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    pw, pb = g * hat, g
    if tl.load(count) == 0:
        tl.atomic_xchg(count, 1)
    else:
        pw += tl.load(dw + group * columns + at, mask=inside)
        pb += tl.load(db + group * columns + at, mask=inside)
    tl.store(dw + group * columns + at, pw, mask=inside)
    tl.store(db + group * columns + at, pb, mask=inside)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def reduce_columns(x, y, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, rows, BM):
        m = start + tl.arange(0, BM)
        total += tl.load(x + m[:, None] * columns + n[None, :], mask=(m[:, None] < rows) & (n[None, :] < columns), other=0.0)
    tl.store(y + n, tl.sum(total, axis=0), mask=n < columns)


@triton.jit
def softmax_backward(dy, y, dx, columns, rows, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    """Programs loop over rows and load the next row during the computation of the current one."""
    at = tl.arange(0, BLOCK)
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        p = tl.load(y + row * columns + at, mask=at < columns, other=0.0)
        g = tl.load(dy + row * columns + at, mask=at < columns, other=0.0)
        tl.store(dx + row * columns + at, p * (g - tl.sum(p * g, axis=0)), mask=at < columns)


@triton.jit
def cross_entropy(x, target, loss, columns, BLOCK: tl.constexpr):
    """The gradient replaces the logits: each element is read and written by one thread, the target's by two."""
    row = tl.program_id(0)
    t = tl.load(target + row)
    gathered = tl.load(x + row * columns + t)
    top, total = -float("inf"), 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
        new = tl.maximum(top, tl.max(v, axis=0))
        total = total * tl.exp(top - new) + tl.sum(tl.exp(v - new), axis=0)
        top = new
    tl.store(loss + row, top + tl.log(total) - gathered)
    tl.debug_barrier()
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
        p = tl.exp(v - top) / total
        tl.store(x + row * columns + at, tl.where(at == t, p - 1.0, p), mask=at < columns)


@triton.jit
def welford(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    d = mean_b - mean_a
    n = n_a + n_b
    part = tl.where(n == 0.0, 0.0, n_b / n)
    return mean_a + d * part, m2_a + m2_b + d * d * n_a * part, n


@triton.jit
def variance(x, mean, var, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=0.0)
    n = tl.where(at < columns, 1.0, 0.0)
    m, m2, count = tl.reduce((v, tl.zeros((BLOCK,), tl.float32), n), 0, welford)
    tl.store(mean + row, m)
    tl.store(var + row, m2 / count)


@triton.jit
def dropout(x, y, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, at) > p
    tl.store(y + at, tl.where(keep, tl.load(x + at, mask=at < n) / (1 - p), 0.0), mask=at < n)


@triton.jit
def normals(y, n, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a, b, c, d = tl.randint4x(seed, at)
    tl.store(y + at * 4, a, mask=at < n)
    tl.store(y + at * 4 + 1, b, mask=at < n)
    tl.store(y + at * 4 + 2, c, mask=at < n)
    tl.store(y + at * 4 + 3, d, mask=at < n)


@triton.jit
def attention(q, k, v, o, lse, scale, length, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr,
              SPECIAL: tl.constexpr):
    """Descriptors created on the device; whole blocks first, then the blocks on the diagonal."""
    head, pid = tl.program_id(1), tl.program_id(0)
    rows = tl.num_programs(1) * length
    dq = tl.make_tensor_descriptor(q, [rows, D], [D, 1], [BM, D])
    dk = tl.make_tensor_descriptor(k, [rows, D], [D, 1], [BN, D])
    dv = tl.make_tensor_descriptor(v, [rows, D], [D, 1], [BN, D])
    do = tl.make_tensor_descriptor(o, [rows, D], [D, 1], [BM, D])
    base = head * length
    m = pid * BM + tl.arange(0, BM)
    query = dq.load([base + pid * BM, 0])
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    whole = pid * BM if CAUSAL else length
    for start in tl.range(0, whole, BN, warp_specialize=SPECIAL):
        s = tl.dot(query, dk.load([base + start, 0]).T) * scale
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        alpha = tl.exp2(top - new)
        total = total * alpha + tl.sum(p, 1)
        acc = tl.dot(p.to(tl.float16), dv.load([base + start, 0]), acc * alpha[:, None])
        top = new
    if CAUSAL:
        for start in range(pid * BM, (pid + 1) * BM, BN):
            n = start + tl.arange(0, BN)
            s = tl.dot(query, dk.load([base + start, 0]).T) * scale
            s = tl.where(m[:, None] >= n[None, :], s, -1.0e6)
            new = tl.maximum(top, tl.max(s, 1))
            p = tl.exp2(s - new[:, None])
            alpha = tl.exp2(top - new)
            total = total * alpha + tl.sum(p, 1)
            acc = tl.dot(p.to(tl.float16), dv.load([base + start, 0]), acc * alpha[:, None])
            top = new
    do.store([base + pid * BM, 0], (acc / total[:, None]).to(tl.float16))
    tl.store(lse + base + m, top + tl.log2(total))


@triton.jit
def attention_backward(q, k, v, do, lse, delta, dq, dk, dv, scale, length, D: tl.constexpr, BM: tl.constexpr,
                       BN: tl.constexpr):
    """One program per block of keys; it adds its part of dq atomically."""
    base = tl.program_id(1) * length
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    d = tl.arange(0, D)
    key = tl.load(k + (base + n)[:, None] * D + d[None, :])
    value = tl.load(v + (base + n)[:, None] * D + d[None, :])
    gk, gv = tl.zeros((BN, D), tl.float32), tl.zeros((BN, D), tl.float32)
    for start in range(tl.program_id(0) * BN, length, BM):
        m = start + tl.arange(0, BM)
        query = tl.load(q + (base + m)[:, None] * D + d[None, :])
        grad = tl.load(do + (base + m)[:, None] * D + d[None, :])
        p = tl.exp2(tl.dot(query, key.T) * scale - tl.load(lse + base + m)[:, None])
        p = tl.where(m[:, None] >= n[None, :], p, 0.0)
        gv = tl.dot(p.T.to(tl.float16), grad, gv)
        dp = tl.dot(grad, value.T)
        ds = (p * (dp - tl.load(delta + base + m)[:, None])).to(tl.float16)
        gk = tl.dot(ds.T, query, gk)
        tl.atomic_add(dq + (base + m)[:, None] * D + d[None, :], tl.dot(ds, key), sem="relaxed")
    tl.store(dk + (base + n)[:, None] * D + d[None, :], gk)
    tl.store(dv + (base + n)[:, None] * D + d[None, :], gv)


@triton.jit
def decode(q, k, v, table, lengths, o, pages, scale, D: tl.constexpr, PAGE: tl.constexpr, H: tl.constexpr):
    """One query per sequence, keys and values in pages that a table names; several heads share one head of keys."""
    seq = tl.program_id(0)
    h, d, i = tl.arange(0, H), tl.arange(0, D), tl.arange(0, PAGE)
    query = tl.load(q + (seq * H + h)[:, None] * D + d[None, :])
    length = tl.load(lengths + seq)
    top, total = tl.full((H,), -float("inf"), tl.float32), tl.zeros((H,), tl.float32)
    acc = tl.zeros((H, D), tl.float32)
    for page in range(0, tl.cdiv(length, PAGE)):
        where = tl.load(table + seq * pages + page) * PAGE + i
        inside = page * PAGE + i < length
        key = tl.load(k + where[:, None] * D + d[None, :], mask=inside[:, None], other=0.0)
        value = tl.load(v + where[:, None] * D + d[None, :], mask=inside[:, None], other=0.0)
        s = tl.where(inside[None, :], tl.dot(query, key.T) * scale, -float("inf"))
        new = tl.maximum(top, tl.max(s, 1))
        p, alpha = tl.exp2(s - new[:, None]), tl.exp2(top - new)
        total = total * alpha + tl.sum(p, 1)
        acc = tl.dot(p.to(tl.float16), value, acc * alpha[:, None])
        top = new
    tl.store(o + (seq * H + h)[:, None] * D + d[None, :], (acc / total[:, None]).to(tl.float16))


@triton.jit
def rope(x, cos, sin, length, D: tl.constexpr):
    """In place: the halves of a row update each other."""
    row = tl.program_id(0)
    d = tl.arange(0, D // 2)
    c, s = tl.load(cos + row % length * (D // 2) + d), tl.load(sin + row % length * (D // 2) + d)
    a, b = tl.load(x + row * D + d), tl.load(x + row * D + D // 2 + d)
    tl.store(x + row * D + d, a * c - b * s)
    tl.store(x + row * D + D // 2 + d, b * c + a * s)


def _philox(seed, offset):
    """Philox 4x32 of ten rounds, as published; NumPy's words wrap."""
    m, low = np.uint64(0xFFFFFFFF), np.uint64(32)
    c = [np.asarray(offset, np.uint64)] + [np.zeros(len(offset), np.uint64) for _ in range(3)]
    k0, k1 = np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)
    for _ in range(10):
        a, b = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(b >> low) ^ c[1] ^ k0, b & m, (a >> low) ^ c[3] ^ k1, a & m]
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & m, (k1 + np.uint64(0xBB67AE85)) & m
    return [w.astype(np.uint32) for w in c]


def _attention(heads, length, d, causal):
    q, k, v = (normal(heads, length, d, kind="f16") for _ in range(3))
    scale = 1.4426950408889634 / np.sqrt(d)
    s = np.einsum("hmd,hnd->hmn", q.value, k.value) * scale
    if causal:
        s = np.where(np.tril(np.ones((length, length), bool)), s, -np.inf)
    top = s.max(axis=2)
    p = np.exp2(s - top[..., None])
    lse = top + np.log2(p.sum(axis=2))
    p /= p.sum(axis=2, keepdims=True)
    return q, k, v, float(np.float32(scale)), lse, p, np.einsum("hmn,hnd->hmd", p, v.value)


def cases():
    x, w = normal(3, 1000, kind="bf16"), normal(1000)
    r = 1 / np.sqrt((x.value ** 2).mean(axis=1, keepdims=True) + 1e-5)
    yield Case("rmsnorm", rmsnorm, {"x": put(x), "w": put(w), "y": out(make(x.value * r * w.value, "bf16"), 1e-2, 1e-2),
                                    "columns": 1000, "eps": 1e-5}, [3], {"BLOCK": 256}, {"num_warps": 2})

    rows, columns, groups = 6, 500, 2
    x, dy, w = normal(rows, columns), normal(rows, columns), normal(columns)
    mean, rstd = x.value.mean(axis=1), 1 / np.sqrt(x.value.var(axis=1) + 1e-5)
    hat, wg = (x.value - mean[:, None]) * rstd[:, None], dy.value * w.value
    dx = (wg - hat * (hat * wg).mean(axis=1, keepdims=True) - wg.mean(axis=1, keepdims=True)) * rstd[:, None]
    group = np.arange(rows) % groups
    dw = np.stack([(dy.value * hat)[group == g].sum(axis=0) for g in range(groups)])
    db = np.stack([dy.value[group == g].sum(axis=0) for g in range(groups)])
    yield Case("layernorm_backward", layernorm_backward,
               {"dy": put(dy), "x": put(x), "w": put(w), "mean": put(make(mean, "f32")), "rstd": put(make(rstd, "f32")),
                "dx": out(make(dx, "f32"), 1e-4), "dw": out(make(dw, "f32"), 1e-4), "db": out(make(db, "f32"), 1e-4),
                "locks": put(np.zeros(2 * groups, np.int32)), "columns": columns}, [rows],
               {"GROUPS": groups, "BLOCK": 512}, {"num_warps": 4})

    x = normal(70, 90)
    yield Case("reduce_columns", reduce_columns, {"x": put(x), "y": out(make(x.value.sum(axis=0), "f32"), 1e-4),
                                                  "rows": 70, "columns": 90}, [3], {"BM": 32, "BN": 32})

    rows, columns = 7, 300
    z, g = normal(rows, columns), normal(rows, columns)
    p = make(np.exp(z.value) / np.exp(z.value).sum(axis=1, keepdims=True), "f32")
    for stages in (1, 3):
        yield Case("softmax_backward_%d" % stages, softmax_backward,
                   {"dy": put(g), "y": put(p), "dx":
                    out(make(p.value * (g.value - (p.value * g.value).sum(axis=1, keepdims=True)), "f32"), 1e-5),
                    "columns": columns, "rows": rows}, [2], {"BLOCK": 512, "STAGES": stages}, {"num_warps": 4})

    rows, columns = 4, 700
    x, target = normal(rows, columns), random.integers(0, 700, 4).astype(np.int32)
    e = np.exp(x.value)
    p = e / e.sum(axis=1, keepdims=True)
    loss = -np.log(p[np.arange(rows), target])
    p[np.arange(rows), target] -= 1
    yield Case("cross_entropy", cross_entropy, {"x": out(make(p, "f32"), 1e-5, init=x), "target": put(target), "loss":
                                                out(make(loss, "f32"), 1e-4), "columns": columns}, [rows], {"BLOCK": 256})

    x = normal(3, 600)
    yield Case("variance", variance, {"x": put(x), "mean": out(make(x.value.mean(axis=1), "f32"), 1e-4),
                                      "var": out(make(x.value.var(axis=1), "f32"), 1e-3), "columns": 600}, [3],
               {"BLOCK": 1024})

    n, seed = 700, 123456789
    words = _philox(seed, np.arange(n))
    x = normal(n)
    # The first word as signed, folded, times just under 2^-31.
    folded = words[0].astype(np.int32)
    folded = np.where(folded < 0, -folded.astype(np.int64) - 1, folded)
    keep = folded.astype(np.float32) * np.float32(4.6566127342e-10) > np.float32(0.3)
    yield Case("dropout", dropout, {"x": put(x), "y": out(make(np.where(keep, x.value / np.float32(0.7), 0), "f32"), 1e-5),
                                    "n": n, "p": 0.3, "seed": seed}, [3], {"BLOCK": 256})
    yield Case("philox", normals, {"y": out(np.stack(words, axis=1).astype(np.uint32).view(np.int32)), "n": n,
                                   "seed": seed}, [3], {"BLOCK": 256})

    for causal, special, gpus in ((True, False, None), (False, False, None),
                                  (False, True, lambda gpu: gpu in ("sm_90a", "sm_100a", "sm_103a"))):
        heads, length, d = 2, 256, 64
        q, k, v, scale, lse, p, o = _attention(heads, length, d, causal)
        for bm, bn, warps in ((128, 64, 4), (64, 32, 4), (128, 128, 8)):
            if (bm, causal) == (64, True) or (bn == 128 and (causal or special)):
                continue
            yield Case("attention_%s%s_%d" % ("causal" if causal else "full", "_ws" if special else "", bm), attention,
                       {"q": put(q), "k": put(k), "v": put(v), "o": out(make(o, "f16"), 1e-2), "lse":
                        out(make(lse, "f32"), 1e-2), "scale": scale, "length": length}, [length // bm, heads],
                       {"D": d, "BM": bm, "BN": bn, "CAUSAL": causal, "SPECIAL": special},
                       {"num_warps": warps, "num_stages": 3}, gpus=gpus)

    heads, length, d = 1, 128, 64
    q, k, v, scale, lse, p, o = _attention(heads, length, d, True)
    do = normal(heads, length, d, kind="f16")
    delta = (o * do.value).sum(axis=2)
    dp = np.einsum("hmd,hnd->hmn", do.value, v.value)
    ds = p * (dp - delta[..., None])
    # Two stages on sm_90: Triton 3.9 copies the next block over one that a wgmma still reads (three groups may be in
    # flight). The emulator reports it, and late copies corrupt the result.
    for stages, gpus in ((2, lambda gpu: gpu != "sm_90a"), (1, None)):
        yield Case("attention_backward_%d" % stages, attention_backward,
                   {"q": put(q), "k": put(k), "v": put(v), "do": put(do), "lse": put(make(lse, "f32")), "delta":
                    put(make(delta, "f32")),
                    "dq": out(make(ds @ k.value, "f32"), 3e-2, init=np.zeros((heads, length, d), np.float32)),
                    "dk": out(make(ds.transpose(0, 2, 1) @ q.value, "f32"), 3e-2),
                    "dv": out(make(p.transpose(0, 2, 1) @ do.value, "f32"), 3e-2), "scale": scale, "length": length},
                   [length // 64, heads], {"D": d, "BM": 32, "BN": 64}, {"num_warps": 4, "num_stages": stages}, gpus=gpus)

    seqs, h, d, page, pages = 3, 16, 64, 16, 4
    lengths = np.array([50, 16, 7], np.int32)
    table = random.permutation(seqs * pages).reshape(seqs, pages).astype(np.int32)
    q, k, v = normal(seqs, h, d, kind="f16"), *(normal(seqs * pages * page, d, kind="f16") for _ in range(2))
    o = np.zeros((seqs, h, d))
    for s in range(seqs):
        where = (table[s][:, None] * page + np.arange(page)).ravel()[:lengths[s]]
        w = q.value[s] @ k.value[where].T / 8
        w = np.exp(w - w.max(axis=1, keepdims=True))
        o[s] = w / w.sum(axis=1, keepdims=True) @ v.value[where]
    yield Case("decode", decode, {"q": put(q), "k": put(k), "v": put(v), "table": put(table), "lengths": put(lengths),
                                  "o": out(make(o, "f16"), 1e-2), "pages": pages, "scale": 1.4426950408889634 / 8}, [seqs],
               {"D": d, "PAGE": page, "H": h}, {"num_stages": 3})

    rows, length, d = 6, 3, 64
    x, angle = normal(rows, d), random.uniform(0, 6, (length, d // 2))
    c, s = make(np.cos(angle), "f32"), make(np.sin(angle), "f32")
    i = np.arange(rows) % length
    a, b = x.value[:, :d // 2], x.value[:, d // 2:]
    y = np.concatenate([a * c.value[i] - b * s.value[i], b * c.value[i] + a * s.value[i]], axis=1)
    yield Case("rope", rope, {"x": out(make(y, "f32"), 1e-5, init=x), "cos": put(c), "sin": put(s), "length": length},
               [rows], {"D": d}, {"num_warps": 1})
