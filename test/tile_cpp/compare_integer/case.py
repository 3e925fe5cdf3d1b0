# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i32", (128, ), init="integers:-3:3").astype(np.int64)
y = case.array("Y", "i32", (128, ), init="integers:-3:3").astype(np.int64)
u, v = x % 2**32, y % 2**32
odd, greater = x % 2, (x > y).astype(int)
case.output("Z", "i32", np.stack([x < y, u < v, x >= y, u >= v, (x == y) | (x % 2 == 0), np.where(u > v, x, y),
                                  np.where(x != 0, y, x), u > x, odd ^ greater, odd + greater]))
CASES = [case]
