# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_case.py NAME PTX FOLDER: writes inputs, NumPy's answer, the case file and the host program's arguments."""
import json
import os
import sys

import numpy as np


def add(random):
    a, b = (random.standard_normal(5000).astype(np.float32) for _ in range(2))
    return 5, {"a": a, "b": b}, ("c", a + b, 0), 5000


def softmax(random):
    x = random.standard_normal((8, 1024)).astype(np.float32)
    e = np.exp(x - x.max(1, keepdims=True), dtype=np.float64)
    return 8, {"x": x}, ("y", (e / e.sum(1, keepdims=True)).astype(np.float32), 1e-7), 8


def attention(random):
    q, k, v = (random.standard_normal((256, 64)).astype(np.float16) for _ in range(3))
    s = q.astype(np.float64) @ k.T.astype(np.float64) / 8
    e = np.exp(s - s.max(1, keepdims=True))
    return 4, {"q": q, "k": k, "v": v}, ("o", (e / e.sum(1, keepdims=True) @ v.astype(np.float64)).astype(np.float16), 2e-3), 256


def main():
    name, ptx, folder = sys.argv[1:]
    grid, inputs, (output, answer, tolerance), count = {"add": add, "softmax": softmax, "attention": attention}[name](
        np.random.default_rng(1))
    kind = {np.dtype(np.float32): "f32", np.dtype(np.float16): "f16"}
    arguments = []
    for key, value in inputs.items():
        np.save(os.path.join(folder, key + ".npy"), value)
        arguments.append({"name": key, "dtype": kind[value.dtype], "shape": value.shape, "init": "@" + key + ".npy"})
    np.save(os.path.join(folder, "answer.npy"), answer)
    arguments.append({"name": output, "dtype": kind[answer.dtype], "shape": answer.shape, "init": "poison", "output": True,
                      "rtol": 0, "atol": tolerance, "expect": "answer.npy"})
    arguments.append({"name": "n", "dtype": "i32", "value": count})
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump({"kernel": ptx, "entry": name, "grid": [grid, 1, 1], "args": arguments}, file, indent=1)
    with open(os.path.join(folder, "arguments"), "w") as file:
        print(grid, count, *(key + ".npy" for key in inputs), "answer.npy", file=file)


if __name__ == "__main__":
    main()
