# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""prefixes.py FOLDER TILEIRAS FILE: checks that truncated files, or files with one byte changed, end with a documented
code and a message, never with a signal, and leave no output."""
import os
import random
import subprocess
import sys

folder, tileiras, path = sys.argv[1:]
whole = open(path, "rb").read()
random.seed(20261121)
inputs = [whole[:n] for n in sorted(random.sample(range(len(whole)), min(60, len(whole))))]
for _ in range(100):
    changed = bytearray(whole)
    changed[random.randrange(8, len(whole))] = random.randrange(256)
    inputs.append(bytes(changed))
for i, data in enumerate(inputs):
    source, output = f"{folder}/input", f"{folder}/output"
    with open(source, "wb") as f:
        f.write(data)
    run = subprocess.run([tileiras, source, "-o", output, "--gpu-name", "sm_90", "--emit=ptx"], stderr=subprocess.PIPE)
    if run.returncode not in (0, 3, 5) or (run.returncode != 0) != (b"error: " in run.stderr):
        sys.exit(f"input {i}: status {run.returncode}, {run.stderr!r}")
    if run.returncode and os.path.exists(output):
        sys.exit(f"input {i}: an output although it failed")
    if not run.returncode:
        os.remove(output)
