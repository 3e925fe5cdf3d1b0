# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
i = np.arange(16)
case.output("Z", "f32", np.stack([0 * i, 0 * i + 1, 0 * i + 2.5, i + 1, (i + 1).reshape(4, 4).T.reshape(16), i]))
case.output("N", "i64", i * 5000000000)
CASES = [case]
