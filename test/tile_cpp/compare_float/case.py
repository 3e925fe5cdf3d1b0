# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
special = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.5])
x = case.array("X", "f32", (64, ), init=np.repeat(special, 8))
y = case.array("Y", "f32", (64, ), init=np.tile(special, 8))
case.output("Z", "i8", np.stack([x < y, x <= y, x > y, x >= y, x == y, x != y, np.isnan(x), np.isinf(x),
                                 ~(x < y) & ((x != 0) | (y == 1))]))
case.output("W", "f32", np.stack([np.where(x < y, x, y), np.fmax(x, y), np.minimum(x, y)]))
CASES = [case]
