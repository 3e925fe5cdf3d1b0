# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

heads, group, queries, past = 2, 2, 200, 60
length = past + queries
case = Case(grid=(1, heads))
q = case.array("Q", "f16", (heads, queries, 128))
k, v = (case.array(name, "f16", (heads // group, length, 128)) for name in ("K", "V"))
s = q @ np.repeat(k, group, axis=0).transpose(0, 2, 1) * 128 ** -0.5
s = np.where(np.tril(np.ones((queries, length), bool), past), s, -np.inf)
p = np.exp(s - s.max(axis=2, keepdims=True))
case.output("O", "f16", p / p.sum(axis=2, keepdims=True) @ np.repeat(v, group, axis=0), tolerance=4e-3)
for name, value in (("heads", heads), ("group", group), ("queries", queries), ("length", length), ("past", past)):
    case.scalar(name, "i32", value)
CASES = [case]
