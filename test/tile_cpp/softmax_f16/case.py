# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

rows, columns = 5, 400
case = Case(grid=(rows,))
x = case.array("X", "f16", (rows, columns))
e = np.exp(x - x.max(axis=1, keepdims=True))
case.output("Y", "f16", e / e.sum(axis=1, keepdims=True), tolerance=2e-3)
case.scalar("rows", "i32", rows)
case.scalar("columns", "i32", columns)
CASES = [case]
