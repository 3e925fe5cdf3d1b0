# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax of rows that fit into a tile."""
import cuda.tile as ct
import cupy as cp
import numpy as np
from common import SCALE, check, random, stream


@ct.kernel
def softmax(x, out, tile: ct.Constant[int]):
    row = ct.bid(0)
    t = ct.load(x, (row, 0), (1, tile), padding_mode=ct.PaddingMode.NEG_INF)
    e = ct.exp(t - ct.max(t, axis=1, keepdims=True))
    ct.store(out, (row, 0), e / ct.sum(e, axis=1, keepdims=True))


rows, n = 6 * SCALE, 300
x = random(rows, n)
out = cp.empty_like(x)
ct.launch(stream(), (rows,), softmax, (x, out, 512))
e = np.exp(cp.asnumpy(x).astype(np.float64))
check("softmax", out, e / e.sum(1, keepdims=True))
