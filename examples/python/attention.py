# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fused attention; tiles below the diagonal need no mask, so that the mask stands under an `if`."""
import cuda.tile as ct
import cupy as cp
import numpy as np
from common import SCALE, check, random, stream

TILE, DEPTH = 32, 64


@ct.kernel
def attention(q, k, v, out, scale, t: ct.Constant[int], d: ct.Constant[int], causal: ct.Constant[bool]):
    head, i = ct.bid(0), ct.bid(1)
    x = ct.load(q, (head, i, 0), (1, t, d)).reshape((t, d))
    largest = ct.full((t, 1), -1e30, ct.float32)
    total = ct.zeros((t, 1), ct.float32)
    acc = ct.zeros((t, d), ct.float32)
    rows = i * t + ct.arange(t, dtype=ct.int32)[:, None]
    last = i + 1 if causal else ct.num_tiles(k, axis=1, shape=(1, t, d))
    for j in range(last):
        y = ct.load(k, (head, j, 0), (1, t, d)).reshape((t, d))
        s = ct.mma(x, ct.transpose(y), ct.zeros((t, t), ct.float32)) * scale
        if causal and j == i:
            s = ct.where(rows >= j * t + ct.arange(t, dtype=ct.int32)[None, :], s, -1e30)
        new = ct.maximum(largest, ct.max(s, axis=1, keepdims=True))
        p = ct.exp(s - new)
        shrink = ct.exp(largest - new)
        total = total * shrink + ct.sum(p, axis=1, keepdims=True)
        z = ct.load(v, (head, j, 0), (1, t, d)).reshape((t, d))
        acc = ct.mma(p.astype(z.dtype), z, acc * shrink)
        largest = new
    ct.store(out, (head, i, 0), (acc / total).astype(out.dtype).reshape((1, t, d)))


heads, n = 2, 64 * SCALE
q, k, v = (random(heads, n, DEPTH, dtype=np.float16, seed=s) for s in range(3))
hq, hk, hv = (cp.asnumpy(x).astype(np.float32) for x in (q, k, v))
for causal in (False, True):
    out = cp.empty_like(q)
    ct.launch(stream(), (heads, n // TILE), attention, (q, k, v, out, DEPTH**-0.5, TILE, DEPTH, causal))
    s = hq @ hk.transpose(0, 2, 1) * DEPTH**-0.5
    if causal:
        s = np.where(np.tril(np.ones((n, n), bool)), s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    check("attention" + (" (causal)" if causal else ""), out, p / p.sum(-1, keepdims=True) @ hv, 5e-3)
