# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the worked invocations over one kernel, every target and levels 0, 2 and 3, with the real assembler.

worked_kernels.py TMP TILEIRAS KERNEL. Each call succeeds silently. The chip is plain unless the assembler rejects the
same PTX for the plain chip. Code for sm_107 is code for its family.
"""

import os
import re
import subprocess
import sys

TARGETS = [80, 86, 87, 88, 89, 90, 100, 103, 107, 110, 120, 121]
LEVELS = {"0": ["--device-debug", "--lineinfo"], "2": [], "3": []}


def call(argv):
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ, TILEIR_SEED_MODE="1"))
    return done.returncode, done.stdout.decode(errors="replace")


def main(folder, tileiras, kernel):
    os.makedirs(folder, exist_ok=True)
    product, text, plain = (os.path.join(folder, name) for name in ("kernel.o", "kernel.ptx", "plain.ptx"))
    counts = {"plain": 0, "accelerated": 0}
    for number in TARGETS:
        for level, flags in LEVELS.items():
            chip = "sm_%d" % number
            line = [tileiras, "--gpu-name=" + chip, "--opt-level=" + level, *flags, "--host-arch=x86_64", "--host-os=linux"]
            for output, more in ((product, []), (text, ["--emit=ptx"])):
                status, words = call(line + more + ["--output-file=" + output, kernel])
                if status or words:
                    sys.exit("%s level %s: exit %d\n%s" % (chip, level, status, words))
            with open(text) as file:
                ptx = file.read()
            target = re.search(r"^\.target (\w+)", ptx, re.M).group(1)
            family, accelerated = ("sm_100", "sm_100f") if number == 107 else (chip, chip + "a")
            if target == family:
                counts["plain"] += 1
                continue
            if target != accelerated:
                sys.exit("%s level %s: '.target %s'" % (chip, level, target))
            counts["accelerated"] += 1
            with open(plain, "w") as file:
                file.write(ptx.replace(".target " + target, ".target " + family, 1))
            status, words = call([os.environ["TILEIR_PTXAS_PATH"], "-arch", chip, "--opt-level", "0", plain, "-o", product])
            if not status:
                sys.exit("%s level %s: the plain chip does, but the target is '%s'" % (chip, level, target))
    print("%(plain)d plain, %(accelerated)d accelerated" % counts)


main(*sys.argv[1:])
