#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says how the work of compiling grows with its input, by counts and not by time.

  bazel run //test/benchmarks:growth              every series, ours beside the closed compiler
  bazel run //test/benchmarks:growth -- nest tile these alone
  ... --test                                      ours alone; fails where a count outgrows its bound

The count is the number of memory blocks that the compiler asks for (CountAllocations.cpp): each operation that is created
and each table that a walk copies is one, so that it is the same on any machine. What is visited without a block of its own
is not counted. ptxas, another process, is not counted either. From each count that of an empty module is taken.

  exponent   of the last step: 1 when twice the input is twice the work; a loop nest that is walked 2^depth times has 10
  bound      1.25 for every series: n log n has 1.1 to 1.2 at these sizes

A series named in KNOWN may exceed its bound, and the test fails when it no longer does: then its line is deleted.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile

import growth_inputs

BOUND = 1.25
# Series: sizes of the test, further sizes of the whole, and where inputs come from: a function that writes text, or ""
# for files of test/data/perf/scaling.
SERIES = {
    "nest": ([6, 12, 18, 24], [], growth_inputs.nested),
    "tokens": ([100, 1000, 10000], [100000], growth_inputs.tokens),
    "scalar": ([256, 1024, 4096], [], ""),
    "chain": ([64, 256], [1024, 4096], ""),
    "loads": ([16, 64, 256], [1024], ""),
    "stores": ([16, 64, 256], [1024], ""),
    "reduce": ([4, 16, 64], [256], ""),
    "loops": ([4, 16, 64], [256], ""),
    "mma": ([4, 16], [64], ""),
    "mmaloop": ([2, 4, 8], [16], ""),
    "softmax": ([1024, 4096], [16384, 65536], ""),
    "kernels": ([10, 30, 100], [1000], growth_inputs.kernels),
    "tile": ([1024, 4096, 16384], [131072, 4194304], growth_inputs.tile),
    "column": ([256, 1024, 4096], [], growth_inputs.column),
    "row": ([8192, 32768, 131072], [], growth_inputs.row),
}
# What --test asks of by default. The others have not been measured yet: their first run says what belongs into KNOWN.
TESTED = ("nest", "tokens", "scalar", "kernels", "tile", "column", "row")
# Today's faults: series, and what will mend it.
KNOWN = {
    "nest": "LLVM's own passes: 1.34 from 18 to 24 loops, though 0.63 from 24 to 48; what comes before them is linear",
}


def fit(points):
    """Exponents of the steps between (size, count) pairs; a count that does not grow has exponent 0."""
    steps = []
    for (n, a), (m, b) in zip(points, points[1:]):
        steps.append(math.log(max(b, 1) / max(a, 1)) / math.log(m / n) if b > a else 0.0)
    return steps


class Counter:
    """Compiles inputs and counts; `closed` finds ptxas below one root instead of by a variable."""

    def __init__(self, program, library, ptxas, arch, folder, closed, limit):
        self.program, self.library, self.arch, self.folder, self.limit = program, library, arch, folder, limit
        self.env = {k: v for k, v in os.environ.items() if k not in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")}
        if closed:
            home = os.path.dirname(os.path.dirname(os.path.realpath(program)))
            root = os.path.join(folder, "root")
            os.makedirs(os.path.join(root, "bin"))
            os.symlink(os.path.realpath(ptxas), os.path.join(root, "bin", "ptxas"))
            for part in ("lib", "nvvm"):
                if os.path.exists(os.path.join(home, part)):
                    os.symlink(os.path.join(home, part), os.path.join(root, part))
            self.env["CUDA_ROOT"] = root
        else:
            self.env["TILEIR_PTXAS_PATH"] = ptxas

    def count(self, path):
        """(blocks, None), or (None, why)."""
        out, number = os.path.join(self.folder, "out.cubin"), os.path.join(self.folder, "count")
        if os.path.exists(number):
            os.remove(number)
        env = {**self.env, "LD_PRELOAD": self.library, "TILEIR_COUNT_FILE": number}
        try:
            done = subprocess.run([self.program, path, "-o", out, "--gpu-name", self.arch, "-O3"], env=env,
                                  capture_output=True, text=True, timeout=self.limit)
        except subprocess.TimeoutExpired:
            return None, f"stopped after {self.limit} s"
        if done.returncode:
            return None, (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[0][:120]
        with open(number) as text:
            return int(text.read()), None


class Inputs:
    """Files of the series; text is turned into bytecode by `translate`."""

    def __init__(self, scaling, translate, folder):
        self.scaling, self.translate, self.folder = scaling, translate, folder

    def path(self, series, size):
        _, _, source = SERIES[series]
        if not source:
            return os.path.join(self.scaling, f"{series}.{size}.tileirbc")
        made = os.path.join(self.folder, f"{series}.{size}.tileirbc")
        if not os.path.exists(made):
            with open(made + ".mlir", "w") as out:
                out.write(source(size))
            subprocess.run([self.translate, "--mlir-to-cudatilebc", made + ".mlir", "-o", made], check=True)
        return made


def measure(counter, inputs, series, empty, whole):
    """([(size, count)], why it ended early or None). A step beyond the bound ends it: what follows may not end."""
    points = []
    sizes, more, _ = SERIES[series]
    for size in sizes + (more if whole else []):
        blocks, why = counter.count(inputs.path(series, size))
        if blocks is None:
            return points, f"{series}.{size}: {why}"
        points.append((size, blocks - empty))
        if len(points) > 1 and fit(points)[-1] > 3:
            break
    return points, None


def verdict(series, points, why):
    """Text of a fault, or None: beyond the bound or refused without being known, or known and mended."""
    steps = fit(points)
    over = why is not None or not steps or max(steps[-1], 0) > BOUND
    found = why or (f"exponent {steps[-1]:.2f} > {BOUND}" if steps else "one point")
    if over and series not in KNOWN:
        return f"{series}: {found}"
    if not over and series in KNOWN:
        return f"{series}: mended (exponent {steps[-1]:.2f}); delete it from KNOWN, it was: {KNOWN[series]}"
    return None


def describe(points, why):
    text = " ".join(f"{size}:{count}" for size, count in points)
    steps = fit(points)
    return f"{steps[-1]:5.2f}" if steps else "    -", text + (f"  ({why})" if why else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("series", nargs="*", help=f"of {' '.join(SERIES)} (default: all)")
    parser.add_argument("--ours", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--translate", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--library", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--scaling", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--arch", default="sm_90", help="default: %(default)s")
    parser.add_argument("--test", action="store_true", help="ours alone; exit 1 where a bound or a known fault does not hold")
    parser.add_argument("--whole", action="store_true", help="with --test: the largest inputs, too")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one compile (default: %(default)s)")
    args = parser.parse_args()
    chosen = args.series or list(TESTED if args.test and not args.whole else SERIES)
    unknown = [s for s in chosen if s not in SERIES]
    ptxas = os.environ.get("TILEIR_PTXAS_PATH")
    if unknown or not ptxas:
        parser.error(f"no series '{unknown[0]}'" if unknown else "no ptxas: set TILEIR_PTXAS_PATH")
    closed = None if args.test else os.environ.get("TILEIR_PEER_TILEIRAS")
    faults = []
    with tempfile.TemporaryDirectory(prefix="tileir-growth-") as scratch:
        inputs = Inputs(args.scaling, args.translate, scratch)
        sides = []
        for name, program in (("ours", args.ours), ("closed", closed)):
            if program:
                folder = os.path.join(scratch, name)
                os.makedirs(folder)
                sides.append((name, Counter(os.path.abspath(program), os.path.abspath(args.library), ptxas, args.arch, folder,
                                            name == "closed", args.limit)))
        for name, counter in sides:
            empty, why = counter.count(os.path.join(args.scaling, "empty.1.tileirbc"))
            if empty is None:
                sys.exit(f"error: {name} does not compile an empty module: {why}")
            print(f"{name}: {empty} blocks for an empty module\n  series   exponent  size:blocks")
            for series in chosen:
                points, why = measure(counter, inputs, series, empty, args.whole or not args.test)
                exponent, text = describe(points, why)
                known = f"  known: {KNOWN[series]}" if name == "ours" and series in KNOWN else ""
                print(f"  {series:8} {exponent}     {text}{known}", flush=True)
                if name == "ours" and (fault := verdict(series, points, why)):
                    faults.append(fault)
    if args.test and faults:
        print("\n".join(faults))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
