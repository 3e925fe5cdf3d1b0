# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(3, ))
n = 300
x = case.array("X", "f32", (n, ))
place = case.array("Place", "i32", (n, ), init=np.random.default_rng(1).permutation(384)[:n])
z = np.zeros(384)
z[place] = x
case.output("Z", "f32", z, init="zeros")
case.scalar("n", "i32", n)
CASES = [case]
