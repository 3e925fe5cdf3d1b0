# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tilecpp import Case

case = Case(grid=(1, ))
n = case.scalar("n", "i32", -17)
l = case.scalar("l", "i64", -12345678901234)
f = case.scalar("f", "f32", 3.140625)
d = case.array("D", "f64", (1, ))[0]
case.prints("int %d, hexadecimal %x, unsigned %u\n" % (n, n + 2**32, n + 2**32)
            + "long %d, float %f, short %.2f, double %e\n" % (l, f, f, d)
            + "negative: x,    42|42   |00042\n0%, 10%, 20%\n")
CASES = [case]
