# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case


def answers(a, n):
    first, second = a.astype(np.float32).reshape(2, 64)
    high, low, following = np.maximum(first, 0), np.minimum(first, 0), n + 1
    for _ in range(n):
        x = second + high * np.float32(0.5)
        high, low, count = np.maximum(x, 0), low + np.minimum(x, 0), following + 1
        following += count
    p, q = divmod(n + 60, 7), divmod(n + 40, 7)
    return np.concatenate([high, low]), [following, (n + 4) * 100 + 53, q[0] * 10 + q[1], p[0] if p < q else q[1], n + 4 - 5 + 3]


CASES = []
for name, n in (("", 3), ("none", 0)):
    case = Case(grid=(1,), name=name)
    b, out = answers(case.array("a", "f32", (128,)), n)
    case.output("b", "f32", b, tolerance=1e-6)
    case.output("out", "i32", np.array(out, np.int32))
    case.scalar("n", "i32", n)
    CASES.append(case)
