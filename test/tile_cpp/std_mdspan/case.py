# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case


def weigh(m):
    return int(sum((i * 5 + k + 1) * m[i, k] for i in range(m.shape[0]) for k in range(m.shape[1])))


CASES = []
for name, rows, columns in (("", 4, 6), ("row", 1, 7), ("column", 5, 1)):
    case = Case(grid=(1,), name=name)
    a = np.array(case.array("a", "i32", (24,), init="integers:-9:9"), np.int64)
    open_ = a[:rows * columns].reshape(rows, columns)
    b = np.full((rows + 1) * columns, -1, np.int32)
    for k in range(columns):
        b[k * (rows + 1):k * (rows + 1) + rows] = open_[:, k] + k
    case.output("b", "i32", b, init=np.full_like(b, -1))
    out = [weigh(a[:12].reshape(3, 4)), weigh(a[:12].reshape(4, 3).T), weigh(open_), rows * columns * 100 + columns,
           rows - 1 + (columns - 1) * (rows + 1) + 1]
    case.output("out", "i32", np.array(out, np.int32))
    case.scalar("rows", "i32", rows)
    case.scalar("columns", "i32", columns)
    CASES.append(case)
