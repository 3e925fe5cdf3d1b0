# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f32", (16, ))[:, None]
y = case.array("Y", "f32", (32, ))[None, :]
s = case.array("S", "f32", (1, ))
case.output("Z", "f32", np.stack([x * y, x + y, s - x + 0 * y, y[0, 3] * y + 0 * x]).astype(np.float32))
CASES = [case]
