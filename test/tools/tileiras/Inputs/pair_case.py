# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pair_case.py: writes the case of pair.mlir, whose last tiles exceed its arrays, and NumPy's answers."""
import json

import numpy as np

ROWS = 100
a = np.arange(ROWS * 128, dtype=np.float32).reshape(ROWS, 128) % 251
for name, array in (("a", a), ("b", a + a), ("c", (a + a) * a)):
    np.save(name + ".npy", array)
answer = {"dtype": "f32", "shape": [ROWS, 128], "init": "poison", "output": True}
case = {
    "kernel":
        "pair.ptx",
    "grid": [2, 4],
    "args": [
        {"name": "a", "dtype": "f32", "shape": [ROWS, 128], "init": "@a.npy"},
        {"name": "b", **answer, "expect": "b.npy"},
        {"name": "c", **answer, "expect": "c.npy"},
        {"name": "n", "dtype": "i32", "value": ROWS},
    ],
}
with open("case.json", "w") as file:
    json.dump(case, file)
