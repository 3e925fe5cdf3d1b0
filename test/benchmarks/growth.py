#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how compile work grows with its input, by counts and not by time.

  bazel run //test/benchmarks:growth              every series, exponents of ours beside the closed compiler's
  bazel run //test/benchmarks:growth -- nest tile these alone; `--counts` prints the counts, too
  ... --test                                      ours alone; fails if a count exceeds its bound

Two counts, the same on any machine (CountWork.cpp; ptxas, another process, is not counted)
  blocks  allocations of the compiler: each created operation and each table that a walk fills is one
  visits  operations that walks of the IR visit, and queries about the order of two of them, in the pipeline `tileir` as
          tileir-opt runs it: all that is ours before LLVM's own passes
From each count that of an empty module is subtracted. Columns
  fit     exponent fitted to all sizes: 1 if twice the input is twice the work; a nest that is walked 2^depth times has 10
  last    exponent of the last step, which the bound is for: 1.25, as n log n has 1.1 to 1.2 at these sizes; BOUNDS has others

A series named in KNOWN may exceed its bound, and the test fails when it no longer does: then its line is deleted. A
compile that needs more than CEILING times the bound is stopped there.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile

import growth_inputs

BOUND = 1.25
# The code of a tile that exceeds the registers of a block is a loop over slices: more iterations, not larger ones.
BOUNDS = {"tile-large": 0.25}
CEILING = 30
FIRST_LIMIT = 100_000_000  # counts of the smallest input of a series
COUNTS = ("blocks", "visits")
# Series: sizes, and the source of inputs: a function that writes text, or "" for files of test/data/perf/scaling.
SERIES = {
    "nest": ([1, 6, 12, 18, 24], growth_inputs.nested),
    "tokens": ([100, 1000, 10000, 100000], growth_inputs.tokens),
    "scalar": ([256, 1024, 4096], ""),
    "chain": ([64, 256, 1024, 4096], ""),
    "loads": ([16, 64, 256, 1024], ""),
    "stores": ([16, 64, 256, 1024], ""),
    "reduce": ([4, 16, 64, 256], ""),
    "loops": ([4, 16, 64, 256], ""),
    "mma": ([4, 16, 64], ""),
    "mmaloop": ([2, 4, 8, 16], ""),
    "softmax": ([1024, 4096, 16384, 65536], ""),
    "kernels": ([10, 100, 1000], growth_inputs.kernels),
    "tile": ([1024, 4096, 16384, 131072], growth_inputs.tile),
    "tile-large": ([131072, 4194304], growth_inputs.tile),
    "column": ([256, 1024, 4096], growth_inputs.column),
    "checks": ([10, 40, 160], growth_inputs.checks),
    # On request: 50,000 operations.
    "checks-large": ([160, 500], growth_inputs.checks),
    "row": ([8192, 32768, 131072], growth_inputs.row),
}
# Series that take minutes: run only by name.
ASKED = ("checks-large",)
# Known faults: series, and the planned fix.
KNOWN = {}


def steps(points):
    """Returns exponents of the steps between (size, count) pairs; a count that does not grow has exponent 0."""
    return [math.log(max(b, 1) / max(a, 1)) / math.log(m / n) if b > a else 0.0 for (n, a), (m, b) in zip(points, points[1:])]


def fit(points):
    """Returns the exponent of the power law closest to all (size, count) pairs (least squares of the logarithms); None
    for fewer than two."""
    if len(points) < 2:
        return None
    xs, ys = [math.log(n) for n, _ in points], [math.log(max(c, 1)) for _, c in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


class Counter:
    """Compiles inputs and counts. The closed compiler finds ptxas below one root; its passes cannot be inspected."""

    def __init__(self, program, library, ptxas, arch, folder, passes, limit):
        self.program, self.library, self.arch, self.folder, self.passes, self.limit = program, library, arch, folder, passes, limit
        self.env = {k: v for k, v in os.environ.items() if k not in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")}
        if passes:
            self.env["TILEIR_PTXAS_PATH"] = ptxas
            return
        home = os.path.dirname(os.path.dirname(os.path.realpath(program)))
        root = os.path.join(folder, "root")
        os.makedirs(os.path.join(root, "bin"))
        os.symlink(os.path.realpath(ptxas), os.path.join(root, "bin", "ptxas"))
        for part in ("lib", "nvvm"):
            if os.path.exists(os.path.join(home, part)):
                os.symlink(os.path.join(home, part), os.path.join(root, part))
        self.env["CUDA_ROOT"] = root

    def _run(self, argv, count, most):
        """Returns (number, None), or (None, why)."""
        number = os.path.join(self.folder, "count")
        if os.path.exists(number):
            os.remove(number)
        env = {**self.env, "LD_PRELOAD": self.library, "TILEIR_COUNT_FILE": number, "TILEIR_COUNT_LIMIT": str(int(most))}
        try:
            done = subprocess.run(argv, env=env, capture_output=True, text=True, timeout=self.limit)
        except subprocess.TimeoutExpired:
            return None, f"stopped after {self.limit} s"
        if done.returncode == 99:
            return None, f"counts more than {int(most)}"
        if done.returncode:
            return None, (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[0][:120]
        with open(number) as text:
            return dict((name, int(n)) for name, n in map(str.split, text))[count], None

    def count(self, code, text, most=FIRST_LIMIT):
        """Returns ({"blocks", "visits"}, None), or (None, why). `most` stops a compiler that counts more."""
        out = os.path.join(self.folder, "out")
        # For ours PTX suffices: ptxas takes minutes for the largest inputs.
        argv = [self.program, code, "-o", out, "--gpu-name", self.arch, "-O3"] + (["--emit=ptx"] if self.passes else [])
        blocks, why = self._run(argv, "blocks", most)
        visits = 0
        if self.passes and why is None:
            pipeline = f"builtin.module(tileir{{opt-level=3 compute-capability={self.arch}}})"
            visits, why = self._run([self.passes, text, "--pass-pipeline=" + pipeline, "-o", out], "visits", most)
        return (None, why) if why else ({"blocks": blocks, "visits": visits}, None)


class Inputs:
    """Files of the series, as bytecode and as text: one is converted to the other."""

    def __init__(self, scaling, translate, folder):
        self.scaling, self.translate, self.folder = scaling, translate, folder

    def _translate(self, how, source, target):
        if not os.path.exists(target):
            subprocess.run([self.translate, how, source, "-o", target], check=True)

    def stored(self, name):
        code, text = os.path.join(self.scaling, name + ".tileirbc"), os.path.join(self.folder, name + ".mlir")
        self._translate("--cudatilebc-to-mlir", code, text)
        return code, text

    def paths(self, series, size):
        """Returns (bytecode, text)."""
        _, source = SERIES[series]
        name = f"{series.removesuffix('-large')}.{size}"
        if not source:
            return self.stored(name)
        code, text = (os.path.join(self.folder, name + end) for end in (".tileirbc", ".mlir"))
        if not os.path.exists(text):
            with open(text, "w") as out:
                out.write(source(size))
        self._translate("--mlir-to-cudatilebc", text, code)
        return code, text


def measure(counter, inputs, series, empty):
    """Returns ([(size, counts)], why it ended early or None). An input that exceeds any bound is stopped, and larger
    ones are skipped."""
    points, most = [], FIRST_LIMIT
    for size in SERIES[series][0]:
        if points:
            before, counts = points[-1]
            most = CEILING * (size / before) ** BOUNDS.get(series, BOUND) * max(empty[c] + counts[c] for c in COUNTS)
        counts, why = counter.count(*inputs.paths(series, size), most)
        if counts is None:
            return points, f"{series}.{size}: {why}"
        points.append((size, {c: counts[c] - empty[c] for c in COUNTS}))
    return points, None


def of(points, count):
    return [(size, counts[count]) for size, counts in points]


def verdict(series, points, why):
    """Returns the text of a fault, or None: beyond the bound or rejected without being known, or known and fixed."""
    last = {c: steps(of(points, c))[-1] for c in COUNTS} if len(points) > 1 else {}
    bound = BOUNDS.get(series, BOUND)
    over = [f"exponent of {c} {e:.2f} > {bound}" for c, e in last.items() if e > bound]
    found = [why] if why else over if last else ["one size"]
    if found and series not in KNOWN:
        return f"{series}: {'; '.join(found)}"
    if not found and series in KNOWN:
        reached = ", ".join(f"{c} {e:.2f}" for c, e in last.items())
        return f"{series}: mended ({reached}); delete it from KNOWN, it was: {KNOWN[series]}"
    return None


def exponents(points, count):
    """Returns `fit last` of one count; dashes if there is none."""
    fitted, found = fit(of(points, count)), steps(of(points, count))
    return f"{fitted:5.2f} {found[-1]:5.2f}" if found else "    -     -"


def line(series, sides, counts):
    """Returns a line of the table; `sides` are (points, why) of ours and, if measured, of the closed compiler."""
    (ours, why), others = sides[0], sides[1:]
    cells = [f"  {series:10}", exponents(ours, "blocks"), exponents(ours, "visits")]
    cells += [exponents(points, "blocks") for points, _ in others]
    notes = [f"ours {why}"] if why else []
    notes += [f"closed {w}" for _, w in others if w]
    notes += [f"known: {KNOWN[series]}"] if series in KNOWN else []
    text = "  ".join(cells) + ("   " + "; ".join(notes) if notes else "")
    if counts:
        for name, (points, _) in zip(("ours", "closed"), sides):
            text += f"\n      {name}: " + ", ".join(f"{n}: {c['blocks']} blocks {c['visits']} visits" for n, c in points)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("series", nargs="*", help=f"of {' '.join(SERIES)} (default: all)")
    parser.add_argument("--ours", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--passes", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--translate", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--library", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--scaling", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--arch", default="sm_90", help="default: %(default)s")
    parser.add_argument("--test", action="store_true", help="ours alone; exit 1 where a bound or a known fault does not hold")
    parser.add_argument("--counts", action="store_true", help="print the counts, too")
    parser.add_argument("--limit", type=float, help="seconds for one compile (default: 300 with --test, else 30)")
    args = parser.parse_args()
    chosen = args.series or [s for s in SERIES if s not in ASKED]
    unknown = [s for s in chosen if s not in SERIES]
    ptxas = os.environ.get("TILEIR_PTXAS_PATH")
    if unknown or not ptxas:
        parser.error(f"no series '{unknown[0]}'" if unknown else "no ptxas: set TILEIR_PTXAS_PATH")
    closed = None if args.test else os.environ.get("TILEIR_PEER_TILEIRAS")
    faults = []
    with tempfile.TemporaryDirectory(prefix="tileir-growth-") as scratch:
        inputs = Inputs(args.scaling, args.translate, scratch)
        counters = []
        for name, program, passes in (("ours", args.ours, os.path.abspath(args.passes)), ("closed", closed, "")):
            if program:
                folder = os.path.join(scratch, name)
                os.makedirs(folder)
                counter = Counter(os.path.abspath(program), os.path.abspath(args.library), ptxas, args.arch, folder, passes,
                                  args.limit or (300 if args.test else 30))
                empty, why = counter.count(*inputs.stored("empty.1"))
                if empty is None:
                    sys.exit(f"error: {name} does not compile an empty module: {why}")
                if name == "ours" and not empty["visits"]:
                    sys.exit("error: no visit was counted: MLIR is no shared library of tileir-opt, or its names have changed")
                counters.append((counter, empty))
        print("  series      ours blocks  ours visits" + ("  closed blocks" if len(counters) > 1 else ""))
        print("               fit  last    fit  last" + ("    fit  last" if len(counters) > 1 else ""))
        for series in chosen:
            sides = [measure(counter, inputs, series, empty) for counter, empty in counters]
            print(line(series, sides, args.counts or args.test), flush=True)
            if fault := verdict(series, *sides[0]):
                faults.append(fault)
    if args.test and faults:
        print("\n".join(faults))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
