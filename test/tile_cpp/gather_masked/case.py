# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
n = 100
x = case.array("X", "f32", (200, ))
index = case.array("Index", "i32", (256, ), init="integers:-30:130")
i = np.arange(256)
inside = (index >= 0) & (index < n)
safe = np.where(inside, index, 0)
case.output("Z", "f32", np.stack([np.where(inside, x[safe], -1), np.where(inside & (i % 2 == 0), x[2 * safe], i)]))
case.scalar("n", "i32", n)
CASES = [case]
