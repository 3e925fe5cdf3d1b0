# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i32", (128, ), init="integers:-2147483648:2147483647")
s = case.array("S", "i32", (128, ), init="integers:0:32").astype(np.int64)
u = x.view(np.uint32).astype(np.int64)
texts = [format(n, "032b") for n in u]
case.output("Z", "i32", np.stack([np.asarray(row).astype(np.uint32) for row in [
    u & 0xff00ff00, u | 0xffff, u ^ (u >> 1), ~u, u << s, u >> s, x.astype(np.int64) >> s,
    [text.count("1") for text in texts], [int(text[::-1], 2) for text in texts],
    [32 - int(n).bit_length() for n in u], [text.count("1") % 2 for text in texts]]]))
CASES = [case]
