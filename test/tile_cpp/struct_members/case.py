# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
n = 8
x = case.array("X", "f32", (n, 32))
diagonal = x[np.arange(n), np.arange(n)]
case.output("Z", "f32", np.concatenate([x.mean(0), x.var(0), [diagonal.min(), diagonal.max()]]), tolerance=1e-6)
case.scalar("n", "i32", n)
CASES = [case]
