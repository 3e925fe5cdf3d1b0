# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f16", (128, ))
case.output("Z", "f16", [x.max(), x.min()])
d = case.array("D", "f64", (128, ))
case.output("E", "f64", [d.sum(), d.min()], tolerance=1e-14)
b = case.array("B", "i8", (128, ), init="integers:-128:128")
case.output("C", "i8", np.array([b.sum(dtype=np.int64), b.max()]))
n = case.array("N", "f32", (128, ), init=np.where(np.arange(128) == 77, np.nan, np.arange(128) % 50))
case.output("M", "f32", [49, np.nan])
CASES = [case]
