# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i32", (64, ), init="integers:-20:20")
i = np.arange(64)
case.output("Z", "i32", np.stack([x**5, x + x * x + i + 2 * i + x + 1, (x >> 1) + 720]))
case.output("F", "f32", x / 2)
CASES = [case]
