# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

rows, count, depth, width = 192, 3, 144, 128
case = Case(grid=(3, 1))
x = case.array("X", "f16", (rows, depth))
w = case.array("W", "f16", (count, depth, width))
experts = case.array("experts", "i32", (3,), init=np.array([2, -1, 0]))
y = np.zeros((rows, width))
for block, expert in enumerate(experts):
    if expert >= 0:
        y[block * 64:block * 64 + 64] = x[block * 64:block * 64 + 64] @ w[expert]
case.output("Y", "f16", y, tolerance=2e-3, init="zeros")
for name in ("rows", "count", "depth", "width"):
    case.scalar(name, "i32", globals()[name])
CASES = [case]
