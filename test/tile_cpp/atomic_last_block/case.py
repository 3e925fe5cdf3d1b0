# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tilecpp import Case

case = Case(grid=(6, ))
x = case.array("X", "f32", (6, 128))
case.output("Partial", "f32", x.sum(1), tolerance=1e-6)
case.output("Count", "i32", [6], init="zeros")
case.output("Z", "f32", [x.sum()], tolerance=1e-5)
CASES = [case]
