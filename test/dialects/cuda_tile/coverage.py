#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every operation of OPS.md has a round-trip test, an invalid test and a bytecode test, and names missing
ones.

usage: coverage.py OPS.md FOLDER CASES...

round trip  a CHECK line of FOLDER/*.mlir names the operation, in a file that is printed in the generic form, read back
and printed again invalid     FOLDER/*-invalid.mlir expects a diagnostic of the operation: its name, or its line below
or beside the expectation bytecode    a module in CASES, files of the bytecode tests, is the case of it
"""

import glob
import os
import re
import sys


def read(pattern):
    return {name: open(name).read() for name in sorted(glob.glob(pattern))}


def names_in(text):
    return set(re.findall(r"(?<![%@#!\w.$<])(?:cuda_tile\.)?([a-z][\w$]*)", text))


def main():
    operations = re.findall(r"^### `cuda_tile\.([\w$]+)`", open(sys.argv[1]).read(), flags=re.M)
    folder = sys.argv[2]
    covered = {"round trip": set(), "invalid": set(), "bytecode": set()}
    for name, text in read(os.path.join(folder, "*.mlir")).items():
        if name.endswith("-invalid.mlir"):
            for message, line in re.findall(r"expected-error(?:-re)? [^{\n]*\{\{(.*)\}\}\n(.*)", text):
                covered["invalid"] |= set(re.findall(r"'cuda_tile\.([\w$]+)' op", message))
                # Parse errors do not name the operation; the line that they point to does.
                covered["invalid"] |= names_in(line)
        elif "--mlir-print-op-generic" in text and "--verify-roundtrip" in text:
            for line in re.findall(r"// CHECK[\w-]*:(.*)", text):
                covered["round trip"] |= names_in(line)
    for name in sys.argv[3:]:
        text = open(name).read()
        covered["bytecode"] |= set(re.findall(r"^// case: ([\w$]+)", text, flags=re.M))
    status = 0
    for kind, names in covered.items():
        missing = [operation for operation in operations if operation not in names]
        if missing:
            print("no %s test: %s" % (kind, " ".join(missing)))
            status = 1
    print("%d operations" % len(operations))
    return status


if __name__ == "__main__":
    sys.exit(main())
