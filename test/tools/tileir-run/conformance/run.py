#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a family of the conformance suite: run.py FAMILY… [--device=cuda] [--only=TEXT] [--keep=DIR] [--arch=ARCH]

Families are the modules of this folder. Every module of PTX is assembled by the ptxas that TILEIR_PTXAS_PATH names; then
each test runs in the emulator, or on a GPU, where tests of other architectures are left out by --arch.
"""
import importlib
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))


def main():
    families = [w for w in sys.argv[1:] if not w.startswith("--")]
    options = dict(w[2:].split("=", 1) for w in sys.argv[1:] if w.startswith("--"))
    if not families:
        raise SystemExit(__doc__)
    work = options.get("keep") or tempfile.mkdtemp()
    total, failures = 0, []
    for family in families:
        for number, suite in enumerate(importlib.import_module(family).tests()):
            if options.get("arch", suite.arch) != suite.arch:
                continue
            count, bad = suite.run(os.path.join(work, "%s%d" % (family, number)), options.get("device", "emulated"),
                                   options.get("only"))
            total += count
            failures += bad
    if "keep" not in options:
        shutil.rmtree(work)
    for text in failures:
        print("FAILED: " + text)
    print("%s: %d tests, %d failures" % (" ".join(families), total, len(failures)))
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
