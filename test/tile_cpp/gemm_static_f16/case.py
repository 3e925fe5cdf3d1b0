# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tilecpp import Case

case = Case(grid=(2, 2))
a, b = (case.array(name, "f16", (256, 256)) for name in "AB")
case.output("C", "f16", a @ b, tolerance=1e-3)
CASES = [case]
