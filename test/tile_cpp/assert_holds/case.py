# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i32", (20, ), init="integers:0:100")
case.output("Z", "i32", [x.sum()])
case.scalar("n", "i32", 20)
CASES = [case]
