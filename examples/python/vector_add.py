# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vector addition, with a partial last tile."""
import cuda.tile as ct
import cupy as cp
from common import SCALE, check, random, stream

TILE = 256


@ct.kernel
def add(a, b, out, tile: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, (i,), ct.load(a, (i,), (tile,)) + ct.load(b, (i,), (tile,)))


n = 1000 * SCALE
a, b = random(n), random(n, seed=1)
out = cp.empty_like(a)
ct.launch(stream(), (ct.cdiv(n, TILE),), add, (a, b, out, TILE))
check("vector_add", out, cp.asnumpy(a) + cp.asnumpy(b))
