# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case


def visited(a, indices, factor=3, skip=lambda x: x < 0):
    s = 0
    for i in indices:
        if not skip(a[i]):
            s = s * factor + a[i]
    return s


def answers(a, n):
    def left(stop):
        return next((i for i in range(n) if a[i] == stop), n)

    keep = lambda x: False  # noqa: E731
    seven = lambda x: x == 7  # noqa: E731
    moves, bound, i = 0, n, 0
    while i < bound:
        moves = moves * 3 + a[i]
        bound -= a[i] < 0
        i += 1
    inner = 0
    for i in range(n):
        k = i
        while a[i] >= 0 and k >= 0 and a[k] >= 0:
            inner = inner * 3 + a[k]
            k -= 1
    return [
        visited(a, range(n - 1, -1, -1)),
        visited(a, range(n - 1, 0, -2), 5, seven) * 7 + (n % 2 if n > 1 else n),
        visited(a, range(0, n, 3), skip=seven),
        visited(a, range(n)) + n,
        visited(a, range(0, n, 3)),
        visited(a, range(left(7))) * 7 + left(7),
        left(7) if left(7) < n else -1,
        visited(a, range(max(n, 1)), skip=keep),
        moves,
        inner,
        {0: 104, 1: 34, 2: 24, 5: 12}.get(n & 7, -4),
        visited(a, range(n)),
    ]


CASES = []
for name, n in (("", 37), ("none", 0), ("one", 1), ("eight", 8), ("five", 5)):
    case = Case(grid=(1,), name=name)
    values = np.random.default_rng(3).integers(-3, 9, 40)
    values[:4] = [1, 3, -1, 2]
    a = [int(x) for x in case.array("a", "i32", (40,), init=values)]
    wrapped = np.array([x % 2**32 for x in answers(a, n)], np.uint32).view(np.int32)
    case.output("out", "i32", wrapped)
    case.scalar("n", "i32", n)
    CASES.append(case)
