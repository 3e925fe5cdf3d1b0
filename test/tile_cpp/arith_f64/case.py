# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x, y = (case.array(name, "f64", (64, )) for name in "XY")
case.output("Z", "f64", np.stack([x + y, x - y, x * y, x / y, np.sqrt(abs(x)), np.maximum(x, y), np.minimum(x, -y)]))
CASES = [case]
