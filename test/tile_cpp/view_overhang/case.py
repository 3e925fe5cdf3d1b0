# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tilecpp import Case

groups = 3
case = Case(grid=(groups,))
x = case.array("X", "f32", (groups, 6, 32))
case.output("Z", "f32", x * 2)
case.scalar("groups", "i32", groups)
CASES = [case]
