# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

rows, columns, eps = 4, 400, 1e-5
case = Case(grid=(rows,))
x = case.array("X", "bf16", (rows, columns))
w, b = (case.array(name, "bf16", (columns,)) for name in "WB")
d = x - x.mean(axis=1, keepdims=True)
case.output("Y", "bf16", d / np.sqrt((d * d).mean(axis=1, keepdims=True) + eps) * w + b, tolerance=1e-2)
case.scalar("rows", "i32", rows)
case.scalar("columns", "i32", columns)
case.scalar("eps", "f32", eps)
CASES = [case]
