# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tilecpp import Case

M, N, depth = 160, 144, 192
case = Case(grid=(2, 2))
a = case.array("A", "f16", (depth, M))
b = case.array("B", "f16", (depth, N))
case.output("C", "f16", a.T @ b, tolerance=0.002)
for name, value in zip(("M", "N", "depth"), (M, N, depth)):
    case.scalar(name, "i32", value)
CASES = [case]
