# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(8, ))
commands = case.array("Command", "i32", (8, ), init=np.array([0, 1, 2, 7, 5, 7, 2, -1]))
x = case.array("X", "f32", (32, ))
f = np.float32
power = f(x)
for _ in range(3):
    power = power * power
answers = {0: f(x + 1) * f(2), 1: x * 2, 2: -x, 7: power}
case.output("Z", "f32", np.stack([answers.get(int(c), 0 * x) for c in commands]))
case.output("N", "i32", [(5 if c == 2 else 1) + [n, n * n, n**3, 0][c & 3] for n, c in enumerate(map(int, commands), 1)])
CASES = [case]
