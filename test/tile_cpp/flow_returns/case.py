# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(12, ))
x = case.array("X", "i32", (12, 16), init="integers:-100:100")
z = []
for block, row in enumerate(x):
    above = np.flatnonzero(row > 90)
    z.append(7 if block % 4 == 3 else above[0] * 1000 + row[above[0]] if len(above) else -2 if row[0] > 0 else -1)
case.output("Z", "i32", z, init=np.full(12, 7))
CASES = [case]
