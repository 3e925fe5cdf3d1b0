# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i32", (128, ), init="integers:-2147483648:2147483647").view(np.uint32).astype(np.uint64)
y = case.array("Y", "i32", (128, ), init="integers:-2147483648:2147483647").view(np.uint32).astype(np.uint64)
rows = [x + y, x - y, x * y, x // y, x % y, (x * y) >> np.uint64(32), np.maximum(x, y), np.minimum(x, y), x >> np.uint64(3),
        -(-x.astype(np.int64) // y.astype(np.int64)), np.minimum(x, y)]
case.output("Z", "i32", np.stack([row.astype(np.uint32) for row in rows]))
CASES = [case]
