# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(2, 2, 2))
x = case.array("X", "f32", (4, 8, 16))
case.output("Y", "f32", x.transpose(2, 1, 0))
case.output("Z", "f32", np.stack([x, -x], axis=3))
case.output("V", "f32", x.reshape(2, 2, 2, 4, 2, 8).sum((1, 3, 5)).reshape(8), tolerance=1e-6)
CASES = [case]
