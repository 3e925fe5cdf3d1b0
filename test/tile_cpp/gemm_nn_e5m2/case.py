# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tilecpp import Case

M, N, depth = 160, 144, 384
case = Case(grid=(2, 2))
a = case.array("A", "f8e5m2", (M, depth))
b = case.array("B", "f8e5m2", (depth, N))
case.output("C", "f16", a @ b, tolerance=0.004)
for name, value in zip(("M", "N", "depth"), (M, N, depth)):
    case.scalar(name, "i32", value)
CASES = [case]
