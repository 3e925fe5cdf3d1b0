# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x, y = (case.array(name, "f32", (128, )) for name in "XY")
n = case.array("N", "i32", (128, ), init="integers:0:6")
f = np.float32
a = f(abs(x) + 0.5).astype(float)
triple = f(x * 3).astype(float)
case.output("Z", "f32", np.stack([a**y, x**n, np.sqrt(a), a**-0.5, np.floor(triple), np.ceil(triple), np.fmod(x * 8, a),
                                  np.sqrt(a), x / a, x / a]), tolerance=3e-7)
CASES = [case]
