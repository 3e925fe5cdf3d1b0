# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case, round_to

case = Case(grid=(1, ))
x, y = (case.array(name, "i8", (32, 32), init="integers:-100:100").astype(float) for name in "XY")
case.output("I", "i32", x @ y)
case.output("U", "i32", (x % 256) @ y)
case.output("F8", "f32", round_to("f8e4m3", x / 8) @ round_to("f8e4m3", y / 8))
v, w = (case.array(name, "f32", (32, 32)) for name in "VW")


def tf32(values):
    bits = values.astype(np.float32).view(np.uint32)
    return (bits + 0xfff + (bits >> 13 & 1) & 0xffffe000).view(np.float32).astype(float)


case.output("T", "f32", tf32(v) @ tf32(w), tolerance=1e-6)
case.output("F", "f32", v @ w, tolerance=2e-3)
p, q = (case.array(name, "f64", (32, 32)) for name in "PQ")
case.output("D", "f64", p @ q, tolerance=1e-15)
CASES = [case]
