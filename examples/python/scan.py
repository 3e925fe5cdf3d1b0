# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running sums: of each tile, then of the sums of tiles, then both added."""
import cuda.tile as ct
import cupy as cp
import numpy as np
from common import SCALE, check, random, stream

TILE = 128


@ct.kernel
def scan_tiles(x, out, totals, tile: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i,), (tile,), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, (i,), ct.cumsum(t, axis=0))
    ct.store(totals, (i,), ct.sum(t, axis=0, keepdims=True))


@ct.kernel
def add_before(out, totals, tile: ct.Constant[int], tiles: ct.Constant[int]):
    i = ct.bid(0)
    numbers = ct.arange(tiles, dtype=ct.int32)
    before = ct.sum(ct.where(numbers < i, ct.load(totals, (0,), (tiles,), padding_mode=ct.PaddingMode.ZERO), 0))
    ct.store(out, (i,), ct.load(out, (i,), (tile,)) + before)


n = 700 * SCALE
x = random(n)
blocks = ct.cdiv(n, TILE)
out, totals = cp.empty_like(x), cp.empty((blocks,), dtype=cp.float32)
ct.launch(stream(), (blocks,), scan_tiles, (x, out, totals, TILE))
ct.launch(stream(), (blocks,), add_before, (out, totals, TILE, 1 << (blocks - 1).bit_length()))
check("scan", out, np.cumsum(cp.asnumpy(x).astype(np.float64)), 1e-4)
