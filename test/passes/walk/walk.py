#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs passes in random order on the IR of any stage: each run must end in IR or in a diagnostic.

  walk.py --opt tileir-opt --translate tileir-translate --folder SCRATCH [--seed N] [--walks N] [--limit S] FILE...

The stages are the outputs of the pipeline after each of its passes, for every bytecode file and target, and every text
file. A walk takes one stage and one to four passes, some of them twice, each on its own level or below all of them. A
signal, an exit code that no diagnostic explains and a run longer than the limit are faults; the stage and the pipeline
of each are printed and kept in the folder. The same seed gives the same walks.
"""

import argparse
import os
import random
import re
import subprocess
import sys

MODULE = "builtin.module({})"
DEVICE = "builtin.module(gpu.module({}))"
FUNCTION = "builtin.module(gpu.module(nv_tileaa.func({})))"
KERNELS = "builtin.module(cuda_tile.module({}))"
ENTRY = "builtin.module(cuda_tile.module(cuda_tile.entry({})))"
# Passes and their levels. The tool is asked for those of our passes that are not listed here.
LEVELS = {
    "fuse-fma": (ENTRY, FUNCTION),
    "loop-split": (ENTRY, FUNCTION),
    "synthesize-debug-info-scopes": (KERNELS,),
    "tileir-attach-target{compute-capability=sm_80}": (MODULE,),
    "tileir-attach-target{compute-capability=sm_90}": (MODULE,),
    "tileir-attach-target{compute-capability=sm_120}": (MODULE,),
    "cudatile-simplify-loops": (MODULE, KERNELS, DEVICE),
    "convert-cudatile-to-tileaa": (MODULE, DEVICE),
    "tileaa-promote-allocas": (FUNCTION,),
    "tileir-insert-debug-scope": (MODULE, DEVICE),
    "convert-tileaa-to-tileas": (DEVICE,),
    "convert-tileaa-to-tileas{compute-capability=sm_80}": (DEVICE,),
    "tileas-plan-cta": (DEVICE,),
    "tileas-stage-register-operands": (DEVICE,),
    "tileas-assign-mma": (FUNCTION,),
    "tileas-assign-load-store-layouts": (DEVICE,),
    "tileas-remove-layout-conversions": (DEVICE, FUNCTION),
    "tileas-roll-tiles": (FUNCTION,),
    "tileas-split-conversions": (FUNCTION,),
    "unspecialized-pipeline": (FUNCTION,),
    "tileas-stage-operands": (FUNCTION,),
    "tileas-materialize-mma": (FUNCTION,),
    "tileas-place-accumulators": (FUNCTION,),
    "tileas-expand-pipelines": (FUNCTION,),
    "tileas-use-tensor-copies": (FUNCTION,),
    "convert-tileas-to-llvm": (DEVICE,),
    "convert-tileas-to-nvgpu": (MODULE, DEVICE),
    "tileir-gpu-module-prepare": (DEVICE,),
    "tileir-legalize-llvm-kernel": (DEVICE,),
    "convert-target-to-nvvm": (DEVICE,),
    "tileir-finalize-llvm-kernel": (DEVICE,),
    "tileir-post-nvvm-finalize": (DEVICE,),
    "tileir-verify-lowered": (DEVICE,),
    "tileir-emit-host-wrapper": (MODULE,),
    "canonicalize": (MODULE, DEVICE, FUNCTION),
    "cse": (MODULE, DEVICE, FUNCTION),
}
OURS = re.compile(r"(tileas|tileir|convert-(tile|cudatile|target))\S*")
# These write files, or measure time.
LEFT_OUT = ("tileir-snapshot", "tileir-scope")


def run(command, limit):
    """Returns (exit code or None after the limit, output)."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, f"still running after {limit} s"
    return done.returncode, done.stderr.decode(errors="replace")


def fault_of(code, said):
    """Returns the fault of a run; "" for none."""
    if code is None:
        return said
    if code < 0:
        return f"signal {-code}"
    if code not in (0, 1):
        return f"exit code {code}"
    if "Assertion" in said or "PLEASE submit a bug report" in said:
        return "assertion"
    if code == 1 and "error:" not in said:
        return "no diagnostic"
    return ""


def stages(options, name, arch, level):
    """Writes files with the IR of `name`: the input and the output of each pass of the pipeline."""
    if name.endswith(".mlir"):
        return [name]
    stem = os.path.join(options.folder, f"{os.path.basename(name)}.{arch}.{level}")
    source = stem + ".mlir"
    code, said = run([options.translate, "--cudatilebc-to-mlir", name, "-o", source], options.limit)
    if code:
        sys.exit(f"{name}: {said}")
    tree = stem + ".stages"
    pipeline = f"builtin.module(tileir{{opt-level={level} compute-capability={arch}}})"
    code, said = run([options.opt, source, f"--pass-pipeline={pipeline}", "--mlir-disable-threading", "--mlir-print-ir-after-all",
                      "--mlir-print-ir-module-scope", f"--mlir-print-ir-tree-dir={tree}", "-o", os.devnull], options.limit)
    if fault_of(code, said) or code:
        sys.exit(f"{name}: {fault_of(code, said)} {said}")
    found = [os.path.join(folder, file) for folder, _, files in os.walk(tree) for file in files]
    if len(found) < 5:
        sys.exit(f"{name}: the pipeline printed {len(found)} stages")
    return [source] + sorted(found)


def complete(options):
    """Returns passes with their levels: `LEVELS` and the tool's other passes."""
    try:
        listed = subprocess.run([options.opt, "--list-passes"], capture_output=True, text=True, timeout=options.limit).stdout
    except subprocess.TimeoutExpired:
        listed = ""
    listed = {word[2:] for word in listed.split() if word.startswith("--")}
    known = {name.split("{")[0] for name in LEVELS}
    if listed and known - listed:
        sys.exit(f"no such passes: {sorted(known - listed)}")

    def stands(name, level):
        code, said = run([options.opt, os.devnull, "-o", os.devnull, f"--pass-pipeline={level.format(name)}"], options.limit)
        # A pass may report an empty module.
        return code == 0 or not any(refusal in said for refusal in ("Can't add pass", "PassPipeline"))

    wrong = [level.format(name) for name, places in LEVELS.items() for level in places if listed and not stands(name, level)]
    if wrong:
        sys.exit(f"no such pipelines: {wrong}")
    levels = dict(LEVELS)
    for name in sorted({name for name in listed if OURS.fullmatch(name)} - known - set(LEFT_OUT)):
        places = [level for level in (MODULE, DEVICE, FUNCTION) if stands(name, level)]
        if places:
            levels[name] = places
    return levels


def walk(options, dice, sources, levels):
    source = dice.choice(sources)
    steps = []
    for _ in range(dice.randint(1, 4)):
        name = dice.choice(sorted(levels))
        level = dice.choice(levels[name])
        steps += [(level, name)] * dice.choice((1, 1, 2))
    pipeline = ",".join(level[len("builtin.module("):-1].format(name) for level, name in steps)
    pipeline = f"builtin.module({pipeline})"
    code, said = run([options.opt, source, f"--pass-pipeline={pipeline}", "--allow-unregistered-dialect", "-o", os.devnull],
                     options.limit)
    fault = fault_of(code, said)
    if fault:
        print(f"FAULT {fault}\n  {source}\n  {pipeline}\n  " + "\n  ".join(said.splitlines()[:options.lines]), flush=True)
    return code, fault


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opt", required=True)
    parser.add_argument("--translate", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--walks", type=int, default=100)
    parser.add_argument("--limit", type=int, default=120, help="seconds of one run")
    parser.add_argument("--lines", type=int, default=6, help="of a faulty run's messages")
    parser.add_argument("--arch", action="append")
    parser.add_argument("--level", type=int, action="append")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    dice = random.Random(options.seed)
    sources = sorted({stage for name in options.files for arch in options.arch or ["sm_90"] for level in options.level or [3]
                      for stage in stages(options, name, arch, level)})
    levels = complete(options)
    ends = [walk(options, dice, sources, levels) for _ in range(options.walks)]
    faults = sum(bool(fault) for _, fault in ends)
    good = sum(code == 0 for code, _ in ends)
    print(f"{len(ends)} walks from {len(sources)} stages: {good} end in IR, {len(ends) - good - faults} in a diagnostic, {faults} in a fault")
    return faults != 0


if __name__ == "__main__":
    sys.exit(main())
