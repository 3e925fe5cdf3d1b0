# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

M, N, depth = 160, 144, 384
case = Case(grid=(2, 2))
a = case.array("A", "i8", (M, depth), init="integers:-100:100")
b = case.array("B", "i8", (N, depth), init="integers:-100:100")
case.output("C", "i32", a.astype(np.int32) @ b.T.astype(np.int32))
for name, value in zip(("M", "N", "depth"), (M, N, depth)):
    case.scalar(name, "i32", value)
CASES = [case]
