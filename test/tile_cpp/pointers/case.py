# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x, y = (case.array(name, "f32", (64, )) for name in "XY")
i = np.arange(64)
case.output("Z", "f32", np.append(np.where(i % 2, x, y[::-1]), x[::4].sum()), tolerance=3e-7)
case.output("N", "i64", np.stack([2 * i, (i >= 32).astype(int) + (i == 40), i % 2]))
CASES = [case]
