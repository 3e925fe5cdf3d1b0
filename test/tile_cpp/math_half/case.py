# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))


def functions(x):
    return np.stack([np.exp(x), np.log(abs(x)), np.sin(x), np.cos(x), np.tanh(x), np.sqrt(abs(x)), np.floor(x), np.exp2(x)])


x = case.array("X", "f16", (64, ))
case.output("Z", "f16", functions(x), tolerance=6e-4)
v = case.array("V", "bf16", (64, ))
case.output("W", "bf16", functions(v).astype(np.float32), tolerance=4e-3)
CASES = [case]
