# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case


def primes(n):
    return sum(all(i % k for k in range(2, i)) for i in range(2, n))


def count(x):
    return bin(x).count("1")


def mix(a, n):
    x = y = 0
    for i, value in enumerate(a):
        x |= 1 << value % n
        y ^= 1 << (value * 3 + i) % n
    s = count(x & y) + 100 * count(x | y) + 10000 * count(x ^ y)
    if x and not y:
        s = -s
    return s + count(x << 3 & (1 << n) - 1) - count(y >> 2) + (1000000 if x == y else 0)


CASES = []
for name, n in (("", 24), ("few", 3), ("none", 0)):
    case = Case(grid=(1,), name=name)
    a = [int(x) for x in case.array("a", "i32", (24,), init="integers:0:90")[:n]]
    case.output("out", "i32", np.array([primes(30), primes(100), mix(a, 32), mix(a, 70), mix(a, 9)], np.int32))
    case.scalar("n", "i32", n)
    CASES.append(case)
