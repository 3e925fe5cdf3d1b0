# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matmul with split K: each block adds its partial accumulator by atomic operations."""
import cuda.tile as ct
import cupy as cp
import numpy as np
from common import SCALE, check, random, stream

TILE, PARTS = 32, 4


@ct.kernel
def split_k(a, b, c, t: ct.Constant[int], parts: ct.Constant[int]):
    i, j, part = ct.bid(0), ct.bid(1), ct.bid(2)
    acc = ct.zeros((t, t), ct.float32)
    for k in range(part, ct.num_tiles(a, axis=1, shape=(t, t)), parts):
        x = ct.load(a, (i, k), (t, t), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, (k, j), (t, t), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(x, y, acc)
    rows = i * t + ct.arange(t, dtype=ct.int32)
    columns = j * t + ct.arange(t, dtype=ct.int32)
    ct.atomic_add(c, (rows[:, None], columns[None, :]), acc)


m, n, k = 32 * SCALE, 64, 256 * SCALE
a, b = random(m, k, dtype=np.float16), random(k, n, dtype=np.float16, seed=1)
c = cp.zeros((m, n), dtype=cp.float32)
ct.launch(stream(), (ct.cdiv(m, TILE), ct.cdiv(n, TILE), PARTS), split_k, (a, b, c, TILE, PARTS))
check("split_k", c, cp.asnumpy(a).astype(np.float32) @ cp.asnumpy(b).astype(np.float32), 1e-3)
