#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels of the perf set that have hints in the emulator, and compares with NumPy.

    shipped.py --tileiras PATH --tileir-run PATH [--arch sm_90] [--modes early,late,random] [--seeds N] KERNEL.tileirbc...

A tile block has as many CTAs as the name asks for (`_nc2`). On sm_80 to sm_89 the hint is ignored, on sm_120 a warning
says that it has no effect. The compiler writes nothing else.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

import answers
import launches

TOLD = "has no effect: a tile block runs in one CTA"


def compile_kernel(options, path, folder):
    """Returns the path of the PTX and its target."""
    ptx = os.path.join(folder, "k.ptx")
    done = subprocess.run([options.tileiras, path, "--gpu-name", options.arch, "-O3", "--emit=ptx", f"--launch-sidecar={ptx}.json",
                           "--pass-pipeline=tileir{check-barriers}", "-o", ptx], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: {done.stderr[:3000]}")
    asked = int((re.findall(r"_nc(\d+)", path) or [1])[0])
    is_told = asked > 1 and options.arch.startswith("sm_12")
    if (TOLD in done.stderr) != is_told or done.stderr.count("warning:") != is_told:
        sys.exit(f"FAILED: told: {done.stderr[:3000] or 'nothing'}")
    with open(ptx) as file:
        code = file.read()
    found = re.search(r"\.reqnctapercluster (\d+)", code)
    ctas = int(found.group(1)) if found else 1
    if ctas != (asked if options.arch.startswith(("sm_9", "sm_10", "sm_11")) else 1):
        sys.exit(f"FAILED: a tile block runs in {ctas} CTAs")
    return ptx, re.search(r"^\.target ([a-z0-9_]+)", code, re.M).group(1)


def make_case(folder, name):
    args, grid, expected = answers.problem(name)
    for arg in args:
        if isinstance(arg.get("init"), np.ndarray):
            np.save(os.path.join(folder, arg["name"] + ".npy"), arg["init"])
            arg["init"] = f"@{arg['name']}.npy"
    fields = launches.placed(args, folder)
    for arg in fields["args"] + fields["buffers"]:
        if arg["name"] in expected:
            answer = expected.pop(arg["name"])
            np.save(os.path.join(folder, arg["name"] + ".out.npy"), answer.astype(np.float32))
            arg.update(expect=arg["name"] + ".out.npy", rtol=0, atol=answers.TOLERANCE * float(np.abs(answer).max()))
    assert not expected
    path = os.path.join(folder, "case.json")
    with open(path, "w") as file:
        json.dump({"kernel": "k.ptx", "entry": name, "grid": (grid + [1, 1])[:3], **fields}, file)
    return path


def run(options, path):
    name = launches.name_of(path)
    with tempfile.TemporaryDirectory() as folder:
        ptx, target = compile_kernel(options, path, folder)
        case = make_case(folder, name)
        for mode in options.modes:
            for seed in range(1, options.seeds + 1):
                done = subprocess.run([options.tileir_run, case, "--device=emulated", f"--arch={target}", f"--async={mode}",
                                       f"--seed={seed}", f"--sidecar={ptx}.json"], capture_output=True, text=True)
                if done.returncode:
                    sys.exit(f"FAILED: {name} {mode} seed={seed}: status {done.returncode}\n{done.stdout[:3000]}{done.stderr[:3000]}")
    print(f"ok: {name} {options.arch}")


def main():
    parser = argparse.ArgumentParser()
    for tool in ("tileiras", "tileir-run"):
        parser.add_argument("--" + tool, required=True)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--modes", type=lambda text: text.split(","), default=["early", "late", "random"])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()
    for path in options.kernels:
        run(options, path)


if __name__ == "__main__":
    main()
