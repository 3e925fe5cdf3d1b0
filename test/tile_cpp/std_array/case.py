# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case


def answers(a, n):
    tiles = list(a.astype(np.float32).reshape(4, 64))
    for _ in range(n):
        for i in range(4):
            tiles[i] = tiles[i] + tiles[3 - i] * np.float32(0.5)
    p, q = [n**i for i in range(4)], [(n + 1)**i for i in range(4)]
    out = [p[0] + p[3] * 4]
    p, q = q, [n] * 4
    s = 0
    for x in p:
        s = s * 10 + x
    out += [s, n, int(p < q)]
    q[n & 3] = 100
    for x in reversed(q):
        s = s * 3 + x
    return np.concatenate(tiles), out + [s, p[2]]


CASES = []
for name, n in (("", 3), ("none", 0), ("six", 6)):
    case = Case(grid=(1,), name=name)
    b, out = answers(case.array("a", "f32", (256,)), n)
    case.output("b", "f32", b, tolerance=1e-6)
    case.output("out", "i32", np.array(out, np.int32))
    case.scalar("n", "i32", n)
    CASES.append(case)
