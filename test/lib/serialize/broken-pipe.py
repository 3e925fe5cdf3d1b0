# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""broken-pipe.py CODE TEXT COMMAND...: closes the pipe that the command writes to; it prints TEXT, or nothing if TEXT
is empty."""
import os
import subprocess
import sys

read, write = os.pipe()
os.close(read)
code, text = int(sys.argv[1]), sys.argv[2].encode()
run = subprocess.run(sys.argv[3:], stdout=write, stderr=subprocess.PIPE)
if run.returncode != code or (text not in run.stderr if text else run.stderr):
    sys.exit(f"exit code {run.returncode}, {run.stderr!r}")
run = subprocess.run(sys.argv[3:], stdout=subprocess.DEVNULL, stderr=write)
if run.returncode != 0:
    sys.exit(f"exit code {run.returncode} with a broken standard error")
