# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(2, ))
x = case.array("X", "i32", (2, 64), init="integers:1:30")
state, steps = x.copy(), np.zeros_like(x)
for _ in range(30):
    busy = state > 1
    steps += busy
    state = np.where(busy, np.where(state % 2 == 0, state // 2, state * 3 + 1), state)
case.output("Z", "i32", np.stack([-steps[0], steps[1] + state[1]]))
CASES = [case]
