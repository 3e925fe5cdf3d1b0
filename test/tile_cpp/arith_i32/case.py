# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i32", (256, ), init="integers:-2000000000:2000000000").astype(np.int64)
y = np.where(np.arange(256) % 3, -7, 11) * (1 + np.arange(256) % 37 * (1 + np.arange(256) % 5 * 991))
y = case.array("Y", "i32", (256, ), init=y).astype(np.int64)
toward_zero = np.sign(x) * np.sign(y) * (abs(x) // abs(y))
case.output("Z", "i32", np.stack([x + y, x - y, x * y, toward_zero, x - toward_zero * y, x // y, -(-x // y), (abs(x) * abs(y)) >> 32,
                                  abs(x), np.maximum(x, y), np.minimum(x, y), -x]))
CASES = [case]
