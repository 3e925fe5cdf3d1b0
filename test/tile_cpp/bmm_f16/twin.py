# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import cuda.tile as ct
from tilecpp import array


@ct.kernel
def K(a, b, c):
    batch = ct.bid(2)
    total = ct.zeros((128, 128), ct.float32)
    for k in range(ct.num_tiles(a, axis=2, shape=(1, 128, 64))):
        x = ct.load(a, (batch, ct.bid(0), k), (1, 128, 64), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, (batch, k, ct.bid(1)), (1, 64, 128), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(x.reshape((128, 64)), y.reshape((64, 128)), total)
    ct.store(c, (batch, ct.bid(0), ct.bid(1)), total.astype(ct.float16).reshape((1, 128, 128)))


SIGNATURE = [array(ct.float16, (None, None, None))] * 3
