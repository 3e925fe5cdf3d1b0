# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x, y = (case.array(name, "f32", (64, )) for name in "XY")


def rounded(exact, mode):
    near = exact.astype(np.float32)
    up = np.where(near.astype(float) >= exact, near, np.nextafter(near, np.float32(np.inf)))
    down = np.where(near.astype(float) <= exact, near, np.nextafter(near, np.float32(-np.inf)))
    return [near, np.where(exact > 0, down, up), down, up][mode]


exact = [x + y, x - y, x * y, x / y, np.sqrt(abs(x))]
case.output("Z", "f32", np.stack([rounded(row, mode) for mode in range(4) for row in exact]))
small = (x * np.float64(np.float32(2e-38))).astype(np.float32)
case.output("S", "f32", np.where(abs(small) < np.finfo(np.float32).tiny, np.copysign(0, small), small))
CASES = [case]
