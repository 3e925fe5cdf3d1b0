# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import cuda.tile as ct
from tilecpp import array


@ct.kernel
def K(x, w, experts, y):
    expert = ct.gather(experts, ct.bid(0)).item()
    if expert < 0:
        return
    total = ct.zeros((64, 128), ct.float32)
    for k in range(ct.num_tiles(x, axis=1, shape=(64, 64))):
        a = ct.load(x, (ct.bid(0), k), (64, 64), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(w, (expert, k, ct.bid(1)), (1, 64, 128), padding_mode=ct.PaddingMode.ZERO).reshape((64, 128))
        total = ct.mma(a, b, total)
    ct.store(y, (ct.bid(0), ct.bid(1)), total.astype(ct.float16))


rows = array(ct.float16, (None, None))
SIGNATURE = [rows, array(ct.float16, (None, None, None)), array(ct.int32, (None,)), rows]
