# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tilecpp import Case

M, N, depth = 160, 144, 192
case = Case(grid=(2, 2))
a = case.array("A", "f16", (M, depth))
b = case.array("B", "f16", (N, depth))
case.output("C", "f16", a @ b.T, tolerance=0.002)
for name, value in zip(("M", "N", "depth"), (M, N, depth)):
    case.scalar(name, "i32", value)
CASES = [case]
