# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case, round_to

case = Case(grid=(1, ))
rows, columns = 13, 27
x = case.array("X", "f32", (rows, columns))
h = case.array("H", "f16", (rows, columns))


def tile(values, row, column, padding):
    whole = np.full((16, 32), padding)
    whole[:rows, :columns] = values
    return whole[8 * row:8 * row + 8, 16 * column:16 * column + 16].reshape(128)


case.output("Z", "f32", np.stack([tile(x, 1, 1, 0.0), tile(round_to("f32", 1 / x), 1, 1, -np.inf), tile(x, 1, 0, np.inf),
                                  tile(h, 0, 1, -np.inf), tile(h, 1, 1, np.nan)]))
case.scalar("rows", "i32", rows)
case.scalar("columns", "i32", columns)
CASES = [case]
