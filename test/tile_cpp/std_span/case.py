# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case


def answers(a):
    n = len(a)
    out = [sum(a) if n else -1]
    out += [sum(a[1:4]) * 10 + a[-1] - a[0], sum(a[-4:]) - sum(a[:2])] if n > 4 else [0, 4 * n]
    local = [a[i] if i < n else i for i in range(6)][::-1]
    local[:3] = local[2::-1]
    s = 0
    for x in reversed(local):
        s = s * 7 + x
    return out + [s] + local[1:5]


CASES = []
for name, n in (("", 9), ("none", 0), ("two", 2)):
    case = Case(grid=(1,), name=name)
    a = case.array("a", "i32", (16,), init="integers:-20:20")
    case.output("out", "i32", np.array(answers([int(x) for x in a[:n]]), np.int32))
    case.scalar("n", "i32", n)
    CASES.append(case)
