# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(8, ))
x = case.array("X", "f32", (8, 32))
table = np.array([3, 1, 4, 1, 5, 9, 2, 6])
case.output("Z", "f32", x * 0.5 * table[:, None], tolerance=1e-7)
case.output("Tickets", "i32", np.ones(8))
write = Case(grid=(1, ), entry="Write", name="write")
x = write.array("X", "i32", (8, ), init="integers:-9:9")
write.output("Z", "i32", (table * x)[::-1] + 20)
CASES = [case, write]
