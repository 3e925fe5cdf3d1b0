# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case


def answers(a):
    found = [a.index(wanted) if wanted in a else None for wanted in range(4)]
    out = [-7 - i if x is None else x for i, x in enumerate(found)]
    last, changes = None, 0
    for i, x in enumerate(a):
        if x == 3:
            last = None
        elif last is None or last < x:
            last, changes = x + i, changes + 1
    return out + [-1 if last is None else last, changes, int(last == found[2])]


CASES = []
for name, values in (("", [0, 2, 5, 3, 9, 1, 8, 7]), ("few", [1, 0, 3]), ("none", [])):
    case = Case(grid=(1,), name=name)
    case.array("a", "i32", (8,), init=np.array(values + [2] * (8 - len(values))))
    x = case.array("x", "f32", (64,))
    case.output("y", "f32", x * (0.5 if len(values) > 4 else 2.0))
    case.output("out", "i32", np.array(answers(values), np.int32))
    case.scalar("n", "i32", len(values))
    CASES.append(case)
