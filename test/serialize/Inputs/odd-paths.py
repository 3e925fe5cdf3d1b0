# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""odd-paths.py FOLDER PTXAS ELF TOOL INPUT: outputs, inputs, temporary folders and programs with odd names."""
import os
import shutil
import subprocess
import sys

folder, ptxas, elf, tool, source = sys.argv[1:]
elf = os.path.abspath(elf)
for name in ("a b", "quo'te", 'dou"ble', "back\\slash", "new\nline", "ümläut 漢", "$HOME`x`;&|", "-dash", "per%cent", "x" * 200):
    place = os.path.join(folder, name)
    os.makedirs(place)
    program = os.path.join(place, "ptxas " + name[:20])
    shutil.copy(ptxas, program)
    given = os.path.join(place, name + ".mlir")
    shutil.copy(source, given)
    output = os.path.join(place, name)
    subprocess.run([tool, given, "-o", output, "--emit=cubin"], check=True, env=dict(
        os.environ, TILEIR_PTXAS_PATH=program, TMPDIR=place, STANDIN_OUT=elf))
    if open(output, "rb").read() != open(elf, "rb").read() or len(os.listdir(place)) != 3:
        sys.exit(f"{name!r}: {os.listdir(place)}")
    missing = subprocess.run([tool, given + ".absent", "-o", output], stderr=subprocess.PIPE)
    text = missing.stderr
    if missing.returncode != 4 or text.count(b"\n") != 1 or any(c < 32 for c in text[:-1]):
        sys.exit(f"{name!r}: {missing.returncode} {text!r}")
