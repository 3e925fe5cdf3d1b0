#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derives kernels from a GEMM of square tiles by editing its text, and compares them with their reference builds like
check.py.

  begun   the accumulator begins with 1.5
  dual    a second dot of the same tiles with exchanged operands, and the sum of both
  halves  A copied by threads, because its address is a multiple of 8 bytes only, and B by TMA
  mixed   as dual, but each iteration doubles the second accumulator, so that it cannot stay where MMAs accumulate

    variants.py --tileir-translate PATH --tileiras PATH --tileir-run PATH [--arch sm_100] KERNEL.tileirbc
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import check


def replace(text, pattern, by):
    """Replaces the one match of `pattern` in `text` by `by`."""
    changed, count = re.subn(pattern, by, text)
    if count != 1:
        sys.exit(f"FAILED: {count} places match {pattern}")
    return changed


def begun(text):
    return replace(text, r"constant <f32: 0\.0+e\+00> : (tile<\d+x\d+xf32>)", r"constant <f32: 1.5> : \1")


def dual(text):
    text = replace(text, r"%for = for", "%for:2 = for")
    text = replace(text, r"iter_values\((%\w+) = (%\w+)\) -> \((tile<\w+>)\)",
                   r"iter_values(\1 = \2, %second = \2) -> (\3, \3)")
    text = replace(text, r"(%\w+) = mmaf (%\w+), (%\w+), %\w+ : (.*), (tile<\w+>)\n(\s*)continue \1 : tile<\w+>",
                   lambda m: m[0].split("\n")[0] + f"\n{m[6]}%more = mmaf {m[3]}, {m[2]}, %second : {m[4]}, {m[5]}\n"
                   f"{m[6]}continue {m[1]}, %more : {m[5]}, {m[5]}")
    return replace(text, r"(\n\s*)(%\w+ = ftof) %for +: (tile<\w+>)",
                   r"\1%both = addf %for#0, %for#1 rounding<nearest_even> : \3\1\2 %both : \3")


def halves(text):
    return replace(text, r"assume div_by<16>, (%arg0 : tile<ptr<\w+>>)", r"assume div_by<8>, \1")


def mixed(text):
    return replace(dual(text), r"(\n\s*)continue (%\w+), %more : (tile<\w+>)",
                   r"\1%twice = addf %more, %more rounding<nearest_even> : \3\1continue \2, %twice : \3")


def main():
    parser = argparse.ArgumentParser()
    for tool in ("tileir-translate", "tileiras", "tileir-run"):
        parser.add_argument("--" + tool, required=True)
    parser.add_argument("--arch", default="sm_100")
    parser.add_argument("--needs", default="tcgen05.mma", help="what the PTX of all but `mixed` has to contain")
    parser.add_argument("kernel")
    options = parser.parse_args()
    options.stages, options.trips, options.modes, options.seeds = [1, 3], [0, 1, 4], ["early", "late", "random"], 1
    options.rotate = False
    text = subprocess.run([options.tileir_translate, "--cudatilebc-to-mlir", options.kernel], check=True,
                          capture_output=True, text=True).stdout
    needs = options.needs
    for make in (begun, dual, halves, mixed):
        with tempfile.TemporaryDirectory() as folder:
            # The checker derives the arguments from the name.
            kernel = os.path.join(folder, os.path.basename(options.kernel))
            subprocess.run([options.tileir_translate, "--mlir-to-cudatilebc", "-", "-o", kernel], check=True,
                           input=make(text), text=True)
            options.needs = "cp.async" if make is mixed else "cp.async.ca" if make is halves else needs
            print(make.__name__, end=" ")
            check.Checker(options, folder).check(kernel)


if __name__ == "__main__":
    main()
