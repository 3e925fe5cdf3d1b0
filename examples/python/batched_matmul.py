# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matmul for each matrix of a batch."""
import cuda.tile as ct
import cupy as cp
import numpy as np
from common import SCALE, check, random, stream

TILE = 32


@ct.kernel
def batched(a, b, c, t: ct.Constant[int]):
    batch, i, j = ct.bid(0), ct.bid(1), ct.bid(2)
    acc = ct.zeros((t, t), ct.float32)
    for k in range(ct.num_tiles(a, axis=2, shape=(1, t, t))):
        x = ct.load(a, (batch, i, k), (1, t, t), padding_mode=ct.PaddingMode.ZERO).reshape((t, t))
        y = ct.load(b, (batch, k, j), (1, t, t), padding_mode=ct.PaddingMode.ZERO).reshape((t, t))
        acc = ct.mma(x, y, acc)
    ct.store(c, (batch, i, j), acc.astype(c.dtype).reshape((1, t, t)))


count, n = 3, 64 * SCALE
a, b = random(count, n, n, dtype=np.float16), random(count, n, n, dtype=np.float16, seed=1)
c = cp.empty((count, n, n), dtype=cp.float32)
ct.launch(stream(), (count, ct.cdiv(n, TILE), ct.cdiv(n, TILE)), batched, (a, b, c, TILE))
check("batched_matmul", c, np.matmul(cp.asnumpy(a).astype(np.float32), cp.asnumpy(b).astype(np.float32)), 1e-4)
