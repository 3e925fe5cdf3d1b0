# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(2, ))
x = case.array("X", "f32", (64, 64))
a, b = x[:, :32], x[:, 32:]
case.output("Z", "f32", np.concatenate([a + b, a - b], axis=1).astype(np.float32))
CASES = [case]
