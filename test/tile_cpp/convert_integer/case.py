# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case, round_to

case = Case(grid=(1, ))
x = case.array("X", "f32", (128, ), init=np.arange(-64, 64) * 1234.567)
n = case.array("N", "i32", (128, ), init="integers:-2147483648:2147483647").astype(np.int64)
case.output("Z", "i64", np.stack([np.trunc(x), np.trunc(abs(x)), np.trunc((x * 1e6).astype(np.float32).astype(float))]
                                 + [n.astype(t) for t in (np.int8, np.uint8, np.int16, np.uint16, np.uint32)]
                                 + [n & 4 != 0, n % 2**32 << 8]).astype(np.int64))
short = round_to("f16", n.astype(np.int16).astype(float))
case.output("F", "f32", np.stack([n.astype(float), (n % 2**32).astype(float), n.astype(np.int8), n.astype(np.uint8),
                                  (n * 1000000007).astype(np.float32), short * 0.5, n.astype(float)]))
CASES = [case]
