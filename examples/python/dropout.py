# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dropout with the Philox generator: ten rounds of 32-bit multiplications."""
import cuda.tile as ct
import cupy as cp
import numpy as np
from common import SCALE, check, random, stream

TILE, ROUNDS = 256, 10
M0, M1, W0, W1 = 0xD2511F53, 0xCD9E8D57, 0x9E3779B9, 0xBB67AE85


@ct.kernel
def dropout(x, out, seed, keep, tile: ct.Constant[int], rounds: ct.Constant[int]):
    i = ct.bid(0)
    c0 = (i * tile + ct.arange(tile, dtype=ct.int32)).astype(ct.uint32)
    c1 = ct.zeros((tile,), ct.uint32)
    c2, c3 = c1, c1
    k0, k1 = ct.full((tile,), seed, ct.uint32), ct.zeros((tile,), ct.uint32)
    for _ in range(rounds):
        a, b = c0.astype(ct.uint64) * M0, c2.astype(ct.uint64) * M1
        c0, c1, c2, c3 = (b >> 32).astype(ct.uint32) ^ c1 ^ k0, b.astype(ct.uint32), (a >> 32).astype(ct.uint32) ^ c3 ^ k1, a.astype(ct.uint32)
        k0, k1 = k0 + W0, k1 + W1
    number = (c0 >> 8).astype(ct.float32) * 2.0**-24
    t = ct.load(x, (i,), (tile,), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, (i,), ct.where(number < keep, t / keep, 0))


def philox(n, seed):
    """The same numbers by NumPy."""
    c = [np.arange(n, dtype=np.uint64), *(np.zeros(n, np.uint64) for _ in range(3))]
    k0, k1, low = seed, 0, 0xFFFFFFFF
    for _ in range(ROUNDS):
        a, b = c[0] * np.uint64(M0), c[2] * np.uint64(M1)
        c = [(b >> np.uint64(32)) ^ c[1] ^ np.uint64(k0), b & np.uint64(low), (a >> np.uint64(32)) ^ c[3] ^ np.uint64(k1), a & np.uint64(low)]
        k0, k1 = k0 + W0 & low, k1 + W1 & low
    return (c[0] >> np.uint64(8)).astype(np.float32) * np.float32(2.0**-24)


n, keep, seed = 1000 * SCALE, 0.75, 1234
x = random(n)
out = cp.empty_like(x)
ct.launch(stream(), (ct.cdiv(n, TILE),), dropout, (x, out, seed, keep, TILE, ROUNDS))
check("dropout", out, np.where(philox(n, seed) < np.float32(keep), cp.asnumpy(x) / np.float32(keep), 0))
