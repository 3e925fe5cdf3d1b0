# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mixture of experts: a block gathers the tokens of its expert, multiplies, and scatters the rows back."""
import cuda.tile as ct
import cupy as cp
import numpy as np
from common import SCALE, check, random, stream

TILE, DEPTH = 16, 32


@ct.kernel
def experts(x, weights, order, expert_of, out, t: ct.Constant[int], d: ct.Constant[int]):
    block = ct.bid(0)
    token = ct.gather(order, block * t + ct.arange(t, dtype=ct.int32))
    expert = ct.gather(expert_of, block)
    columns = ct.arange(d, dtype=ct.int32)[None, :]
    # Padding tokens of a block have an index outside the array: it gathers zeros and scatters nothing.
    rows = ct.gather(x, (token[:, None], columns), padding_value=0)
    w = ct.load(weights, (expert, 0, 0), (1, d, d)).reshape((d, d))
    ct.scatter(out, (token[:, None], columns), ct.matmul(rows, w).astype(out.dtype))


tokens, count = 50 * SCALE, 4
rng = np.random.default_rng(3)
choice = rng.integers(count, size=tokens)
order, expert_of = [], []
for e in range(count):
    mine = np.flatnonzero(choice == e)
    padded = -(-len(mine) // TILE) * TILE
    order += [*mine, *[tokens] * (padded - len(mine))]
    expert_of += [e] * (padded // TILE)
x, weights = random(tokens, DEPTH, dtype=np.float16), random(count, DEPTH, DEPTH, dtype=np.float16, seed=1)
out = cp.empty((tokens, DEPTH), dtype=cp.float32)
ct.launch(stream(), (len(expert_of),), experts, (x, weights, cp.asarray(np.array(order, np.int32)), cp.asarray(np.array(expert_of, np.int32)), out,
                                                 TILE, DEPTH))
h, w = cp.asnumpy(x).astype(np.float32), cp.asnumpy(weights).astype(np.float32)
check("moe_gather", out, np.einsum("td,tde->te", h, w[choice]), 2e-3)
