# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tilecpp import Case

case = Case(grid=(3, 2))
rows, columns = 40, 56
x = case.array("X", "f16", (rows, columns))
case.output("Z", "f16", x.T * 2)
case.scalar("rows", "i32", rows)
case.scalar("columns", "i32", columns)
CASES = [case]
