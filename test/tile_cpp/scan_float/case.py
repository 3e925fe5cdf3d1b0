# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f32", (512, ))
m = x.reshape(16, 32)
case.output("Z", "f32", np.stack([row.reshape(512) for row in [
    m.cumsum(1), m.cumsum(0), m[:, ::-1].cumsum(1)[:, ::-1], m.cumprod(0), x.cumsum()]]), tolerance=1e-6)
CASES = [case]
