# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same-arguments.py FOLDER OURS IN: checks that both programs call ptxas alike, except for `-uumn` and file names."""
import os
import re
import subprocess
import sys

folder, ours, kernel = sys.argv[1:]
closed = os.environ["TILEIR_PEER_TILEIRAS"]
toolkit = os.path.dirname(os.path.dirname(closed))
root = f"{folder}/root"
os.makedirs(f"{root}/bin")
for name in os.listdir(toolkit):
    if name != "bin":
        os.symlink(f"{toolkit}/{name}", f"{root}/{name}")
record = f"{folder}/record"
with open(f"{root}/bin/ptxas", "w") as f:
    f.write('#!/bin/sh\nfor word in "$@"; do [ "$word" = --version ] && exec "$REAL" --version; done\n'
            f'printf "%s\\n" "$0" "$@" > {record}\nexec "$REAL" "$@"\n')
os.chmod(f"{root}/bin/ptxas", 0o755)
environment = dict(os.environ, CUDA_ROOT=root, REAL=os.environ["TILEIR_PTXAS_PATH"])
del environment["TILEIR_PTXAS_PATH"]


def arguments(tool, words):
    subprocess.run([tool, kernel, "-o", f"{folder}/out", *words], env=environment, check=True, stdout=subprocess.DEVNULL)
    with open(record) as f:
        lines = [line for line in f.read().splitlines() if line != "-uumn"]
    os.remove(record)
    return [re.sub(r"^(--nv-host=)?/.*\.(ptx|bin|o)$", r"\1FILE.\2", line) for line in lines]


count = differ = 0
for target in ("sm_80", "sm_89", "sm_90", "sm_120"):
    for options in ([], ["-O0"], ["-O1", "--lineinfo"], ["--sanitize", "memcheck"], ["-O0", "-g"],
                    ["--host-os", "windows", "--host-arch", "aarch64"]):
        words = ["--gpu-name", target, *options]
        theirs, mine = arguments(closed, words), arguments(ours, words)
        count += 1
        if theirs != mine:
            print(f"{words}:\n  closed {theirs}\n  ours   {mine}")
            differ += 1
print(f"{count} calls, {differ} differ")
