# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_cases.py PROGRAM FOLDER: a case for each kernel of PROGRAM (matmul.cu), with NumPy's answers."""
import json
import os
import sys

import numpy as np

SIZE = 256


def main():
    program, folder = sys.argv[1:]
    random = np.random.default_rng(1)
    a, b = (random.standard_normal((SIZE, SIZE)).astype(np.float16) for _ in range(2))
    bias = random.standard_normal(SIZE).astype(np.float32)
    product = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)

    def write(name, value):
        np.save(os.path.join(folder, name + ".npy"), value)
        return "@" + name + ".npy"

    def array(name, dtype, shape, **more):
        return {"name": name, "dtype": dtype, "shape": shape, **more}

    write("product", product)
    write("answer", np.maximum(product + bias, np.float32(0)))
    cases = {
        "multiply": {
            "grid": [SIZE // 128, SIZE // 128],
            "args": [
                array("a", "f16", a.shape, init=write("a", a)),
                array("b", "f16", b.shape, init=write("b", b)),
                array("c", "f32", product.shape, init="poison", output=True, rtol=0, atol=1e-3, expect="product.npy"),
            ],
        },
        "addBias": {
            "grid": [product.size // 256],
            "block": [256],
            "args": [
                array("c", "f32", product.shape, init="@product.npy", output=True, rtol=0, atol=0, expect="answer.npy"),
                array("bias", "f32", bias.shape, init=write("bias", bias)),
                {"name": "columns", "dtype": "i32", "value": SIZE},
                {"name": "elements", "dtype": "i32", "value": product.size},
            ],
        },
    }
    for entry, case in cases.items():
        with open(os.path.join(folder, entry + ".json"), "w") as file:
            json.dump({"kernel": os.path.abspath(program), "entry": entry, **case}, file, indent=1)


if __name__ == "__main__":
    main()
