#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts instructions of the loop with block-scaled MMAs, as goals.csv does for other kernels, and finds spills. With
tcgen05.mma (sm_100) at most 65 for 4 MMAs, and three stages in flight beside the one that is read; with MMAs of warps
(sm_120) at most 11 for 4.

    issue.py --tileiras PATH --tileir-translate PATH [--nvdisasm PATH] [--arch sm_100] NAME...      kernels of scaled.py
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import check
import sass
import scaled

# Maximum instructions for this many MMAs, and slots of a pipeline.
BOUNDS = {"sm_100": (65, 4, 4), "sm_120": (11, 4, 0)}


def check_matmul(matmul, options, folder):
    most, matmuls, slots = BOUNDS[options.arch]
    kernel = check.compile_matmul(matmul, scaled.write, folder, options.tileir_translate)
    base = os.path.join(folder, matmul.name)
    for kind in ("ptx", "cubin"):
        done = subprocess.run([options.tileiras, kernel, "--gpu-name=" + options.arch, "-O3", "--emit=" + kind, "-o", f"{base}.{kind}"],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"FAILED: {matmul.name}: {done.stderr[:2000]}")
    code, = sass.kernels(sass.read(base + ".cubin", options.nvdisasm), None)
    loop = code.hot_loop()
    tensor = sum(map(sass.is_tensor, loop))
    with open(base + ".ptx") as file:
        objects = len(re.findall(r"mbarrier\.init[^;]*;", file.read()))
    print(f"{matmul.name}: {len(loop)} instructions, {tensor} MMAs")
    if tensor < matmuls or len(loop) * matmuls > most * tensor:
        sys.exit(f"FAILED: more than {most} instructions for {matmuls} MMAs")
    if any(i.base in ("LDL", "STL") for i in code.all):
        sys.exit("FAILED: spills")
    # Three mbarriers for each slot, one for the accumulator.
    if slots and objects < 3 * slots + 1:
        sys.exit(f"FAILED: fewer than {slots} slots")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--tileir-translate", required=True)
    parser.add_argument("--nvdisasm", default=os.environ.get("TILEIR_PEER_NVDISASM"))
    parser.add_argument("--arch", default="sm_100", choices=BOUNDS)
    parser.add_argument("names", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names:
            check_matmul(next(p for p in scaled.MATMULS if p.name == name), options, folder)


if __name__ == "__main__":
    main()
