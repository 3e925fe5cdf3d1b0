# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tilecpp import Case

plain = Case(grid=(1, ))
x = plain.array("X", "f32", (64, ))
plain.output("Z", "f32", x / (1 + abs(x)), tolerance=1e-7)
scaled = Case(grid=(1, ), entry="_Z6scaledPKfPff", name="scaled")
x = scaled.array("X", "f32", (64, ))
scaled.output("Z", "f32", 3 * x / (1 + abs(3 * x)), tolerance=2e-7)
scaled.scalar("by", "f32", 3.0)
copied = Case(grid=(4, ), entry="_Z6copiedIiLi32EEvPKT_PS0_", name="copied")
copied.output("Z", "i32", copied.array("X", "i32", (128, ), init="integers:-9:9"))
CASES = [plain, scaled, copied]
