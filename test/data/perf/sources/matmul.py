# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls: one tile block per tile, persistent tile blocks, a batch, groups of several sizes, block scales."""

import cuda.tile as ct

ZERO = ct.PaddingMode.ZERO
GROUP = 8  # rows of tiles that are neighbours in the order of tile blocks


def place(tile, rows, columns):
    """Returns the indices of tile number `tile`: down GROUP rows of tiles first, then along."""
    per_group = GROUP * columns
    first = tile // per_group * GROUP
    height = min(rows - first, GROUP)
    inside = tile % per_group
    return first + inside % height, inside // height


def tile_product(a, b, i, j, TM, TN, TK):
    total = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(TM, TK))):
        x = ct.load(a, (i, k), (TM, TK), padding_mode=ZERO)
        y = ct.load(b, (k, j), (TK, TN), padding_mode=ZERO)
        total = ct.mma(x, y, total)
    return total


def gemm(a, b, c, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    i, j = place(ct.bid(0), ct.num_tiles(c, axis=0, shape=(TM, TN)), ct.num_tiles(c, axis=1, shape=(TM, TN)))
    ct.store(c, (i, j), tile_product(a, b, i, j, TM, TN, TK).astype(c.dtype))


def gemm_persistent(a, b, c, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    """The grid has min(SMs // num_ctas, tiles) * occupancy tile blocks."""
    rows, columns = ct.num_tiles(c, axis=0, shape=(TM, TN)), ct.num_tiles(c, axis=1, shape=(TM, TN))
    for tile in range(ct.bid(0), rows * columns, ct.num_blocks(0)):
        i, j = place(tile, rows, columns)
        ct.store(c, (i, j), tile_product(a, b, i, j, TM, TN, TK).astype(c.dtype))


def bmm(a, b, c, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    i, j = place(ct.bid(0), ct.num_tiles(c, axis=1, shape=(1, TM, TN)), ct.num_tiles(c, axis=2, shape=(1, TM, TN)))
    matrix = ct.bid(1)
    total = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(a, axis=2, shape=(1, TM, TK))):
        x = ct.load(a, (matrix, i, k), (1, TM, TK), padding_mode=ZERO).reshape((TM, TK))
        y = ct.load(b, (matrix, k, j), (1, TK, TN), padding_mode=ZERO).reshape((TK, TN))
        total = ct.mma(x, y, total)
    ct.store(c, (matrix, i, j), total.astype(c.dtype).reshape((1, TM, TN)))


def gemm_grouped(many_a, many_b, many_c, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    """Matmuls of several sizes: tile blocks number the tiles of all of them, and take every num_blocks-th."""
    tile, first = ct.bid(0), 0
    for group in range(len(many_a)):
        a, b, c = many_a[group], many_b[group], many_c[group]
        rows, columns = ct.num_tiles(c, axis=0, shape=(TM, TN)), ct.num_tiles(c, axis=1, shape=(TM, TN))
        end = first + rows * columns
        while tile < end:
            i, j = (tile - first) // columns, (tile - first) % columns
            ct.store(c, (i, j), tile_product(a, b, i, j, TM, TN, TK).astype(c.dtype))
            tile += ct.num_blocks(0)
        first = end


def gemm_scaled(a, b, a_scale, b_scale, c, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int],
                TS: ct.Constant[int]):
    """Operands with a scale for each TK // TS elements along K."""
    i, j = place(ct.bid(0), ct.num_tiles(c, axis=0, shape=(TM, TN)), ct.num_tiles(c, axis=1, shape=(TM, TN)))
    total = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(TM, TK))):
        x = ct.load(a, (i, k), (TM, TK), padding_mode=ZERO)
        y = ct.load(b, (k, j), (TK, TN), order=(1, 0), padding_mode=ZERO)
        sx = ct.load(a_scale, (i, k), (TM, TS))
        sy = ct.load(b_scale, (k, j), (TS, TN), order=(1, 0))
        total = ct.mma_scaled(x, sx, y, sy, total)
    ct.store(c, (i, j), total.astype(c.dtype))


def moe(x, w, x_scale, w_scale, rows, experts, y, TOP: ct.Constant[int], TM: ct.Constant[int], TN: ct.Constant[int],
        TK: ct.Constant[int]):
    """Rows of `x` times the weights of their expert. A row of `x` is used TOP times; `rows` has the uses sorted by
    expert, and numbers past the last use fill the tiles of an expert. A scale belongs to TK elements of a row of `x`,
    and to TN x TK elements of the weights."""
    i, j = ct.bid(0), ct.bid(1)
    expert = ct.gather(experts, i).item()
    uses = ct.gather(rows, i * TM + ct.arange(TM, dtype=ct.int32))
    sources = uses // TOP
    total = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(w, axis=2, shape=(1, TN, TK))):
        columns = k * TK + ct.arange(TK, dtype=ct.int32)
        a = ct.gather(x, (sources[:, None], columns[None, :]))
        b = ct.load(w, (expert, j, k), (1, TN, TK), padding_mode=ZERO).reshape((TN, TK))
        product = ct.mma(a, ct.transpose(b), ct.zeros((TM, TN), ct.float32))
        scale = ct.gather(x_scale, (sources, k)) * ct.gather(w_scale, (expert, j, k))
        total += product * scale[:, None]
    ct.scatter(y, (uses[:, None], (j * TN + ct.arange(TN, dtype=ct.int32))[None, :]), total.astype(y.dtype))
