# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
n = 40
x = (np.arange(n) * 7 % 11 - 3)
x[30] = 99
x = case.array("X", "i32", (n, ), init=x)
value, steps = 27, 0
while value != 1:
    value, steps = 3 * value + 1 if value % 2 else value // 2, steps + 1
pairs = sum(int(x[i] == x[j]) for i in range(n) for j in range(i + 1, min(i + 6, n)))
exponent = next(e for e in range(1, 30) if 3**e >= n * 100)
case.output("Z", "i32", [x[:30][x[:30] > 0].sum(), steps, exponent, pairs, 19])
case.scalar("n", "i32", n)
CASES = [case]
