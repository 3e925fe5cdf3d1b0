# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transposition, of an array and of a view with strides."""
import cuda.tile as ct
import cupy as cp
from common import SCALE, check, random, stream

TILE = 32


@ct.kernel
def transpose(x, out, t: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(out, (j, i), ct.transpose(ct.load(x, (i, j), (t, t))))


m, n = 80 * SCALE, 48 * SCALE
whole = random(2 * m, n)
for x in (whole[:m], whole[::2]):
    out = cp.empty((n, m), dtype=cp.float32)
    ct.launch(stream(), (ct.cdiv(m, TILE), ct.cdiv(n, TILE)), transpose, (x, out, TILE))
    check("transpose", out, cp.asnumpy(x).T)
