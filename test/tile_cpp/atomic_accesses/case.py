# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(3, ))
rows = [np.arange(64) * 3]
for block in (1, 2):
    rows.append(rows[-1] * 3 + block)
case.output("Data", "i32", np.stack(rows))
case.output("Flag", "i32", [1, 1, 1], init="zeros")
case.output("Z", "i32", np.stack(rows))
CASES = [case]
