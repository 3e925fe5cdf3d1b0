#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the share of the tensor cores' peak in the steady state of loops, in the timing model of the emulator: ours beside Triton's.

  bazel run //test/benchmarks:steady                        prints the table, writes docs/measurements/steady.md
  bazel run //test/benchmarks:steady -- --kernels 'attn*'   those alone, nothing is written

Each kernel is launched with fewer and with more iterations, as many blocks on an SM as its registers and shared memory allow.
The time difference is the steady state: prologue, epilogue and masked ends are in both. docs/start/emulator.md lists the
omissions of the model. Exit status 1: a share is below its bar, or below the value that steady.csv holds instead; or below
Triton's, without a note that explains it.
"""

import argparse
import concurrent.futures
import csv
import fnmatch
import os
import sys

import compilers
import emulated
import perf
import targets
import triton_peer

TRIPS = 8, 16
HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = "kernel arch bar held note".split()


def get_share(short, long):
    """Returns the share of the peak in the part that `long` has beyond `short`: figures of emulated.figures_of. None if
    one has none."""
    if not all("model_cycles" in figures for figures in (short, long)):
        return None
    cycles = long["model_cycles"] - short["model_cycles"]
    busy = [figures["tensor_share"] * figures["model_cycles"] for figures in (short, long)]
    return round((busy[1] - busy[0]) / cycles, 3) if cycles > 0 else None


def read_rows(path):
    with open(path, newline="") as text:
        return list(csv.DictReader(text))


def measure(row, folder, builders, triton, emulators):
    """Returns {side: share} of a row of steady.csv; a text if the emulator does not run it."""
    kernel, arch = os.path.join(folder, row["kernel"] + ".tileirbc"), row["arch"]
    facts = targets.find()
    shares = {}

    def add(side, built, run, dynamic=0):
        if not built["ok"]:
            shares[side] = "refused"
            return
        ctas = perf.row_of(built, row["kernel"], side, arch, facts, dynamic)["ctas_sm"]
        found = [run(emulator, ctas) for emulator in emulators]
        share = get_share(*found)
        shares[side] = share if share is not None else next((f["emulator"] for f in found if "emulator" in f), "no figures")

    for builder in builders:
        add(builder.name, builder.build(kernel, arch), lambda emulator, ctas, b=builder: emulator.run(b, kernel, arch, ctas))
    for _, _, config in triton.work([row["kernel"]], [arch]) if triton else []:
        built = triton.build(row["kernel"], arch, config)
        add("triton", built, lambda emulator, ctas, c=config: emulator.run_triton(triton, row["kernel"], arch, c, ctas), built.get("shared", 0))
    return shares


def find_faults(row, shares):
    """Returns texts of figures below the row's. `bar` is the goal, `held` the reached figure that is kept instead,
    below or above the goal."""
    ours, least = shares.get("ours"), float(row["held"] or row["bar"])
    where = f"{row['kernel']} {row['arch']}"
    if not isinstance(ours, float):
        return [f"{where}: {ours}"]
    faults = [f"{where}: {ours:.3f} of the peak, {least} is held"] if ours < least else []
    peer = shares.get("triton")
    if isinstance(peer, float) and ours < peer and not row["note"]:
        faults.append(f"{where}: {ours:.3f} of the peak, Triton's code {peer:.3f}")
    return faults


def percent(share):
    return f"{100 * share:.1f} %" if isinstance(share, float) else str(share or "-")


def table(measured):
    lines = ["| kernel | target | ours | Triton | bar | |", "|---|---|---|---|---|---|"]
    for row, shares in measured:
        ours = shares.get("ours")
        met = "met" if isinstance(ours, float) and ours >= float(row["bar"]) else "missed"
        lines.append(f"| {row['kernel']} | {row['arch']} | {percent(ours)} | {percent(shares.get('triton'))} | "
                     f"{100 * float(row['bar']):g} %, {met} | {row['note']} |")
    return lines


def page(measured):
    """Returns docs/measurements/steady.md."""
    return "\n".join([
        "# Share of the tensor cores' peak in the steady state",
        "",
        "Written by `bazel run //test/benchmarks:steady`: estimates of the emulator's timing model, never times of a GPU.",
        f"The steady state is the difference between a launch of {TRIPS[1]} iterations and one of {TRIPS[0]}. Ours and Triton 3.9.0's kernels run",
        "in the same model, with as many CTAs on an SM as fit. The bar is the goal of the project for each kernel.",
        "", *table(measured)]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--ours", "--emulator", "--folder"):
        parser.add_argument(option, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--docs", help=argparse.SUPPRESS)
    parser.add_argument("--kernels", default="*", metavar="GLOB")
    parser.add_argument("--no-peers", action="store_true", help="ours alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="kernels at once (default: %(default)s)")
    args = parser.parse_args()
    ptxas = compilers.find_tool("TILEIR_PTXAS_PATH", None) or parser.error("no ptxas: set TILEIR_PTXAS_PATH")
    nvdisasm = compilers.find_tool("TILEIR_PEER_NVDISASM", None)
    store = compilers.Store(os.environ.get("TEST_TMPDIR"))
    builders = [compilers.Builder("ours", os.path.abspath(args.ours), ptxas, nvdisasm, store)]
    triton = None if args.no_peers or not nvdisasm else triton_peer.find(ptxas, nvdisasm, store)
    emulators = [emulated.Emulator(os.path.abspath(args.emulator), None, store, trips=trips) for trips in TRIPS]
    rows = [row for row in read_rows(os.path.join(HERE, "steady.csv")) if fnmatch.fnmatch(row["kernel"], args.kernels)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        measured = list(zip(rows, pool.map(lambda row: measure(row, args.folder, builders, triton, emulators), rows)))
    print("\n".join(table(measured)))
    if args.docs and args.kernels == "*" and triton:
        compilers.write_rows(os.path.join(args.docs, "steady.md"), page(measured))
    faults = [text for row, shares in measured for text in find_faults(row, shares)]
    print("\n".join(faults))
    return 1 if faults or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
