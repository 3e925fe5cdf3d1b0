#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares dynamic persistent kernels (`dynamic-persistent`) with their reference builds without a loop over tile
blocks.

Outputs have to be equal bit by bit, for grids of one block and of many, whenever asynchronous work is performed. With
`--faults` the loop over tile blocks is broken in every possible way, and the emulator has to find each fault.

    taken.py --tileiras PATH --tileir-run PATH --arch sm_100 [--grids 1x1,3x3] [--trips 1,4] [--pipeline OPTIONS]
             [--needs TEXT,...] [--faults] KERNEL.tileirbc...
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import check


def matmul(match, grid, trips):
    kind, dtype, m, n, k = match.groups()
    m, n, k = int(m), int(n), int(k)
    out = {"tf32": "f32", "int8": "i32", "e4m3": "f32"}.get(dtype, dtype)
    dtype = {"int8": "i8", "tf32": "f32", "e4m3": "f8E4M3FN"}.get(dtype, dtype)
    batch = [grid[0]] if kind == "bmm" else []
    rows, columns, depth = (1 if batch else grid[0]) * m - 16, grid[1] * n - 16, trips * k
    b = (columns, depth) if kind == "nt_" else (depth, columns)
    args = check.source("a", dtype, [*batch, rows, depth], 1) + check.source("b", dtype, [*batch, *b], 2)
    args += check.array("c", out, [*batch, rows, columns], init="poison", output=True)
    if kind == "persistent_":
        args.append({"name": "nblk", "dtype": "i32", "value": 5})
        return [5, 1, 1], args
    return [*batch, *([1] if batch else grid[:1]), grid[1], 1][:3], args


def attention(match, grid, trips):
    kind, dtype, d, m, n = match.groups()
    d, m, n = int(d), int(m), int(n)
    queries = grid[0] * m
    keys = queries if kind == "causal" else trips * n - 16
    args = check.source("q", dtype, [1, grid[1], queries, d], 1) + check.source("k", dtype, [1, grid[1], keys, d], 2)
    args += check.source("v", dtype, [1, grid[1], keys, d], 3)
    args += check.array("o", dtype, [1, grid[1], queries, d], init="poison", output=True)
    args.append({"name": "scale", "dtype": "f32", "value": 0.125})
    return [grid[0], grid[1], 1], args


def rows(match, grid, trips):
    dtype, length = match.group(1), int(match.group(2))
    count = grid[0] * grid[1]
    args = check.source("x", dtype, [count, length], 1, [count, length])
    return [count, 1, 1], args + check.array("out", dtype, [count, length], given=[count, length], init="poison", output=True)


LAUNCHES = [(check.LAUNCHES[0][0], matmul), (check.LAUNCHES[1][0], attention),
         (re.compile(r"softmax(?:_online)?_(bf16|f32)_(\d+)$"), rows)]

WAIT = r"mbarrier\.try_wait\S*\s+(%p\d+), .*;(?=(?:(?!.*mbarrier\.try_wait).*\n)*?.*query_cancel\.is_canceled)"
FAULTS = {
    "answer read before it is there": (WAIT, r"setp.eq.u32 \1, 0, 0;"),
    "asked again behind a refusal": (r"selp\.b32 (%r\d+), 1, 0, taken;", r"mov.b32 \1, 1;"),
    "asked before all have read": (r"(query_cancel\.get_first_ctaid::z.*\n(?:.*\n)*?)\tbar\.sync.*\n", r"\1"),
    "too many bytes announced": (r"(expect_tx.*, )16(;(?:.*\n)*?.*try_cancel)", r"\g<1>32\2"),
    "too few bytes announced": (r"(expect_tx.*, )16(;(?:.*\n)*?.*try_cancel)", r"\g<1>0\2"),
    "the other phase": (r"(mbarrier\.try_wait\S*\s+%p\d+, \S+, )(%r\d+);(?=(?:(?!.*mbarrier\.try_wait).*\n)*?.*query_cancel)",
                        r"\g<1>1;"),
}


class Taken(check.Checker):
    def read(self, path):
        with open(path) as file:
            return file.read()

    def is_found(self, case, sidecar):
        """Returns whether some schedule finds the fault of `case`."""
        for mode in ("late", "early", "random"):
            for seed in ("1", "2", "3"):
                done = subprocess.run([self.options.tileir_run, case, "--device=emulated", f"--arch={self.target}",
                                       f"--async={mode}", f"--seed={seed}", f"--sidecar={sidecar}",
                                       "--max-cycles=3000000"], capture_output=True, text=True)
                if done.returncode == 1:
                    return True
        return False

    def break_loop(self, case, path, what):
        for fault, (pattern, replacement) in FAULTS.items():
            broken = os.path.join(self.folder, "broken.ptx")
            text = self.read(path)
            planted = re.sub(pattern, replacement, text, count=1)
            if planted == text:
                sys.exit(f"FAILED: {what}: no place for '{fault}'")
            with open(broken, "w") as file:
                file.write(planted)
            case["kernel"] = os.path.basename(broken)
            if not self.is_found(self.write("broken", case), f"{path}.json"):
                sys.exit(f"FAILED: {what}: the emulator does not find '{fault}'")
            self.runs += 1

    def check(self, kernel):
        options = self.options
        name = os.path.basename(kernel).removesuffix(".tileirbc")
        form, match = next((f, r.match(name)) for r, f in LAUNCHES if r.match(name))
        reference = self.compile(kernel, name + ".reference", options.pipeline)
        path = self.compile(kernel, name + ".taken", "dynamic-persistent " + options.pipeline)
        text = self.read(path)
        self.target = re.search(r"^\.target ([a-z0-9_]+)", text, re.M).group(1)
        for needed in ["clusterlaunchcontrol.try_cancel", *filter(None, options.needs.split(","))]:
            if needed not in text:
                sys.exit(f"FAILED: {path}: no {needed}")
        for grid in options.grids:
            for trips in options.trips:
                extents, args = form(match, grid, trips)
                case = {"kernel": os.path.basename(reference), "entry": name, "grid": extents, "args": args}
                what = f"{name} {options.arch} grid={extents} trips={trips}"
                out = os.path.join(self.folder, "out")
                self.run(self.write("reference", case), what + " reference", f"--out={out}", f"--sidecar={reference}.json")
                for arg in args:
                    if arg.get("output"):
                        arg.update(expect=os.path.join(out, arg["name"] + ".npy"), rtol=0, atol=0)
                case["kernel"] = os.path.basename(path)
                file = self.write("case", case)
                for mode in options.modes:
                    for seed in range(1, options.seeds + 1):
                        self.run(file, f"{what} {mode} seed={seed}", f"--async={mode}", f"--seed={seed}",
                                 f"--sidecar={path}.json")
        if options.faults:
            self.break_loop(case, path, what)
        print(f"ok: {name} {options.arch}: {self.runs} runs", flush=True)


def main():
    parser = argparse.ArgumentParser()
    check.add_options(parser)
    parser.add_argument("--grids", type=lambda text: [[int(n) for n in grid.split("x")] for grid in text.split(",")],
                        default=[[1, 1], [2, 1], [3, 3]])
    parser.add_argument("--pipeline", default="", help="further options of the pipeline, of both")
    parser.add_argument("--needs", default="", help="what the PTX has to contain, parted by commas")
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for kernel in options.kernels:
            Taken(options, folder).check(kernel)


if __name__ == "__main__":
    main()
