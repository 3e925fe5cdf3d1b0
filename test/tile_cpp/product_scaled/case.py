# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i8", (16, 64), init="integers:-8:8").astype(float)
y = case.array("Y", "i8", (64, 16), init="integers:-8:8").astype(float)
sx = case.array("SX", "i8", (16, 2), init="integers:120:128").astype(float)
sy = case.array("SY", "i8", (2, 16), init="integers:120:128").astype(float)
case.output("Z", "f32", (x * np.repeat(2.0**(sx - 127), 32, 1)) @ (y * np.repeat(2.0**(sy - 127), 32, 0)))
CASES = [case]
