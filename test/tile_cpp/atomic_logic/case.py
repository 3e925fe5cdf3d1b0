# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(4, ))
x = case.array("X", "i32", (256, ), init="integers:-2147483648:2147483647")
bins = x.reshape(32, 8)
start = np.array([[-1] * 8, [0] * 8, [5] * 8, [-2**31] * 8, [2**31 - 1] * 8])
case.output("Z", "i32", np.stack([np.bitwise_and.reduce(bins), np.bitwise_or.reduce(bins), np.bitwise_xor.reduce(bins) ^ 5,
                                  bins.max(0), bins.min(0)]), init=start)
unsigned = bins.astype(np.int64) % 2**32
case.output("U", "i32", np.stack([unsigned.max(0), np.where(bins < 0, unsigned, 2**32 - 1).min(0)]),
            init=np.array([[0] * 8, [2**32 - 1] * 8]))
case.output("L", "i64", bins.max(0).astype(np.int64) * 3000000000, init=np.full(8, -2**63))
CASES = [case]
