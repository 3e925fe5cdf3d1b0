# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the debug information of producers' kernels in PTX and cubin with the locations in the bytecode.

debug_kernels.py TMP DATA TILEIRAS TILEIR-TRANSLATE KERNEL…; each kernel for one of four targets in rotation, with
TILEIR_DEBUG_KERNELS=all every file for every target.
"""

import os
import re
import subprocess
import sys

TARGETS = ["sm_80", "sm_90", "sm_100", "sm_120"]


def run(argv):
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode or done.stderr:
        sys.exit("%s: exit %d\n%s" % (" ".join(argv), done.returncode, done.stderr.decode(errors="replace")))
    return done.stdout.decode()


class Locations:
    """Maps each `#locN` of a printed module to (file, line)."""

    def __init__(self, text):
        self.defined = dict(re.findall(r"^(#loc\d*) = (.*)$", text, re.M))
        self.known = {}
        files = {alias: folder + "/" + name
                 for alias, name, folder in re.findall(r'^(#di_file\d*) = .*<"([^"]*)" in "([^"]*)">', text, re.M)}
        # A function begins at its own line.
        self.functions = {(files[f], int(l)) for f, l in re.findall(r"di_subprogram<file = (#di_file\d*), line = (\d+)", text)}

    def lines(self, name):
        if name not in self.known:
            self.known[name] = set()
            body = self.defined.get(name, "")
            found = {(f, int(l)) for f, l in re.findall(r'"([^"]*)":(\d+):\d+', body)}
            for inner in re.findall(r"#loc\d*", body):
                found |= self.lines(inner)
            self.known[name] = found
        return self.known[name]

    def all(self):
        return self.functions.union(*map(self.lines, self.defined))


def table(ptx):
    """Returns (file, line) of each `.loc`. Line 0 marks code that optimisation merged from several lines."""
    files = dict(re.findall(r'^\s*\.file\s+(\d+) "([^"]*)"', ptx, re.M))
    return {(files[f], int(l)) for f, l in re.findall(r"^\s*\.loc\s+(\d+) (\d+) \d+", ptx, re.M) if int(l)}


def check(condition, text):
    if not condition:
        sys.exit("FAILED: " + text)


def one(folder, source, sm, tileiras, translate):
    where = "%s %s" % (os.path.basename(source), sm)
    module = run([translate, "--cudatilebc-to-mlir", "--mlir-print-debuginfo", source])
    locations = Locations(module)
    ptx, cubin = os.path.join(folder, "k.ptx"), os.path.join(folder, "k.cubin")
    for options, debug in ((["-g", "-O0"], True), (["--lineinfo", "-O3"], False)):
        run([tileiras, source, "--gpu-name", sm, "--emit=ptx", "-o", ptx] + options)
        with open(ptx) as f:
            text = f.read()
        lines = table(text)
        check(lines, "%s: no .loc" % where)
        check(lines <= locations.all(), "%s: lines that the program does not have: %s" % (where, lines - locations.all()))
        check(bool(re.search(r"^\.target sm_\w+, debug", text, re.M)) == debug, "%s: .target" % where)
        check((".section .debug_info" in re.sub(r"\s+", " ", text)) == debug, "%s: .debug_info in the PTX" % where)
        if not debug:
            continue
        # Whatever is optimised away, every store remains.
        for op in re.findall(r"^.*\b(?:store_\w+|atomic_\w+) .*loc\((#loc\d*)\)$", module, re.M):
            check(locations.lines(op) & lines, "%s: %s of a store is no line of the PTX" % (where, locations.lines(op)))
    # The real ptxas accepts it, and the cubin has all of it.
    run([tileiras, source, "--gpu-name", sm, "-o", cubin, "-g", "-O0"])
    with open(cubin, "rb") as f:
        data = f.read()
    for section in (b".debug_info", b".debug_abbrev", b".debug_line"):
        check(b"\0" + section + b"\0" in data, "%s: no %s" % (where, section.decode()))


def main():
    folder, data, tileiras, translate = sys.argv[1:5]
    kernels = sys.argv[5:]
    os.makedirs(folder, exist_ok=True)
    every = os.environ.get("TILEIR_DEBUG_KERNELS") == "all"
    if every:
        kernels = sorted(f[:-len(".tileirbc")] for f in os.listdir(os.path.join(data, "tileirbc")) if f.endswith(".tileirbc"))
    count = 0
    for number, kernel in enumerate(kernels):
        source = os.path.join(data, "tileirbc", kernel + ".tileirbc")
        for sm in TARGETS if every else [TARGETS[number % 4]]:
            # In a sweep over everything: reports kernels that are not lowered yet.
            if every and subprocess.run([tileiras, source, "--gpu-name", sm, "--emit=ptx", "-o", os.devnull],
                                        stderr=subprocess.DEVNULL).returncode:
                print("%s %s: not compiled" % (kernel, sm))
                continue
            one(folder, source, sm, tileiras, translate)
            count += 1
    print("%d kernels with debug information" % count)


main()
