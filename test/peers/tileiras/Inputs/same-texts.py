# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same-texts.py FOLDER OURS IN: command lines for which both programs print the same text, letter by letter, with the
same exit code, and create the same files."""
import os
import shutil
import subprocess
import sys

folder, ours, kernel = sys.argv[1:]
closed = os.environ["TILEIR_PEER_TILEIRAS"]
os.makedirs(f"{folder}/bin")
os.symlink(ours, f"{folder}/bin/tileiras")
ours = f"{folder}/bin/tileiras"
os.chdir(folder)
environment = {key: value for key, value in os.environ.items() if key not in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH")}

with open(kernel, "rb") as f:
    good = f.read()
INPUTS = {
    "in": good,
    "cut": good[:100],
    "empty": b"",
    "newer": b"\x7fTileIR\0\x0d\x09\0\0",
    "older": b"\x7fTileIR\0\x0c\x01\0\0",
    "short": b"\x7fTileIR\0\x0d",
    "magic": b"\x7fTileIR",
    "mlir": b"ML\xefRxxxxxxxx",
    "almost": b"ML\xef",
    "elf": b"\x7fELFxxx",
    "text": b"cuda_tile.module @x {}\n",
    "header": b"\x7fTileIR\0\x0d\x01\0\0",
    "tag": b"\x7fTileIR\0\x0d\x01\x05\0",
}
for name, content in INPUTS.items():
    with open(name, "wb") as f:
        f.write(content)

TARGET = ["--gpu-name", "sm_90"]
OUT = ["-o", "out/o"]
YAML = ["--remarks=all", "--remark-format=yaml"]
CASES = [
    # The parser.
    ["in", "in2", *TARGET], ["@absent", *TARGET], ["in", *TARGET, "-O", "3"], ["in", *TARGET, "-O=3"], ["in", *TARGET, "-O"],
    ["in", *TARGET, "-oo"], ["in", *TARGET, "-lP"], ["in", *TARGET, "-l"], ["in", "--gpu-name", "", *OUT], ["in", "--gpu-name"],
    ["in", *TARGET, "--foo"], ["in", *TARGET, "--opt-levl=3"], ["in", *TARGET, "--opt-level", "x"],
    ["in", *TARGET, "--opt-level=99999999999"], ["in", *TARGET, "--host-arch", "mips"], ["in", *TARGET, "--host-os", "mac"],
    ["in", "--sanitize", *TARGET], ["in", *TARGET, "--sanitize", "x"], ["in", "--remarks", *TARGET], ["in", *TARGET, "--remarks="],
    ["in", *TARGET, "--remark-format=x"], ["in", *TARGET, "--preview=foo"], ["in", *TARGET, "--preview="],
    ["in", *TARGET, "--preview=simt,"], ["in", *TARGET, "--preview=simt,foo"], ["in", "--preview", *TARGET],
    ["--lineinfo=maybe", "in"], ["--version=1"], ["in", "--", *TARGET],
    ["--list-versions"], ["--list-versions", "a", "b"], ["--list-versions", "--foo"], ["--foo", "--list-versions", "-O9"],
    ["--opt-level", "x", "--list-versions"], ["--list-versions", "--version"], ["--list-versions=false", "absent"],
    # Reading, magic number, version.
    ["absent", *TARGET], [".", *TARGET], *([name, *TARGET, *OUT] for name in INPUTS if name not in ("in", "cut")),
    ["newer"], ["older"], ["empty"],
    # Level, debug, controls, body, remarks, libraries.
    ["in", *TARGET, "-O4", *OUT], ["in", *TARGET, "-O-1", *OUT], ["in", *TARGET, "-g"], ["in", *TARGET, "-O4", "-g"],
    ["cut", *TARGET, "-O4"], ["cut", *TARGET, "-g"], ["cut", *TARGET, "--apply-controls=x"], ["cut", *TARGET],
    ["cut", *TARGET, "-l", "x"], ["cut", *TARGET, *YAML, "--remarks-output-file=none/x"],
    ["in", *TARGET, *YAML, "--remarks-output-file=none/x", "-l", "x"], ["in", *TARGET, "-l", "x", *OUT],
    # Kernels that work.
    ["in", *TARGET, *OUT], ["-arch", "sm_90", "in", *OUT], ["in", *TARGET, "-o", "out/a", "-o", "out/b"], ["in", *TARGET, "-O03", *OUT],
    ["in", *TARGET, "---O3", *OUT], ["in", *TARGET, "-device-debug", "-O0", *OUT], ["in", *TARGET, "--lineinfo=0", *OUT],
    ["in", *TARGET, "--preview=simt,simt", *OUT], ["in", *TARGET, "--apply-controls=", *OUT],
    ["in", *TARGET, *YAML, "--remarks-output-file=out/r", *OUT], ["in", *TARGET, "--remark-format=yaml", *OUT],
]


def run(tool, arguments):
    shutil.rmtree("out", ignore_errors=True)
    os.mkdir("out")
    ran = subprocess.run([tool, *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    place = os.path.dirname(tool).encode()
    return (ran.returncode, ran.stdout.replace(place, b"."), ran.stderr.replace(place, b"."), sorted(os.listdir("out")))


def without_notes(ran):
    """Returns the text that a client reads first: ours adds advice in lines that begin with `note: `."""
    code, out, err, files = ran
    return code, out, b"".join(line for line in err.splitlines(True) if not line.startswith(b"note: ")), files


differ = 0
for case in CASES:
    theirs, mine = without_notes(run(closed, case)), without_notes(run(ours, case))
    if theirs != mine:
        print(f"{case}:\n  closed {theirs}\n  ours   {mine}")
        differ += 1
print(f"{len(CASES)} command lines, {differ} differ")
