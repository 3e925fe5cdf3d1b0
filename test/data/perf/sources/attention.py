# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention with an online softmax in base 2. Tile blocks are those of queries x heads of all batches."""

import cuda.tile as ct

ZERO = ct.PaddingMode.ZERO
LOG2E = 1.4426950408889634


def attention(q, k, v, o, scale: float, TM: ct.Constant[int], TN: ct.Constant[int], D: ct.Constant[int],
              CAUSAL: ct.Constant[bool], EVEN: ct.Constant[bool]):
    """CAUSAL: a query sees the keys up to its own. EVEN: the number of keys is a multiple of TN. The mask stands in a
    branch, which the first keys of a query never take."""
    i, batch, head = ct.bid(0), ct.bid(1) // q.shape[1], ct.bid(1) % q.shape[1]
    shared = head // (q.shape[1] // k.shape[1])  # several heads of queries use one of keys
    length = k.shape[2]
    x = ct.load(q, (batch, head, i, 0), (1, 1, TM, D), padding_mode=ZERO).reshape((TM, D))
    row = i * TM + ct.arange(TM, dtype=ct.int32)[:, None]
    column = ct.arange(TN, dtype=ct.int32)[None, :]
    end, masked = ct.cdiv(length, TN), length // TN
    if CAUSAL:
        end = min(ct.cdiv((i + 1) * TM, TN), end)
        masked = min(i * TM // TN, masked)
    base = scale * LOG2E
    top = ct.full((TM, 1), float("-inf"), ct.float32)
    norm = ct.zeros((TM, 1), ct.float32)
    total = ct.zeros((TM, D), ct.float32)
    for j in range(end):
        y = ct.load(k, (batch, shared, 0, j), (1, 1, D, TN), order=(0, 1, 3, 2), padding_mode=ZERO,
                    latency=2).reshape((D, TN))
        s = ct.mma(x, y, ct.zeros((TM, TN), ct.float32))
        if (CAUSAL or not EVEN) and j >= masked:
            keep = ct.full((TM, TN), True, ct.bool_)
            if not EVEN:
                keep = keep & (j * TN + column < length)
            if CAUSAL:
                keep = keep & (row >= j * TN + column)
            s += ct.where(keep, 0.0, float("-inf"))
        next_top = ct.maximum(top, ct.max(s, axis=1, keepdims=True) * base)
        p = ct.exp2(s * base - next_top, flush_to_zero=True)
        alpha = ct.exp2(top - next_top, flush_to_zero=True)
        norm = norm * alpha + ct.sum(p, axis=1, keepdims=True)
        z = ct.load(v, (batch, shared, j, 0), (1, 1, TN, D), padding_mode=ZERO, latency=4).reshape((TN, D))
        total = ct.mma(p.astype(q.dtype), z, total * alpha)
        top = next_top
    total = ct.truediv(total, norm, flush_to_zero=True, rounding_mode=ct.RoundingMode.APPROX)
    ct.store(o, (batch, head, i, 0), total.astype(o.dtype).reshape((1, 1, TM, D)))
