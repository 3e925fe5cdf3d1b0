# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tilecpp import Case

case = Case(grid=(1, ))
x, y = (case.array(name, "f16", (32, 32)) for name in "XY")
v, w = (case.array(name, "bf16", (4, 16, 16)) for name in "VW")
case.output("F", "f32", x @ y + 1, tolerance=1e-6)
case.output("H", "f16", x @ y.T, tolerance=2e-3)
case.output("B", "f32", v @ w, tolerance=1e-6)
CASES = [case]
