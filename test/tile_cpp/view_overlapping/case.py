# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f32", (64, ))
windows = np.stack([x[8 * k:8 * k + 16] for k in range(7)])
case.output("Z", "f32", np.concatenate([windows * 3, windows.sum(0)[None]]), tolerance=3e-7)
CASES = [case]
