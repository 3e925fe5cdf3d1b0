#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a kernel of kernels.py in the emulator, its tile block divided among the CTAs of a cluster, and compares with NumPy.

    clusters.py --tileiras PATH --tileir-run PATH --tileir-translate PATH --arch sm_90 --ctas 2 [--needs TEXT,...] [--refused TEXT] [--modes early,late]
                [--seeds N] 'gemm(256, 256, 64)'

`--needs`: what the PTX has to contain; `--refused`: the kernel stays in one CTA, and the note below the warning says this.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy

import kernels

DTYPES = {"float16": "f16", "float32": "f32", "int32": "i32"}


def compile_kernel(options, folder, text):
    path = os.path.join(folder, "k.tileirbc")
    done = subprocess.run([options.tileir_translate, "--mlir-to-cudatilebc", "-", "-o", path], input=text, capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(f"FAILED: {done.stderr[:3000]}")
    ptx = os.path.join(folder, "k.ptx")
    done = subprocess.run([options.tileiras, path, "--gpu-name", options.arch, "-O3", "--emit=ptx", f"--launch-sidecar={ptx}.json",
                           f"--pass-pipeline=tileir{{check-barriers num-ctas={options.ctas} {options.pipeline}}}", "-o", ptx],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: {done.stderr[:3000]}")
    has_warning = "has no effect: a tile block runs in one CTA" in done.stderr
    if has_warning != bool(options.refused) or options.refused not in done.stderr:
        sys.exit(f"FAILED: told: {done.stderr[:3000]}")
    with open(ptx) as file:
        code = file.read()
    directives = [".reqnctapercluster", ".blocksareclusters"]
    for needed in [] if options.refused else directives + [f".reqnctapercluster {options.ctas}"] + options.needs:
        if needed not in code:
            sys.exit(f"FAILED: no {needed}")
    for unwanted in directives if options.refused else ["%ctaid", "%nctaid"]:
        if unwanted in code:
            sys.exit(f"FAILED: {unwanted} in the PTX")
    return ptx, re.search(r"^\.target ([a-z0-9_]+)", code, re.M).group(1)


ARRIVE, WAIT = "barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;"


def drop_pair(code, first, after=""):
    """The code without the first, or last, barrier of the cluster after a text; the threads of a CTA still meet."""
    find = (lambda text: code.index(text, code.index(after))) if first else code.rindex
    at = find(ARRIVE)
    end = code.index(WAIT, at)
    return code[:at] + "bar.sync 0;" + code[at + len(ARRIVE):end] + code[end + len(WAIT):]


FAULTS = {
    # Peers copy to barriers, or read elements, that are not there yet; a CTA ends while its peer may still come.
    "early-copy": lambda code: drop_pair(code, first=True),
    # A CTA does not wait for what another one does with the same bytes.
    "early-access": lambda code: drop_pair(code, first=True),
    "early-exit": lambda code: drop_pair(code, first=False),
    # The commit reaches CTA 0 alone.
    "one-commit": lambda code: re.sub(r"(commit\.cta_group::2.*\], )%rs\d+;", r"\g<1>1;", code),
    # The copies of each CTA of a pair signal its own barriers.
    "own-signal": lambda code: re.sub(r"mapa\.shared::cluster\.u32 (%r\d+), (%r\d+), %r\d+;", r"mov.u32 \1, \2;", code),
    # The copy reaches CTA 0 alone.
    "wrong-mask": lambda code: re.sub(r"(multicast::cluster \[.*\], )%rs\d+;", r"\g<1>1;", code),
    # A CTA overwrites what its peer has still to read.
    "early-write": lambda code: drop_pair(code, first=True, after="ld.shared::cluster"),
    # A CTA never says that it has come.
    "no-arrival": lambda code: code.replace(ARRIVE, "", 1),
    # Warps, or commits, say to their own CTA alone that a slot is free.
    "own-arrival": lambda code: re.sub(r"mapa\.shared::cluster\.u32 there, (%r\d+), %r\d+;", r"mov.u32 there, \1;", code),
}


def plant(ptx, fault):
    with open(ptx) as file:
        code = file.read()
    changed = FAULTS[fault](code)
    if changed == code:
        sys.exit(f"FAILED: no place for {fault}")
    with open(ptx, "w") as file:
        file.write(changed)


def make_case(folder, made):
    _, grid, arrays, (rtol, atol) = made
    args = []
    for number, (before, after) in enumerate(arrays):
        like = after if before is None else before
        arg = {"name": f"p{number}", "dtype": DTYPES[like.dtype.name], "shape": list(like.shape), "init": "poison"}
        if before is not None:
            numpy.save(os.path.join(folder, f"in{number}.npy"), before)
            arg["init"] = f"@in{number}.npy"
        if after is not None:
            numpy.save(os.path.join(folder, f"out{number}.npy"), after)
            arg.update(output=True, expect=f"out{number}.npy", rtol=rtol, atol=atol)
        args.append(arg)
    path = os.path.join(folder, "case.json")
    with open(path, "w") as file:
        json.dump({"kernel": "k.ptx", "entry": "k", "grid": grid, "args": args}, file)
    return path


def main():
    parser = argparse.ArgumentParser()
    for tool in ("tileiras", "tileir-run", "tileir-translate"):
        parser.add_argument("--" + tool, required=True)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--ctas", type=int, default=2)
    parser.add_argument("--pipeline", default="")
    parser.add_argument("--needs", type=lambda text: text.split(","), default=[])
    parser.add_argument("--refused", default="")
    parser.add_argument("--fault", choices=sorted(FAULTS), help="what is taken out of the PTX; each run has to fail")
    parser.add_argument("--finding", default="", help="what the emulator has to say about it")
    parser.add_argument("--modes", type=lambda text: text.split(","), default=["early", "late", "random"])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("kernel")
    options = parser.parse_args()
    name, numbers = re.fullmatch(r"(\w+)\((.*)\)", options.kernel).groups()
    given = [part.strip() for part in numbers.split(",")]
    places = [int(part) for part in given if "=" not in part]
    named = {part.partition("=")[0]: int(part.partition("=")[2]) for part in given if "=" in part}
    made = getattr(kernels, name)(*places, **named)
    with tempfile.TemporaryDirectory() as folder:
        ptx, target = compile_kernel(options, folder, made[0])
        case = make_case(folder, made)
        if options.fault:
            plant(ptx, options.fault)
        runs = 0
        for mode in options.modes:
            for seed in range(1, options.seeds + 1):
                done = subprocess.run([options.tileir_run, case, "--device=emulated", f"--arch={target}", f"--async={mode}",
                                       f"--seed={seed}", f"--sidecar={ptx}.json"], capture_output=True, text=True)
                runs += 1
                if options.fault:
                    if not done.returncode or options.finding not in done.stdout + done.stderr:
                        sys.exit(f"FAILED: {options.fault} is not found: {done.stdout[:3000]}{done.stderr[:3000]}")
                elif done.returncode:
                    sys.exit(f"FAILED: {mode} seed={seed}: status {done.returncode}\n{done.stdout[:3000]}{done.stderr[:3000]}")
    print(f"ok: {options.kernel} {options.arch} ctas={options.ctas}: {runs} runs")


if __name__ == "__main__":
    main()
