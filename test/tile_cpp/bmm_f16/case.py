# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tilecpp import Case

count, M, N, depth = 3, 144, 128, 192
case = Case(grid=(2, 1, 3))
a = case.array("A", "f16", (count, M, depth))
b = case.array("B", "f16", (count, depth, N))
case.output("C", "f16", a @ b, tolerance=2e-3)
for name in ("count", "M", "N", "depth"):
    case.scalar(name, "i32", globals()[name])
CASES = [case]
