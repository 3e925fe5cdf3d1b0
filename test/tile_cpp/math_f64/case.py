# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f64", (32, ))
a = abs(x) + 0.5
case.output("Z", "f64", np.stack([np.exp(x), np.log(a), np.sin(x), np.cos(x), np.tanh(x), a**x, a**-0.5, np.floor(x),
                                  np.exp2(x)]), tolerance=1e-15)
CASES = [case]
