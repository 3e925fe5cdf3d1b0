#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a kernel built with every pipeline strategy, run in the emulator, with the tile-level interpreter.

For kernels for which `none` is not an independent reference build, because both share the result of a pass before the
strategies: dots split into loops. Operands are small integers, so that sums are exact in any order.

    reference.py --tileiras PATH --tileir-run PATH --tileir-interp PATH --arch sm_80 KERNEL.tileirbc
"""

import argparse
import os
import subprocess
import sys
import tempfile

import check


class ReferenceChecker(check.Checker):
    def check(self, kernel):
        name = os.path.basename(kernel).removesuffix(".tileirbc")
        form, match = self.get_launch(name)
        matmuls = {strategy: self.compile(kernel, f"{name}.{strategy}", f"pipeline-strategy={strategy}")
                    for strategy in ("none", "unspecialize", "warp-specialize")}
        with open(matmuls["unspecialize"]) as file:
            text = file.read()
        self.target = next(line.split()[1].rstrip(",") for line in text.splitlines() if line.startswith(".target"))
        if text.count(self.options.needs) < self.options.times:
            sys.exit(f"FAILED: {name}: {self.options.needs} stands there {text.count(self.options.needs)} times")
        for trips in self.options.trips:
            for ragged in (False, True):
                grid, args = form(match, trips, ragged)
                for arg in args:
                    if arg.get("init") == "normal":
                        arg["init"] = "integers:-4:4"
                case = {"kernel": os.path.abspath(kernel), "entry": name, "grid": grid, "args": args}
                what = f"{name} {self.options.arch} trips={trips} ragged={ragged}"
                out = os.path.join(self.folder, "out")
                done = subprocess.run([self.options.tileir_interp, self.write("reference", case), f"--out={out}"],
                                      capture_output=True, text=True)
                if done.returncode:
                    sys.exit(f"FAILED: {what} reference: {done.stdout[:2000]}{done.stderr[:2000]}")
                for arg in args:
                    if arg.get("output"):
                        arg.update(expect=os.path.join(out, arg["name"] + ".npy"), rtol=0, atol=0)
                for strategy, path in matmuls.items():
                    case["kernel"] = os.path.basename(path)
                    self.run(self.write("case", case), f"{what} {strategy}", "--async=late", f"--sidecar={path}.json")
        print(f"ok: {name} {self.options.arch}: {self.runs} runs")


def main():
    parser = argparse.ArgumentParser()
    check.add_options(parser)
    parser.add_argument("--tileir-interp", required=True)
    parser.add_argument("--needs", default="mma.sync", help="what the PTX of the pipelined form has to contain")
    parser.add_argument("--times", type=int, default=1, help="how often at least")
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for kernel in options.kernels:
            ReferenceChecker(options, folder).check(kernel)


if __name__ == "__main__":
    main()
