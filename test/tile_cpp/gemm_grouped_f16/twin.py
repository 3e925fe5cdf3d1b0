# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import cuda.tile as ct
from tilecpp import array


@ct.kernel
def K(a, b, c):
    across = ct.num_tiles(c, axis=2, shape=(1, 128, 128))
    tiles = ct.num_tiles(c, axis=1, shape=(1, 128, 128)) * across
    for group in range(a.shape[0]):
        for tile in range(ct.bid(0), tiles, ct.num_blocks(0)):
            i, j = tile // across, tile % across
            total = ct.zeros((128, 128), ct.float32)
            for k in range(ct.num_tiles(a, axis=2, shape=(1, 128, 64))):
                x = ct.load(a, (group, i, k), (1, 128, 64), padding_mode=ct.PaddingMode.ZERO)
                y = ct.load(b, (group, k, j), (1, 64, 128), padding_mode=ct.PaddingMode.ZERO)
                total = ct.mma(x.reshape((128, 64)), y.reshape((64, 128)), total)
            ct.store(c, (group, i, j), total.astype(ct.float16).reshape((1, 128, 128)))


SIGNATURE = [array(ct.float16, (None, None, None))] * 3
