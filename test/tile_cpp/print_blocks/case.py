# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tilecpp import Case

case = Case(grid=(4, ))
x = case.array("X", "i32", (4, 64), init="integers:-1000:1000")
case.prints("".join("block %d of 4: sum %d, most %d\n" % (n, row.sum(), row.max()) for n, row in enumerate(x)),
            stdout_order="any")
CASES = [case]
