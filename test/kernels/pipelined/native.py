#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the block-scaled dots of all kernels, and fails if a large one does not use `tcgen05.mma`, or a small one does.

Kernels of test/data and test/kernels and of scaled.py. The PTX of each entry has to have `tcgen05.mma` with
`block_scale` in the kind of each dot of 128 rows and columns or more (dialects/support/Heuristics.def), and no
`mma.sync` for these, unless EMULATED has a reason.

    native.py --tileiras PATH --tileir-translate PATH [--arch sm_100,sm_103] all
"""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

import scaled

# Entries whose operands threads scale, with the reason.
EMULATED = {
    "scaled.py mx_e5m2_loops_nt mx_e5m2_loops_nt": "the accumulators and scales of its two loops exceed tensor memory",
}

SOURCES = ["test/data/tileirbc/*.tileirbc", "test/data/perf/kernels/*.tileirbc", "test/data/text/*.mlir", "test/kernels/*/*.mlir",
           "test/kernels/*/*/*.mlir"]
MATMUL = re.compile(r"mmaf_scaled[^:]*:\s*tile<([0-9x]+)x(\w+)>,\s*tile<[^>]*>,\s*tile<([0-9x]+)x\w+>,\s*tile<([0-9x]+)x(\w+)>")
# Minimum rows and columns for which the instruction pays.
LEAST = 128


def get_matmuls(text):
    """Returns extents of A and the instruction of each block-scaled dot, by entry."""
    entries = re.split(r"\bentry @(\w+)", text)
    for name, body in zip(entries[1::2], entries[2::2]):
        matmuls = []
        for extents, element, sums, scales, scale in MATMUL.findall(body):
            if min(map(int, sums.split("x")[-2:])) < LEAST:
                matmuls.append((f"A {extents}x{element}, scales {scales}x{scale}", None))
                continue
            count = int(scales.split("x")[-1])
            block = int(extents.split("x")[-1]) // count
            if element != "f4E2M1FN":
                kind = "mxf8f6f4.block_scale.block32"
            elif block == 32 and count >= 4:
                kind = "mxf4.block_scale.block32"
            else:
                kind = "mxf4nvf4.block_scale.block16"
            matmuls.append((f"A {extents}x{element}, scales {scales}x{scale}", kind))
        if matmuls:
            yield name, matmuls


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--tileir-run")
    parser.add_argument("--tileir-translate", required=True)
    parser.add_argument("--arch", type=lambda text: text.split(","), default=["sm_100", "sm_103", "sm_110"])
    parser.add_argument("what", choices=["all"])
    options = parser.parse_args()

    def call(*command):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"FAILED: status {done.returncode} of {' '.join(command)}\n{done.stderr[:2000]}")
        return done.stdout

    wrong, seen, modules = [], set(), 0
    with tempfile.TemporaryDirectory() as folder:
        texts = {}
        for path in sorted(path for source in SOURCES for path in glob.glob(source)):
            modules += 1
            if path.endswith(".mlir"):
                with open(path) as file:
                    texts[path] = file.read()
            else:
                texts[path] = call(options.tileir_translate, "--cudatilebc-to-mlir", path)
        texts |= {f"scaled.py {matmul.name}": scaled.write(matmul) for matmul in scaled.MATMULS}
        for path, text in texts.items():
            entries = dict(get_matmuls(text))
            if not entries:
                continue
            source, kernel = os.path.join(folder, "kernel.mlir"), os.path.join(folder, "kernel.tileirbc")
            with open(source, "w") as file:
                file.write(text)
            call(options.tileir_translate, "--mlir-to-cudatilebc", "--bytecode-version=13.5", source, "-o", kernel)
            for arch in options.arch:
                ptx = call(options.tileiras, kernel, "--gpu-name", arch, "-O3", "--emit=ptx", "-o", "-")
                parts = re.split(r"\.entry (\w+)", ptx)
                codes = dict(zip(parts[1::2], parts[2::2]))
                for name, matmuls in entries.items():
                    case = f"{path} {name}"
                    seen.add(case)
                    made = set(re.findall(r"tcgen05\.mma\.cta_group::\d\.kind::(\S+)", codes[name]))
                    large = {kind for _, kind in matmuls if kind}
                    scaled_kinds = {kind for kind in made if "block_scale" in kind}
                    is_small = any(not kind for _, kind in matmuls)
                    is_native = scaled_kinds == large and (is_small or "mma.sync" not in codes[name])
                    for what, kind in matmuls:
                        print(f"{arch} {'as wanted' if is_native else 'otherwise'} {case}: {what}: {kind or 'by threads'}")
                    if is_native == (case in EMULATED):
                        wrong.append(f"{case} on {arch} is {'native' if is_native else 'not as wanted'}")
    unknown = set(EMULATED) - seen
    if unknown:
        wrong.append(f"no products with scales: {', '.join(sorted(unknown))}")
    if not modules or len(seen) <= len(scaled.MATMULS):
        wrong.append("no kernel with scales was found")
    if wrong:
        sys.exit("FAILED: " + "\n".join(wrong))
    print(f"ok: {len(seen)} entries with scaled products in {modules} modules and scaled.py on {', '.join(options.arch)}")


if __name__ == "__main__":
    main()
