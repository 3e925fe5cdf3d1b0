# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f32", (64, 32))
source = case.array("From", "i32", (16, ), init="integers:0:64")
target = case.array("To", "i32", (16, ), init=np.random.default_rng(2).permutation(64)[:16])
z = np.zeros((64, 32))
z[target] = (x[source] + 1).astype(np.float32)
case.output("Z", "f32", z, init="zeros")
CASES = [case]
