# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""broken-pipe.py CODE COMMAND...: nobody reads what the command writes."""
import os
import subprocess
import sys

read, write = os.pipe()
os.close(read)
run = subprocess.run(sys.argv[2:], stdout=write, stderr=subprocess.PIPE)
if run.returncode != int(sys.argv[1]) or b"Broken pipe" not in run.stderr:
    sys.exit(f"exit code {run.returncode}, {run.stderr!r}")
run = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=write)
if run.returncode != 0:
    sys.exit(f"exit code {run.returncode} with a broken standard error")
