# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

rows, columns, eps = 6, 800, 1e-5
case = Case(grid=(2,))
x = case.array("X", "f16", (rows, columns))
w = case.array("W", "f16", (columns,))
case.output("Y", "f16", x / np.sqrt((x * x).mean(axis=1, keepdims=True) + eps) * w, tolerance=2e-3)
case.scalar("rows", "i32", rows)
case.scalar("columns", "i32", columns)
case.scalar("eps", "f32", eps)
CASES = [case]
