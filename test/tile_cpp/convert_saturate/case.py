# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f32", (64, ), init=np.arange(-32, 32) * 17.3 + (np.arange(64) % 8 == 5) * 1e5)
large = (x * np.float32(1e7)).astype(np.float32).astype(float)
case.output("Z", "i32", np.stack([np.clip(np.trunc(v), low, high).astype(np.int64) for v, low, high in [
    (x, -128, 127), (x, 0, 255), (x, -32768, 32767), (large, -2**31, 2**31 - 1)]]))
CASES = [case]
