# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""crowded.py BYTES COMMAND...: runs the command in an environment of about that size, below a stack limit of 8 MiB (of
which arguments and environment may take a quarter)."""
import os
import resource
import subprocess
import sys

size = int(sys.argv[1]) - sum(len(key) + len(value) + 10 for key, value in os.environ.items())
env = dict(os.environ)
for i in range(size // 100000 + 1):
    env[f"TILEIR_CROWD_{i}"] = "x" * max(1, min(100000, size - i * 100000) - 30)
sys.exit(subprocess.run(sys.argv[2:], env=env, preexec_fn=lambda: resource.setrlimit(
    resource.RLIMIT_STACK, (8 << 20, resource.RLIM_INFINITY))).returncode)
