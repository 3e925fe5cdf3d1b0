# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case, round_to

case = Case(grid=(1, ))
x = case.array("X", "f32", (128, ))
half = round_to("f16", x)
case.output("H", "f16", half)
case.output("B", "bf16", round_to("bf16", x))
case.output("D", "f64", x * 1.0000000001)
bits = x.astype(np.float32).view(np.uint32)
near = (bits + 0xfff + (bits >> 13 & 1) & 0xffffe000).view(np.float32)
down = (bits & 0xffffe000).view(np.float32)
case.output("F", "f32", np.stack([half, round_to("bf16", x), x * 1.0000001, near, down, half, round_to("bf16", half)]))
CASES = [case]
