# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
stride = 3 * 2**32 + 64
x = case.array("X", "f32", (3, 64), strides=[stride, 1])
case.output("Z", "f32", (x + np.arange(3)[:, None]).astype(np.float32))
case.scalar("stride", "i64", stride)
CASES = [case]
