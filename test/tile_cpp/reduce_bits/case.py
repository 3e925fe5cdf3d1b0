# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i32", (32, 16), init="integers:-1000:1000")
case.output("Z", "i32", np.stack([np.bitwise_and.reduce(x, 1), np.bitwise_or.reduce(x, 1), np.bitwise_xor.reduce(x, 1),
                                  (x > -900).all(1), (x > 900).any(1), x.sum(1)]))
l = case.array("L", "i64", (32, 4), init="integers:-4000000000000000000:4000000000000000000")
with np.errstate(over="ignore"):
    case.output("M", "i64", np.stack([l.sum(1), l.max(1), l.prod(1)]))
CASES = [case]
