# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memory.py FOLDER STEPS TOOL ARGUMENTS...: runs under limits of the address space, from the first under which the
program starts at all to one under which it works. Each run ends with the product or with a message, and leaves no
files."""
import os
import resource
import subprocess
import sys

folder, steps, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
tmp, output = f"{folder}/tmp", f"{folder}/out"
os.makedirs(tmp)
MIB = 1 << 20
text = ""


def run(words, limit):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, TMPDIR=tmp),
                          preexec_fn=lambda: (resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
                                              resource.setrlimit(resource.RLIMIT_CORE, (0, 0))))


def starts(limit):
    """Returns whether the program starts: below this limit the system ends it before its first instruction."""
    return run([command[0], "--version"], limit).returncode == 0


def works(limit):
    if os.path.exists(output):
        os.remove(output)
    done = run(command + ["-o", output], limit)
    if os.listdir(tmp):
        sys.exit(f"{limit >> 20} MiB: left {os.listdir(tmp)}")
    if done.returncode == 0 and os.path.exists(output):
        return True
    global text
    text = done.stderr.decode()
    if done.returncode not in (1, 5) or "error: " not in text or os.path.exists(output):
        sys.exit(f"{limit >> 20} MiB: exit code {done.returncode}, {text!r}")
    return False


low = 16 * MIB
while not starts(low):
    low += MIB
    if low > 1 << 30:
        sys.exit("the program does not start")
high, messages = low, 0
while not works(high):
    high += 4 * MIB
    messages += 1
    if high > low + (1 << 28):
        sys.exit(f"{high >> 20} MiB are not enough: {text!r}")
messages += sum(not works(low + (high - low) * i // steps) for i in range(1, steps))
print(f"{messages} messages" if messages else "none")
