# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case


def check(a, n):
    odd, even = [False] * n, [False] * n
    for i in range(n):
        if a[i] < 0:
            break
        odd[i], even[i] = bool(a[i] & 1), bool(a[i] & 2)

    def find(bits):
        return bits.index(True) if any(bits) else n

    if odd == even and any(odd):
        return 1
    if find(odd) < find(even):
        return 100 + find(odd)
    for i in range(n):
        if odd[i] and not even[i]:
            return 200 + i
        if a[i] <= 5:
            even[i] = True
    return 300 + find(even) if any(even) else 400


VALUES = {"": [2, 3] * 17 + [1] + [0] * 35, "equal": [3, 0] * 35, "odd": [0] * 32 + [1] * 38, "empty": [8] * 70,
          "ended": [2] * 20 + [-1] + [1] * 49}
CASES = []
for name, values in VALUES.items():
    case = Case(grid=(1,), name=name)
    a = [int(x) for x in case.array("a", "i32", (70,), init=np.array(values))]
    case.output("out", "i32", np.array([check(a, n) for n in (1, 31, 33, 70)], np.int32))
    CASES.append(case)
