# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = np.stack([np.arange(32) - 5, np.arange(32) % 2, np.where(np.arange(32) % 3 == 0, 7, 8)])
i = np.arange(32)
after = np.stack([i * 10, np.where(x[1] == i % 4, i + 1000, x[1]), np.where((x[2] == 7) & (i < 20), -i, x[2])])
case.output("X", "i32", after, init=x)
f = i * 0.25
case.output("F", "f32", np.where(i % 2 == 0, 2.5, f), init=f)
# The result for a masked-off element is its comparison operand, or zero.
case.output("Old", "i32", np.stack([x[0], x[1], np.where(i < 20, x[2], 7)]))
case.output("OldF", "f32", np.where(i % 2 == 0, f, 0))
CASES = [case]
