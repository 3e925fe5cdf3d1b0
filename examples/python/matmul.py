# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls of f16: a block for each tile, and persistent blocks that loop over tiles."""
import cuda.tile as ct
import cupy as cp
import numpy as np
from common import SCALE, check, random, stream

M = N = 64
K = 32


def dot_tile(a, b, i, j, m, n, k):
    acc = ct.zeros((m, n), ct.float32)
    for step in range(ct.num_tiles(a, axis=1, shape=(m, k))):
        x = ct.load(a, (i, step), (m, k), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, (step, j), (k, n), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(x, y, acc)
    return acc


@ct.kernel
def matmul(a, b, c, m: ct.Constant[int], n: ct.Constant[int], k: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(c, (i, j), dot_tile(a, b, i, j, m, n, k).astype(c.dtype))


@ct.kernel
def matmul_persistent(a, b, c, m: ct.Constant[int], n: ct.Constant[int], k: ct.Constant[int]):
    columns = ct.cdiv(c.shape[1], n)
    for tile in range(ct.bid(0), ct.cdiv(c.shape[0], m) * columns, ct.num_blocks(0)):
        i, j = tile // columns, tile % columns
        ct.store(c, (i, j), dot_tile(a, b, i, j, m, n, k).astype(c.dtype))


m, n, k = 136 * SCALE, 128 * SCALE, 96 * SCALE
a, b = random(m, k, dtype=np.float16), random(k, n, dtype=np.float16, seed=1)
want = cp.asnumpy(a).astype(np.float32) @ cp.asnumpy(b).astype(np.float32)
c = cp.empty((m, n), dtype=cp.float16)
ct.launch(stream(), (ct.cdiv(m, M), ct.cdiv(n, N)), matmul, (a, b, c, M, N, K))
check("matmul", c, want, 2e-3)
c = cp.empty((m, n), dtype=cp.float16)
ct.launch(stream(), (4,), matmul_persistent, (a, b, c, M, N, K))
check("matmul_persistent", c, want, 2e-3)
