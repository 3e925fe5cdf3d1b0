# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i8", (128, ), init="integers:-128:128").astype(np.int64)
y = case.array("Y", "i8", (128, ), init="integers:-128:128").astype(np.int64)
case.output("Z", "i8", np.stack([x + y, x - y, x * y, x & y, x | y, x ^ y, np.maximum(x, y), ~x, (x & 255) // 3]))
v = case.array("V", "i16", (128, ), init="integers:-32768:32768").astype(np.int64)
case.output("W", "i16", np.stack([v * v, np.minimum(v, 100)]))
CASES = [case]
