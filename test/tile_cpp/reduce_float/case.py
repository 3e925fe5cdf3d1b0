# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f32", (512, )).reshape(4, 8, 16)
case.output("A", "f32", np.stack([x.sum(0), x.max(0)]), tolerance=3e-7)
case.output("B", "f32", np.stack([x.sum(1), x.prod(1), x.min(1)]), tolerance=1e-6)
case.output("C", "f32", np.concatenate([x.sum(2).reshape(32), (x * x).sum((1, 2))]), tolerance=1e-6)
CASES = [case]
