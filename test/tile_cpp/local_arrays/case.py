# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case


def answers(a, n):
    a = a.astype(np.float32).reshape(8, 64)
    half = np.float32(0.5)
    b = np.zeros_like(a)
    tiles = [a[i].copy() for i in range(4)]
    for _ in range(n):
        for i in range(4):
            tiles[i] = tiles[i] + tiles[(i + 1) % 4] * half
    b[:4] = tiles
    grid = [[i * 10 + k for k in range(4)] for i in range(3)]
    for _ in range(min(n, 5)):
        for i in range(3):
            for k in (3, 2, 1):
                grid[i][k] += grid[i][k - 1] + grid[(i + 1) % 3][k]
    s = 0
    for row in grid:
        for x in row:
            s = s * 3 + x
    low, high, weight, scale, total = 1, 2, np.float32(0.25), 1, a[4].copy()
    for i in range(n):
        low += i
        weight += half
        scale *= 2
        total = total + a[5] * weight
        high -= i if i & 1 else 0
    b[4] = total
    counts, selected = [0] * 4, [a[6].copy(), a[7].copy()]
    for i in range(n):
        counts[(i * i + 1) & 3] += i
        selected[i & 1] += np.float32(1)
    b[6], b[7], b[5] = selected[0], selected[n & 1], selected[1]
    return b.reshape(-1), [s, low, high, scale, [3, 1, 4, 1, 5][n % 5], counts[1], counts[n & 3], 4 * (n if n > 3 else -n)]


CASES = []
for name, n in (("", 7), ("none", 0), ("two", 2)):
    case = Case(grid=(1,), name=name)
    a = case.array("a", "f32", (512,))
    b, out = answers(a, n)
    case.output("b", "f32", b, tolerance=1e-6)
    case.output("out", "i32", np.array([x % 2**32 for x in out], np.uint32).view(np.int32))
    case.scalar("n", "i32", n)
    CASES.append(case)
