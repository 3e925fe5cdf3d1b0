# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import cuda.tile as ct
from tilecpp import array


@ct.kernel
def K(a, b, c):
    total = ct.zeros((128, 128), ct.float32)
    for k in range(256 // 64):
        total = ct.mma(ct.load(a, (ct.bid(0), k), (128, 64)), ct.load(b, (k, ct.bid(1)), (64, 128)), total)
    ct.store(c, (ct.bid(0), ct.bid(1)), total.astype(ct.float16))


SIGNATURE = [array(ct.float16, (256, 256))] * 3
