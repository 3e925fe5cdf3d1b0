# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts_test.py GPU... [-- SCRIPT...]: PK-12, the scripts of examples/python as they are, on emulated GPUs, with NumPy's answers."""
import os
import pathlib
import subprocess
import sys

folder = pathlib.Path(os.environ["TEST_ROOT"], "examples/python")
arguments = sys.argv[1:]
cut = arguments.index("--") if "--" in arguments else len(arguments)
gpus, names = arguments[:cut], arguments[cut + 1:]
names = names or sorted(p.stem for p in folder.glob("*.py") if p.stem != "common")
assert gpus and names, "nothing to run"
failed = []
for gpu in gpus:
    for name in names:
        done = subprocess.run([sys.executable, "-m", "tileir", folder / f"{name}.py"], env=dict(os.environ, TILEIR_EMULATE=gpu), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        lines = done.stdout.splitlines()
        if done.returncode or not lines or not all(line.endswith(": right") for line in lines):
            failed.append(f"{name} on {gpu}")
            print(f"{failed[-1]}:\n{done.stdout}")
print(f"{len(gpus) * len(names) - len(failed)} passed, {len(failed)} failed")
sys.exit(bool(failed))
