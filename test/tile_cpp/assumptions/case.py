# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f32", (256, ))
n, start = 100, 48
case.output("Z", "f32", np.append(x[start:start + n], [0] * 28), init="zeros")
case.scalar("n", "i32", n)
case.scalar("start", "i32", start)
CASES = [case]
