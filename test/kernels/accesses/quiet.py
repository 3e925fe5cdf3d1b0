#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the case of quiet.mlir and its expected outputs into a folder: quiet.py FOLDER."""

import json
import os
import sys

import numpy as np

folder = sys.argv[1]
rng = np.random.default_rng(31)
x, y, z = (rng.integers(-99, 100, 256).astype(np.float32) for _ in range(3))
n = 201
total = x + np.where(np.arange(256) < n, y, 0).astype(np.float32) + np.float32(2) ** (np.arange(256) & 3) + z
total = total.astype(np.float32)
again = total.reshape(2, 128)[:, ::-1].ravel()
entries = []
for key, value in (("x", x), ("y", y), ("z", z)):
    np.save(os.path.join(folder, key + ".npy"), value)
    entries.append({"name": key, "dtype": "f32", "shape": [256], "init": f"@{key}.npy"})
entries.append({"name": "n", "dtype": "i32", "value": n})
for key, value in (("w", total), ("all", total), ("again", again)):
    np.save(os.path.join(folder, key + ".npy"), value)
    entries.append({"name": key, "dtype": "f32", "shape": [256], "init": "poison", "output": True, "expect": key + ".npy"})
with open(os.path.join(folder, "case.json"), "w") as out:
    json.dump({"kernel": "quiet.ptx", "entry": "quiet", "grid": [2, 1, 1], "args": entries}, out)
