#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a family of the conformance suite: run.py FAMILY… [--gpu=ARCH] [--only=TEXT] [--keep=DIR] [--arch=ARCH]

Families are the modules of this folder, --arch selects those of one architecture. The ptxas of TILEIR_PTXAS_PATH
assembles every module of PTX; then each test runs in the emulator. With --gpu=sm_90a they are assembled for that target
and run on the GPU of this machine, except those that it does not support.
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
            folder = os.path.join(work, "%s%d" % (family, number))
            if "gpu" in options:
                count, bad = suite.run_on(options["gpu"], folder, options.get("only"))
            else:
                count, bad = suite.run(folder, options.get("only"))
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
