#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernels whose loops the scheduler ordered with their reference builds (strategy `none`) in the emulator.

Results have to be equal bit by bit, whatever the effort, for random delays of the scheduler, and whenever asynchronous
work is performed.

    check.py --tileiras PATH --tileir-run PATH --arch sm_80 --levels 1,2,3 --delays 5 --seeds 2 --turn N KERNEL.tileirbc...

Delay seeds and seeds of the emulator are `delays` and `seeds` consecutive numbers that begin at --turn. Variants by
delays run with `delay-seeds` of the latter. Many seeds give one schedule: with --tileir-opt and --tileir-translate only
the scheduler runs for each seed, on its input IR, and each distinct schedule is compiled once. The sweep of --levels
1,2,3 --delays 200 --seeds 20 on every target is `bazel test //test/kernels/scheduled:sweep`.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import launches


# The passes that build a schedule, as the pipeline spells them.
FIRST, LAST = "tileas-generate-schedule-constraints{", "tileas-materialize-schedule{"
SEED = "random-delay-seed"


def fail(text):
    sys.exit(f"FAILED: {text}")


class Checker:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.runs = 0

    def compile(self, kernel, name, pipeline):
        path = os.path.join(self.folder, name + ".ptx")
        argv = [self.options.tileiras, kernel, "--gpu-name", self.options.arch, "-O3", "--emit=ptx", "-o", path,
                f"--pass-pipeline=tileir{{check-barriers {pipeline}}}", f"--launch-sidecar={path}.json"]
        done = subprocess.run(argv, capture_output=True, text=True)
        if done.returncode:
            fail(f"{name}: {done.stderr[:2000]}")
        return path

    def assemble(self, path):
        """Assembles a variant with ptxas."""
        ptxas = os.environ.get("TILEIR_PTXAS_PATH")
        if not ptxas:
            return
        done = subprocess.run([ptxas, "-arch", self.target, "-O0", "--enable-extended-smem=true", path, "-o", "/dev/null"], capture_output=True, text=True)
        if done.returncode:
            fail(f"{path}: {done.stderr[:2000]}")

    def run(self, case, what, *flags):
        self.runs += 1
        argv = [self.options.tileir_run, case, "--device=emulated", f"--arch={self.target}", *flags]
        done = subprocess.run(argv, capture_output=True, text=True)
        if done.returncode:
            fail(f"{what}: status {done.returncode}\n{done.stdout[:3000]}{done.stderr[:3000]}")

    def write(self, name, case):
        path = os.path.join(self.folder, name + ".json")
        with open(path, "w") as file:
            json.dump(case, file)
        return path

    def pipeline(self, kernel, options):
        """Returns the passes that `tileiras` runs, as text."""
        argv = [self.options.tileiras, kernel, "--gpu-name", self.options.arch, "-O3", "--emit=ptx", "-o", "/dev/null",
                f"--pass-pipeline=tileir{{check-barriers {options}}}", "--print-pipeline"]
        return subprocess.run(argv, capture_output=True, text=True, check=True).stderr.strip()

    def optimize(self, source, pipeline):
        done = subprocess.run([self.options.tileir_opt, source, "--pass-pipeline=" + pipeline], capture_output=True, text=True)
        if done.returncode:
            fail(f"{pipeline}: {done.stderr[:2000]}")
        return done.stdout

    def delays(self, kernel, name, options, seeds):
        """Returns the `seeds` whose schedule no earlier one has."""
        if not self.options.tileir_opt or not seeds:
            return seeds
        path = os.path.join(self.folder, name + ".mlir")
        subprocess.run([self.options.tileir_translate, "--cudatilebc-to-mlir", kernel, "-o", path], check=True)
        text = self.pipeline(kernel, f"{options}={seeds[0]}")
        first, last = text.index(FIRST), text.index("}", text.index(LAST)) + 1
        prepared = self.optimize(path, text[:first].rstrip(",") + ")" * (text[:first].count("(") - text[:first].count(")")))
        with open(path, "w") as file:
            file.write(prepared)
        scheduler = f"builtin.module(gpu.module(nv_tileaa.func({text[first:last]})))"
        made = {}
        for seed in seeds:
            made.setdefault(self.optimize(path, scheduler.replace(f"{SEED}={seeds[0]} ", f"{SEED}={seed} ")), seed)
        return list(made.values())

    def forms(self, kernel, name):
        """Yields (what, PTX, seeds) of the variants to run; existing PTX is not run again."""
        strategy = "pipeline-strategy=warp-specialize specialize-agents=false v2-opt-level="
        delayed = f"{strategy}1 enable-random-delay {SEED}"
        seeds = list(range(self.options.turn, self.options.turn + self.options.delays))
        pipelines = [(f"{strategy}{level}", self.options.seeds) for level in self.options.levels]
        pipelines += [(f"{delayed}={seed}", self.options.delay_seeds) for seed in self.delays(kernel, name, delayed, seeds)]
        seen, forms = set(), []
        for n, (pipeline, seeds) in enumerate(pipelines):
            path = self.compile(kernel, f"{name}.{n}", pipeline)
            with open(path) as file:
                text = re.sub(r"^\s*(//|\.loc|\.file).*$", "", file.read(), flags=re.M)
            if text not in seen:
                forms.append((pipeline, path, seeds))
            seen.add(text)
        return forms

    def check(self, kernel):
        name = os.path.basename(kernel).removesuffix(".tileirbc")
        told = launches.launch(name)
        if not told:
            fail(f"{name}: no launch is known")
        args, grid = told
        for arg in args:
            # Tensor cores accumulate 8-bit floats in orders of their own; sums of small integers are exact in any
            # order.
            if arg["dtype"].startswith("f8"):
                arg["init"] = "integers:-8:8"
        reference = self.compile(kernel, name + ".none", "pipeline-strategy=none")
        with open(reference) as file:
            self.target = re.search(r"^\.target ([a-z0-9_]+)", file.read(), re.M).group(1)
        case = {"kernel": os.path.basename(reference), "entry": name, "grid": (grid + [1, 1])[:3], "args": args}
        out = os.path.join(self.folder, name + ".out")
        self.run(self.write(name + ".reference", case), name + " reference", f"--out={out}", f"--sidecar={reference}.json")
        for arg in args:
            if arg.get("output"):
                arg.update(expect=os.path.join(out, arg["name"] + ".npy"), rtol=0, atol=0)
        forms = self.forms(kernel, name)
        for pipeline, path, seeds in forms:
            self.assemble(path)
            case["kernel"] = os.path.basename(path)
            file = self.write(os.path.basename(path) + ".case", case)
            for mode in self.options.modes:
                for seed in range(self.options.turn, self.options.turn + seeds):
                    self.run(file, f"{name} {self.options.arch} {pipeline} {mode} seed={seed}", f"--async={mode}", f"--seed={seed}", f"--sidecar={path}.json")
        delays = f"{self.options.delays} delay seeds, " if self.options.delays else ""
        print(f"ok: {name} {self.options.arch}: {delays}{len(forms)} forms, {self.runs} runs", flush=True)


def main():
    def numbers(text):
        return [int(part) for part in text.split(",")]

    parser = argparse.ArgumentParser()
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--tileir-run", required=True)
    parser.add_argument("--tileir-opt")
    parser.add_argument("--tileir-translate")
    parser.add_argument("--arch", default="sm_80")
    parser.add_argument("--levels", type=numbers, default=[1, 2, 3])
    parser.add_argument("--delays", type=int, default=3)
    parser.add_argument("--modes", type=lambda text: text.split(","), default=["early", "late", "random"])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--delay-seeds", type=int, default=1)
    parser.add_argument("--turn", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()

    def work(kernel):
        with tempfile.TemporaryDirectory() as folder:
            Checker(options, folder).check(kernel)

    if options.jobs == 1:
        for kernel in options.kernels:
            work(kernel)
        return
    with ThreadPoolExecutor(options.jobs) as pool:
        for _ in pool.map(work, options.kernels):
            pass


if __name__ == "__main__":
    main()
