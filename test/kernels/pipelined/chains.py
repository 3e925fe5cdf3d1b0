#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derives kernels from an attention kernel by editing its text, and compares them with their reference builds like
check.py.

  summed    the accumulator is rescaled before the load of the values and the conversion of the weights, not after them
  occupied  two CTAs are to run on an SM: each has half of its registers
  both      both of these

    chains.py --tileir-translate PATH --tileiras PATH --tileir-run PATH [--arch sm_90] KERNEL.tileirbc
"""

import argparse
import os
import subprocess
import tempfile

import check
from variants import replace


def summed(text, arch):
    return replace(text, r"(\n[^\n]*load_view_tko[^\n]*\n[^\n]*reshape[^\n]*\n *%\w+ = ftof [^\n]*)"
                   r"((?:\n *%\w+ = broadcast [^\n]*)?\n *%\w+ = mulf %iterArg[^\n]*)", r"\2\1")


def occupied(text, arch):
    return replace(text, r"\n( *entry @[^\n]*\))(?: optimization_hints *= *<[^\n]*>)? *\{\n",
                   rf"\n\1 optimization_hints=<{arch} = {{occupancy = 2}}> {{\n")


def both(text, arch):
    return summed(occupied(text, arch), arch)


def main():
    parser = argparse.ArgumentParser()
    check.add_options(parser)
    parser.add_argument("--tileir-translate", required=True)
    parser.add_argument("--needs", default="cp.async", help="what the PTX has to contain, parted by commas")
    parser.add_argument("kernel")
    options = parser.parse_args()
    text = subprocess.run([options.tileir_translate, "--cudatilebc-to-mlir", options.kernel], check=True,
                          capture_output=True, text=True).stdout
    for make in (summed, occupied, both):
        with tempfile.TemporaryDirectory() as folder:
            # The checker derives the arguments from the name.
            kernel = os.path.join(folder, os.path.basename(options.kernel))
            subprocess.run([options.tileir_translate, "--mlir-to-cudatilebc", "-", "-o", kernel], check=True,
                           input=make(text, options.arch), text=True)
            print(make.__name__, end=" ", flush=True)
            check.Checker(options, folder).check(kernel)


if __name__ == "__main__":
    main()
