#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every operation with a lowering has a test of it.

    coverage.py [--table]

An operation of nv_tileas has a lowering if a source of passes/tileas_lowering has a pattern for it; a test of it is a
file of this folder that converts to LLVM or NVGPU, expects no error and names the operation. `--table` prints which
files name which operation.
"""
import glob
import os
import re
import sys

SOURCES = "passes/tileas_lowering/**/*.cpp"
OPERATIONS = "dialects/nv_tileas/OPS.md"
TESTS = "test/passes/tileas_lowering/*.mlir"


def read(pattern):
    files = {}
    for path in sorted(glob.glob(pattern, recursive=True)):
        with open(path, encoding="utf-8") as file:
            files[path] = file.read()
    if not files:
        sys.exit("error: no file is '%s' below '%s'" % (pattern, os.getcwd()))
    return files


def get_mnemonics():
    """Maps the class of each operation to its name in the text."""
    names = {}
    for text in read(OPERATIONS).values():
        for name, op in re.findall(r"^### `nv_tileas\.([\w.]+)` \(nv_tileas::(\w+)\)", text, re.M):
            names[op] = name
    return names


def get_lowered():
    """Maps the class of each operation with a pattern to the file of the pattern."""
    lowered = {}
    for path, text in read(SOURCES).items():
        for name in re.findall(r"(?:Pattern|Lowering)<\s*nv_tileas::(\w+)", text):
            lowered.setdefault(name, path)
    return lowered


def get_tests():
    """Returns the text of each test that lowers. CHECK lines count: passes insert some operations before the
    conversion."""
    tests = {}
    for path, text in read(TESTS).items():
        runs = "".join(re.findall(r"^// (?:RUN|DEFINE):.*", text, re.M))
        if not re.search(r"convert-tileas-to-(llvm|nvgpu)", runs) or path.endswith("-invalid.mlir"):
            continue
        tests[path] = text
    return tests


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", ".."))
    names, lowered, tests = get_mnemonics(), get_lowered(), get_tests()
    status = 0
    for op, source in sorted(lowered.items()):
        if op not in names:
            print("%s has a pattern for %s, which no file of %s defines" % (source, op, OPERATIONS))
            status = 1
            continue
        word = re.compile(r"\bnv_tileas\.%s(?![.\w])" % re.escape(names[op]))
        found = [os.path.basename(path) for path, text in tests.items() if word.search(text)]
        if "--table" in sys.argv[1:]:
            print("%-28s %s" % (names[op], " ".join(found) or "-"))
        elif not found:
            print("%s lowers nv_tileas.%s, which no test of %s names" % (source, names[op], TESTS))
            status = 1
    if len(lowered) < 50 or len(tests) < 10:
        print("found %d operations and %d tests, which cannot be all" % (len(lowered), len(tests)))
        status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
