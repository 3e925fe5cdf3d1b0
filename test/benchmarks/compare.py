#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles kernels with our tileiras and with the closed one, alternating, and compares cost and product.

Each kernel and target is compiled by both compilers alternately (A B A B ...), so that a drift of the machine hits
both. CPU seconds and peak memory are the operating system's account of the finished process with its children; a
wrapper around ptxas measures its share. Registers and spills are from `ptxas -v`; counts of the machine code (see
sass.py) need nvdisasm. Bytes in flight and model cycles are the emulator's (perf.py).

The CSV has one row per compiler, kernel and target. Columns that nothing here measures stay empty.
"""

import argparse
import csv
import math
import os
import re
import shutil
import statistics
import sys
import tempfile

import compilers
import emulated
import machine_code
import targets
from compilers import COLUMNS as COMPILED

COLUMNS = COMPILED + emulated.COLUMNS


def geomean(values):
    values = [v for v in values if v > 0]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def measure(sides, kernels, arches, level, runs, nvdisasm, limit, progress, emulate=None):
    """Returns rows of the CSV, medians over `runs`, alternating compilers. `emulate(name, kernel, arch, CTAs)` gives
    further columns."""
    rows, table = [], targets.find()
    for kernel in kernels:
        for arch in arches:
            samples = {c.name: [] for c in sides}
            for _ in range(runs):
                for c in sides:
                    samples[c.name].append(c.compile(kernel, arch, level, limit))
            for c in sides:
                last = samples[c.name][-1]
                row = dict.fromkeys(COLUMNS, "")
                row.update(kernel=os.path.basename(kernel).removesuffix(".tileirbc"), set=c.name, arch=arch)
                row.update({k: last[k] for k in ("ok", "rc", "error")})
                for figure, digits in (("wall_s", 4), ("cpu_s", 4), ("ptxas_s", 4), ("ptxas_cpu_s", 4), ("rss_mb", 1)):
                    row[figure] = round(statistics.median(s[figure] for s in samples[c.name]), digits)
                if last["ok"]:
                    sass = machine_code.disassemble(nvdisasm, c.out) if nvdisasm else ""
                    found = compilers.figures(compilers.text_of(c.ptx), compilers.text_of(c.said), sass, table)
                    row.update({k: v for k, v in found.items() if k in COLUMNS})
                    if emulate:
                        row.update({k: v for k, v in emulate(c.name, kernel, arch, row["ctas_sm"]).items() if k in COLUMNS})
                rows.append(row)
                if progress:
                    print(f"{row['kernel']:32} {arch:7} {c.name:7} "
                          + (f"cpu {row['cpu_s']:.3f} front {row['cpu_s'] - row['ptxas_cpu_s']:.3f} MB {row['rss_mb']:.0f} "
                             f"regs {row['regs']} spill {row['spill_st']} smem {row['smem']} sass {row['sass']} "
                             f"tensor {row['tensor_n']}" if row["ok"] else f"rc {row['rc']} {row['error']}"), flush=True)
    return rows


def summary(rows, first, second):
    """Returns geometric means of first/second over the kernels and targets that both compile."""
    by_key = {(r["kernel"], r["arch"], r["set"]): r for r in rows}
    lines = []
    for arch in sorted({r["arch"] for r in rows}):
        pairs = [(by_key[(k, a, first)], by_key.get((k, a, second))) for (k, a, s) in by_key if s == first and a == arch]
        both = [(x, y) for x, y in pairs if y and x["ok"] and y["ok"]]
        lines.append(f"{arch}: {sum(x['ok'] for x, _ in pairs)} of {len(pairs)} by {first}, "
                     f"{sum(y['ok'] for _, y in pairs if y)} by {second}, {len(both)} by both")
        if not both:
            continue
        figures = {
            "cpu": lambda r: r["cpu_s"],
            "cpu without ptxas": lambda r: r["cpu_s"] - r["ptxas_cpu_s"],
            "peak memory": lambda r: r["rss_mb"],
            "registers": lambda r: r["regs"] or 0,
            "machine instructions": lambda r: r["sass"] or 0,
        }
        ratios = []
        for name, figure in figures.items():
            usable = [(figure(x), figure(y)) for x, y in both if figure(x) > 0 and figure(y) > 0]
            if usable:
                ratios.append(f"{name} {geomean([a / b for a, b in usable]):.2f}")
        lines.append(f"  {first}/{second}, geometric mean: " + ", ".join(ratios))
        totals = {c: (sum(p[i]["spill_st"] or 0 for p in both), sum(p[i]["tensor_n"] or 0 for p in both))
                  for i, c in enumerate((first, second))}
        lines.append("  " + ", ".join(f"{c}: {s} bytes of spill stores, {t} tensor instructions" for c, (s, t) in totals.items()))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, help="our tileiras")
    parser.add_argument("--theirs", default=os.environ.get("TILEIR_PEER_TILEIRAS"),
                        help="the closed tileiras (default: TILEIR_PEER_TILEIRAS; left out when absent)")
    parser.add_argument("--ptxas", default=os.environ.get("TILEIR_PTXAS_PATH"), help="ptxas for both (default: TILEIR_PTXAS_PATH)")
    parser.add_argument("--nvdisasm", default=os.environ.get("TILEIR_PEER_NVDISASM"), help="for what is counted in machine code (default: TILEIR_PEER_NVDISASM)")
    parser.add_argument("--emulator", help="tileir-run, for bytes in flight and model cycles of -O3")
    parser.add_argument("--cases", help="folder of cases of the kernels")
    parser.add_argument("--kernels", required=True, help="folder of .tileirbc files")
    parser.add_argument("--filter", default="", help="regular expression on file names")
    parser.add_argument("--arch", default="sm_80,sm_90,sm_100,sm_120", help="targets, comma separated (default: %(default)s)")
    parser.add_argument("--opt-level", type=int, default=3, choices=range(4))
    parser.add_argument("--runs", type=int, default=3, help="compiles of each kernel by each compiler (default: %(default)s)")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one compile (default: %(default)s)")
    parser.add_argument("--csv", help="write the rows here")
    parser.add_argument("--directory", default=".", help="what relative paths are relative to")
    parser.add_argument("--quiet", action="store_true", help="print only the summary")
    args = parser.parse_args()

    def path(p):
        return os.path.abspath(os.path.join(args.directory, p))

    if not args.ptxas or not os.access(args.ptxas, os.X_OK):
        parser.error("no ptxas: set TILEIR_PTXAS_PATH or pass --ptxas")
    folder = path(args.kernels)
    kernels = sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(".tileirbc") and re.search(args.filter, f))
    if not kernels:
        parser.error(f"no .tileirbc file in '{folder}' matches '{args.filter}'")
    nvdisasm = args.nvdisasm if args.nvdisasm and os.access(args.nvdisasm, os.X_OK) else None
    with tempfile.TemporaryDirectory(prefix="tileir-compare-") as scratch:
        sides = [compilers.Compiler("ours", path(args.ours), args.ptxas, os.path.join(scratch, "ours"), closed=False)]
        if args.theirs and os.access(args.theirs, os.X_OK):
            sides.append(compilers.Compiler("closed", path(args.theirs), args.ptxas, os.path.join(scratch, "closed"), closed=True))
        else:
            print("the closed tileiras is not installed (tools/setup/setup.sh --peers): ours alone", file=sys.stderr)
        emulate = None
        if args.emulator and args.opt_level == 3:
            store = compilers.Store()
            emulator = emulated.Emulator(path(args.emulator), args.cases, store)
            builders = {c.name: compilers.Builder(c.name, c.program, args.ptxas, nvdisasm, store) for c in sides}

            def emulate(name, *launch):
                return emulator.run(builders[name], *launch)

        rows = measure(sides, kernels, args.arch.split(","), args.opt_level, args.runs, nvdisasm, args.timeout, not args.quiet, emulate)
    if args.csv:
        target = path(args.csv)
        with open(target + ".part", "w", newline="") as out:
            writer = csv.DictWriter(out, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
        shutil.move(target + ".part", target)
    print(summary(rows, "ours", "closed"))
    return 0 if all(r["ok"] for r in rows if r["set"] == "ours") else 1


if __name__ == "__main__":
    sys.exit(main())
