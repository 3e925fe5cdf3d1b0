# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f32", (16, 64))
y = case.array("Y", "i32", (16, 64), init="integers:-9:9")
case.output("Z", "i32", np.stack([x.argmax(1), x.argmin(1), y.argmax(1), y.argmin(1), y.argmax(1)]))
CASES = [case]
