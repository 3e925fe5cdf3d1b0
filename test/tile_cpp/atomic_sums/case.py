# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(4, ))
x = case.array("X", "i32", (256, ), init="integers:-100:100").astype(np.int64)
bins = [x[x % 16 == n] for n in range(16)]
case.output("I", "i32", np.stack([[len(b) for b in bins], [-b.sum() for b in bins]]), init="zeros")
case.output("F", "f32", [b.sum() for b in bins], init="zeros")
case.output("L", "i64", [b.sum() << 20 for b in bins], init="zeros")
case.output("D", "f64", [b[b > 0].sum() for b in bins], init="zeros")
case.output("H", "f16", [(b & 3).sum() for b in bins], init="zeros")
CASES = [case]
