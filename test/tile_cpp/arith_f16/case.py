# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case, round_to

case = Case(grid=(1, ))
x, y = (case.array(name, "f16", (128, )) for name in "XY")
exact = [x + y, x - y, x * y, x / y, -x, abs(x), np.maximum(x, y), np.minimum(x, y), x * y + x]
case.output("Z", "f16", round_to("f16", np.stack(exact)))
CASES = [case]
