# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(4, ))
x = case.array("X", "i32", (4, 8, 16), init="integers:-1000:1000")
case.output("Sum", "i32", x.sum(0), init="zeros")
case.output("Bits", "i32", np.bitwise_or.reduce(x), init="zeros")
case.output("Largest", "i32", x.max(0), init=np.full((8, 16), -2**31))
case.output("F", "f32", x.sum(0), init="zeros")
CASES = [case]
