# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i32", (512, ), init="integers:-1000:1000")
box = x.reshape(8, 4, 16)
rows = [x.reshape(16, 32).T, box.transpose(2, 0, 1), box.transpose(1, 0, 2), x.reshape(2, 4, 8, 8).transpose(3, 1, 0, 2),
        box.transpose(1, 0, 2), (x + 1) * 2]
case.output("Z", "i32", np.stack([row.reshape(512) for row in rows]))
CASES = [case]
