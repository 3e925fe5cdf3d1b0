# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i64", (64, ), init="integers:-9000000000000000000:9000000000000000000")
y = case.array("Y", "i64", (64, ), init="integers:-90000000000000:90000000000000")
X, Y = ([int(n) for n in v] for v in (x, y))


def wrap(values):
    return np.array([(n + 2**63) % 2**64 - 2**63 for n in values], np.int64)


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


pairs = list(zip(X, Y))
case.output("Z", "i64", np.stack([
    wrap(a + b for a, b in pairs), wrap(a - b for a, b in pairs), wrap(a * b for a, b in pairs),
    wrap(quotient(a, b) for a, b in pairs), wrap(a - quotient(a, b) * b for a, b in pairs),
    wrap((abs(a) * abs(b)) >> 64 for a, b in pairs), np.maximum(x, y), wrap(a << 5 for a in X), x >> 40,
    wrap(a // b for a, b in pairs), x ^ (y & 0x00ff00ff00ff00ff)]))
CASES = [case]
