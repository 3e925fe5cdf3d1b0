# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import math

import numpy as np
from tilecpp import Case

case = Case(grid=(8, ))
a = case.array("A", "i32", (8, ), init="integers:1:2000000000").tolist()
b = case.array("B", "i32", (8, ), init=np.array([12, 1000000, 77, 360360, 2, 999, 1, 123456789])).tolist()
leap = [366 if y % 4 == 0 and y % 100 or y % 400 == 0 else 365 for y in range(1900, 1900 + 17 * 8, 17)]
case.output("Z", "i32", [math.gcd(*pair) for pair in zip(a, b)] + leap)
states = []
for state in range(8):
    for _ in range(10):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    states.append(state >> 33 ^ state)
case.output("L", "i64", [math.isqrt(m * n) for m, n in zip(a, b)] + list(np.array(states, np.uint64).view(np.int64)))
CASES = [case]
