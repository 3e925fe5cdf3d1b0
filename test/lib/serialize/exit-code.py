# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a command and fails unless it ends with the given exit code.
import subprocess
import sys

wanted = int(sys.argv[1])
code = subprocess.run(sys.argv[2:]).returncode
if code != wanted:
    sys.exit(f"exit code {code}, expected {wanted}")
