# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i8", (64, ), init="integers:0:2").astype(bool)
y = case.array("Y", "i8", (64, ), init="integers:0:2").astype(bool)
case.output("Z", "i8", np.concatenate([x & y, x | ~y, x != y, ~x, [(x & y).any(), True if x[0] else y[0]]]))
case.scalar("invert", "i8", 1)
CASES = [case]
