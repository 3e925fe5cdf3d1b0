# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import cuda.tile as ct
from tilecpp import array


@ct.kernel
def K(q, k, v, o):
    i, head = ct.bid(0), ct.bid(1)
    x = ct.load(q, (head, i, 0), (1, 64, 64)).reshape((64, 64))
    top = ct.full((64, 1), float("-inf"), ct.float32)
    norm = ct.zeros((64, 1), ct.float32)
    total = ct.zeros((64, 64), ct.float32)
    row = ct.arange(64, dtype=ct.int32)[:, None] + i * 64
    column = ct.arange(64, dtype=ct.int32)[None, :]
    masked = min(i, k.shape[1] // 64)
    for j in range(i + 1):
        y = ct.load(k, (head, j, 0), (1, 64, 64)).reshape((64, 64))
        s = ct.mma(x, ct.transpose(y), ct.zeros((64, 64), ct.float32)) * (0.125 * 1.44269504)
        if j >= masked:
            key = column + j * 64
            s += ct.where(row >= key, 0.0, float("-inf"))
        next_top = ct.maximum(top, ct.max(s, axis=1, keepdims=True))
        p = ct.exp2(s - next_top)
        alpha = ct.exp2(top - next_top)
        norm = norm * alpha + ct.sum(p, axis=1, keepdims=True)
        z = ct.load(v, (head, j, 0), (1, 64, 64)).reshape((64, 64))
        total = ct.mma(p.astype(ct.float16), z, total * alpha)
        top = next_top
    ct.store(o, (head, i, 0), (total / norm).astype(ct.float16).reshape((1, 64, 64)))


SIGNATURE = [array(ct.float16, (None, None, 64))] * 4
