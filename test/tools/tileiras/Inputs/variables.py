# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""variables.py TILEIRAS IN ARCH VARIABLE...: prints the effect of each value of a variable on the PTX of a kernel."""
import os
import signal
import subprocess
import sys

tileiras, kernel, arch = sys.argv[1:4]
VALUES = (None, "", "0", "1", "true", "false", "foo", " 7x", "99999999999")


def compile(variable, value):
    """Returns the outcome of a run: the PTX, or a word for its failure."""
    environment = dict(os.environ)
    environment.pop(variable, None)
    if value is not None:
        environment[variable] = value
    run = subprocess.run([tileiras, kernel, "--gpu-name", arch, "--emit=ptx", "-o", "-"], env=environment,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if run.returncode == -signal.SIGABRT:
        return "aborts: " + run.stderr.decode().partition("\n")[0]
    if run.returncode or run.stderr:
        return f"exit {run.returncode}: {run.stderr.decode()}"
    return run.stdout


for variable in sys.argv[4:]:
    normal = compile(variable, None)
    others = []
    for value in VALUES[1:]:
        got = compile(variable, value)
        if isinstance(got, bytes):
            if got == normal:
                got = "same"
            else:
                if got not in others:
                    others.append(got)
                got = f"other code, form {1 + others.index(got)}"
        print(f"{variable}='{value}': {got}")
