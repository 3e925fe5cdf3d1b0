# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x, y = (case.array(name, "f32", (128, )) for name in "XY")
f = np.float32
case.output("Z", "f32", np.stack([x + y, x - y, x * y, x / y, -x, abs(y), np.maximum(x, y), np.minimum(x, y), x * y + x,
                                  f(x * 2.5) + f(1)]), tolerance=1e-7)
CASES = [case]
