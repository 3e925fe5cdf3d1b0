# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f32", (128, ))
a = abs(x) + 0.25
case.output("Z", "f32", np.stack([np.exp(x), np.exp2(x), np.log(a), np.log2(a), np.exp(x), np.exp2(x), np.tanh(x),
                                  np.tanh(x) * 1e-3, 1 / (1 + np.exp(-x))]), tolerance=5e-7)
CASES = [case]
