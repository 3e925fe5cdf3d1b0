# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f32", (32, ))
scale, n = 0.5, 10


def fold(x, function):
    a = function(x[:16], x[16:])
    return function(a[:8], a[8:])


case.output("Z", "f32", np.stack([fold(x, np.maximum), fold(x, lambda a, b: a * scale - b)]), tolerance=3e-7)
case.output("N", "i32", [n + 3, sum(k * k for k in range(n)) - sum(n + 2 * k for k in range(3))])
case.scalar("scale", "f32", scale)
case.scalar("n", "i32", n)
CASES = [case]
