# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i32", (640, ), init="integers:-99:99")
i, j = np.arange(16)[:, None], np.arange(16)
stride = 33
case.output("Z", "i32", np.concatenate([x[j * 16 + i], x[i * stride + 2 * j], x[i * 20 + j], x[i * 16 + j]]))
case.scalar("stride", "i32", stride)
CASES = [case]
