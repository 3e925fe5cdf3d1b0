# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layer normalization: a block for each row, in tiles."""
import cuda.tile as ct
import cupy as cp
import numpy as np
from common import SCALE, check, random, stream

TILE = 128


@ct.kernel
def layernorm(x, weight, bias, out, eps, tile: ct.Constant[int]):
    row = ct.bid(0)
    n = x.shape[1]
    steps = ct.num_tiles(x, axis=1, shape=(1, tile))
    total = ct.zeros((1, tile), ct.float32)
    for j in range(steps):
        total += ct.load(x, (row, j), (1, tile), padding_mode=ct.PaddingMode.ZERO)
    mean = ct.sum(total, axis=1, keepdims=True) / n
    squares = ct.zeros((1, tile), ct.float32)
    for j in range(steps):
        inside = j * tile + ct.arange(tile, dtype=ct.int32) < n
        d = ct.where(inside, ct.load(x, (row, j), (1, tile), padding_mode=ct.PaddingMode.ZERO) - mean, 0)
        squares += d * d
    scale = 1 / ct.sqrt(ct.sum(squares, axis=1, keepdims=True) / n + eps)
    for j in range(steps):
        y = (ct.load(x, (row, j), (1, tile), padding_mode=ct.PaddingMode.ZERO) - mean) * scale
        ct.store(out, (row, j), y * ct.load(weight, (j,), (tile,)) + ct.load(bias, (j,), (tile,)))


rows, n = 4 * SCALE, 200 * SCALE
x, weight, bias = random(rows, n), random(n, seed=1), random(n, seed=2)
out = cp.empty_like(x)
ct.launch(stream(), (rows,), layernorm, (x, weight, bias, out, 1e-5, TILE))
h = cp.asnumpy(x).astype(np.float64)
h = (h - h.mean(1, keepdims=True)) / np.sqrt(h.var(1, keepdims=True) + 1e-5)
check("layernorm", out, h * cp.asnumpy(weight) + cp.asnumpy(bias), 1e-4)
