# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""concurrent.py COUNT EXPECTED TOOL ARGUMENTS...: runs COUNT processes at once, each with its own output and all with a
common one."""
import subprocess
import sys

count, expected = int(sys.argv[1]), open(sys.argv[2], "rb").read()
runs = [subprocess.Popen(sys.argv[3:] + ["-o", name]) for i in range(count) for name in (f"out{i}", "common")]
if any([run.wait() for run in runs]):
    sys.exit("a run failed")
for name in ["common"] + [f"out{i}" for i in range(count)]:
    if open(name, "rb").read() != expected:
        sys.exit(f"{name} is wrong")
