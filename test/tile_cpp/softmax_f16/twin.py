# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import cuda.tile as ct
from tilecpp import array


@ct.kernel
def K(x, y):
    t = ct.load(x, (ct.bid(0), 0), (1, 512), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
    e = ct.exp(t - ct.max(t, axis=1, keepdims=True))
    ct.store(y, (ct.bid(0), 0), (e / ct.sum(e, axis=1, keepdims=True)).astype(ct.float16))


SIGNATURE = [array(ct.float16, (None, None))] * 2
