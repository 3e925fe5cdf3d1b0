# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f32", (16, 16))
at = 2
block = x[4 * at:4 * at + 4, 4 * (3 - at):4 * (3 - at) + 4]
swapped = np.concatenate([x[:, 8:], x[:, :8]], axis=1)
transposed = np.concatenate([x[8:], x[:8] * 2])
put, lone = x.copy(), np.zeros((16, 16))
put[4:8, 8:12] = -block
lone[4 * at:4 * at + 4, 4 * at:4 * at + 4] = block
case.output("Z", "f32", np.stack([swapped, transposed, put, lone]))
case.scalar("at", "i32", at)
CASES = [case]
