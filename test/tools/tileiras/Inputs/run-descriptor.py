# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the program behind an open descriptor and fails unless it ends with the given exit code. Usage: run-descriptor.py
# CODE DESCRIPTOR ARGUMENT...
import os
import subprocess
import sys

wanted, descriptor = int(sys.argv[1]), int(sys.argv[2])
os.set_inheritable(descriptor, True)
code = subprocess.run([f"/proc/self/fd/{descriptor}", *sys.argv[3:]], pass_fds=[descriptor]).returncode
if code != wanted:
    sys.exit(f"exit code {code}, expected {wanted}")
