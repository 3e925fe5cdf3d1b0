#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the gain of the scheduler over the baseline order, by the timing model of tileir-run.

    model.py --tileiras PATH --tileir-run PATH [--archs sm_80,sm_90] [--level 3] [--least PERCENT] [--jobs N] KERNEL.tileirbc...

Each kernel is compiled with v2-opt-level=0, which stages copies by fixed rules, and with --level; both are emulated
with --timing=json. A line per loop: cycles of an iteration in both, their ratio, and the scheduler's estimate
(StreamCycles and CoarseCycles of its remark). Fails if a loop is slower, or if the geometric mean gains less than
--least percent.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import launches

# The time of an iteration is a median of whole cycles: a smaller share of it is rounding.
ROUNDING = 0.005


def call(argv):
    done = subprocess.run(argv, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(argv)}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def timed(options, kernel, name, arch, level, folder):
    """Returns (cycles of an iteration, remarks of the kernel's loops) at an effort."""
    path = os.path.join(folder, f"{name}.{arch}.{level}.ptx")
    remarks = call([options.tileiras, kernel, "--gpu-name", arch, "-O3", "--emit=ptx", "-o", path, "--remarks=schedule",
                    f"--pass-pipeline=tileir{{pipeline-strategy=unspecialize v2-opt-level={level}}}",
                    f"--launch-sidecar={path}.json"])
    with open(path) as file:
        target = re.search(r"^\.target (\w+)", file.read(), re.M).group(1)
    args, grid = launches.launch(name)
    case = {"kernel": os.path.basename(path), "entry": name, "grid": (grid + [1, 1])[:3], **launches.placed(args, folder)}
    with open(path + ".case", "w") as file:
        json.dump(case, file)
    timing = json.loads(call([options.tileir_run, path + ".case", "--device=emulated", f"--arch={target}", "--timing=json",
                              f"--sidecar={path}.json"]))
    pairs = zip(re.findall(r"StreamCycles = (\d+)", remarks), re.findall(r"CoarseCycles = (\d+)", remarks))
    return timing.get("cycles_per_trip"), [(int(a), int(b)) for a, b in pairs]


def compare(options, kernel, arch):
    """Returns a loop's line; None if the kernel has no loop."""
    name = os.path.basename(kernel).removesuffix(".tileirbc")
    with tempfile.TemporaryDirectory() as folder:
        baseline, _ = timed(options, kernel, name, arch, 0, folder)
        best, thought = timed(options, kernel, name, arch, options.level, folder)
    if not baseline or not best:
        return name, arch, None, None, thought
    return name, arch, baseline, best, thought


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--tileir-run", required=True)
    parser.add_argument("--archs", default="sm_80,sm_90,sm_100,sm_120", type=lambda text: text.split(","))
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--least", type=float, help="percent that the geometric mean has to gain")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()
    work = [(kernel, arch) for arch in options.archs for kernel in options.kernels]
    logs, slower = [], []
    with ThreadPoolExecutor(options.jobs) as pool:
        for name, arch, baseline, best, thought in pool.map(lambda item: compare(options, *item), work):
            if baseline is None:
                print(f"{arch:7} {name:36} no loop", flush=True)
                continue
            ratio = best / baseline
            logs.append(math.log(ratio))
            if ratio > 1 + ROUNDING:
                slower.append(f"{name} on {arch}: {best:g} cycles a trip, coarse {baseline:g}")
            says = " ".join(f"{a}/{b}" for a, b in thought)
            print(f"{arch:7} {name:36} {baseline:9.6g} {best:9.6g} {ratio:7.3f}   {says}", flush=True)
    gain = 100 * (1 - math.exp(sum(logs) / len(logs))) if logs else 0
    print(f"{len(logs)} loops, {gain:.2f} % fewer cycles a trip (geometric mean), {len(slower)} slower", flush=True)
    for line in slower:
        print("slower: " + line)
    if slower or (options.least is not None and gain < options.least):
        sys.exit("FAILED")


if __name__ == "__main__":
    main()
