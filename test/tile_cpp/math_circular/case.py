# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x, y = (case.array(name, "f32", (128, )) for name in "XY")
case.output("Z", "f32", np.stack([np.sin(x), np.cos(x), np.tan(x * 0.25), np.sinh(x), np.cosh(x), np.arctan2(x, y),
                                  np.sin((x * 100).astype(np.float32).astype(float))]), tolerance=3e-7)
CASES = [case]
