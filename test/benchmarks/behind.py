#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the kernels and targets whose code from us costs more than the closed compiler's, and lets the list only get
shorter.

  bazel run //test/benchmarks:behind                       what is behind; exit 1 if it is not in behind.csv or further than there
  bazel run //test/benchmarks:behind -- --update           drops rows that are no longer behind, and takes smaller ratios
  bazel run //test/benchmarks:behind -- --admit --reason 'why' --kernels K --arch sm_90
                                                           takes those rows as they are; the reason stays in the table
  bazel run //test/benchmarks:behind -- --add DIR          kernels of another folder of bytecode, too; they are only printed

`figure` is the compared quantity: `cycles`, an SM's cycles for one block in the emulator's timing model; without a
launch for the emulator `loop`, instructions of the hottest loop for the same multiply-adds, or `sass`, instructions of
the kernel; `spill`, bytes, if the closed compiler's code has none. A kernel is behind from 1.05 on, at any spill, or if
only our compiler rejects it.
"""

import argparse
import csv
import io
import os
import sys

import compilers
import emulated
import perf

COLUMNS = "kernel arch figure ours closed ratio reason".split()
HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 1.05
SLACK = 1.02  # the order of warps moves cycles


def figures(row):
    """Returns [(name, figure)] of a measured row for the comparison: the first figure that both have."""
    name, value = perf.measure_of(row)
    return [("cycles", perf.number(row.get("model_cycles"))), ("loop" if name != "sass" else name, perf.number(value))]


def behind(ours, closed):
    """Returns the rows of the list for one kernel and target."""
    where = {"kernel": ours["kernel"], "arch": ours["arch"], "reason": ""}
    if not closed["ok"]:
        return []
    if not ours["ok"]:
        return [{**where, "figure": "refused", "ours": "", "closed": "", "ratio": ""}]
    found = []
    if perf.spill(ours) and not perf.spill(closed):
        found.append({**where, "figure": "spill", "ours": str(perf.spill(ours)), "closed": "0", "ratio": ""})
    theirs = dict(figures(closed))
    for name, own in figures(ours):
        other = theirs.get(name)
        if not own or not other:
            continue
        if own > LIMIT * other:
            found.append({**where, "figure": name, "ours": f"{own:g}", "closed": f"{other:g}", "ratio": f"{own / other:.2f}"})
        break
    return found


def key(row):
    return row["kernel"], row["arch"], row["figure"]


def is_further(row, known):
    """Returns whether a row is further behind than the table says."""
    if row["figure"] == "spill":
        return int(row["ours"]) > int(known["ours"])
    return row["ratio"] != "" and float(row["ratio"]) > SLACK * float(known["ratio"])


def compare(found, table):
    """Returns texts of the rows that the table does not cover."""
    known = {key(r): r for r in table}
    texts = []
    for row in found:
        was = known.get(key(row))
        if not was:
            texts.append(f"{line(row)}: new")
        elif is_further(row, was):
            texts.append(f"{line(row)}: {was['ratio'] or was['ours']} before")
    return texts


def rewritten(found, table, measured, reason=""):
    """Returns the table after --update, or with a reason --admit; `measured` are the compared (kernel, arch)."""
    known = {key(r): r for r in table}
    rows = [r for r in table if (r["kernel"], r["arch"]) not in measured]
    for row in found:
        was = known.get(key(row))
        if reason and (not was or is_further(row, was)):
            rows.append({**row, "reason": reason})
        elif was:
            rows.append(was if is_further(row, was) else {**row, "reason": was["reason"]})
    return sorted(rows, key=key)


def line(row):
    ratio = f", {row['ratio']} times" if row["ratio"] else ""
    figures_text = f" {row['ours']}, closed {row['closed']}" if row["ours"] else ""
    return f"{row['kernel']} {row['arch']}: {row['figure']}{figures_text}{ratio}"


def read_table(path):
    with open(path, newline="") as text:
        return list(csv.DictReader(text))


def table_text(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--folders", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--emulator", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--cases", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--table", default=os.path.join(HERE, "behind.csv"), help="default: behind.csv beside this file")
    parser.add_argument("--add", action="append", default=[], metavar="DIR", help="another folder of bytecode")
    parser.add_argument("--kernels", default="*", metavar="GLOB", help="names of kernels (default: all)")
    parser.add_argument("--arch", default=perf.ARCHES, help="targets, comma separated (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at once (default: %(default)s)")
    parser.add_argument("--update", action="store_true", help="rewrite what got better")
    parser.add_argument("--admit", action="store_true", help="take the chosen rows as they are; needs --reason")
    parser.add_argument("--reason", default="", help="why code is behind; it stays in the table")
    return parser


def main():
    parser = options()
    args = parser.parse_args()
    if args.admit != bool(args.reason.strip()):
        parser.error("--admit and --reason go together")
    tools = {}
    for variable in ("TILEIR_PTXAS_PATH", "TILEIR_PEER_NVDISASM", "TILEIR_PEER_TILEIRAS"):
        tools[variable] = compilers.find_tool(variable, None) or parser.error(f"set {variable}: tools/setup/setup.sh --peers installs it")
    ptxas, nvdisasm, closed = tools.values()
    own, added = perf.find_kernels(args.folders.split(","), args.kernels, False), perf.find_kernels(args.add, args.kernels, False)
    if not own + added:
        parser.error(f"no kernel is called '{args.kernels}'")
    store = compilers.Store(os.environ.get("TEST_TMPDIR"))
    store.forget()
    builders = [compilers.Builder("ours", os.path.abspath(args.ours), ptxas, nvdisasm, store), compilers.Builder("closed", closed, ptxas, nvdisasm, store)]
    emulator = emulated.Emulator(os.path.abspath(args.emulator), args.cases, store)
    rows, _ = perf.measure(own + added, args.arch.split(","), builders, None, args.jobs, emulator)
    sides = {}
    for row in rows:
        sides.setdefault((row["kernel"], row["arch"]), {})[row["set"]] = row
    found = [r for pair in sides.values() for r in behind(pair["ours"], pair["closed"])]
    names = {perf.name(k) for k in own}
    counted = [r for r in found if r["kernel"] in names]
    for row in sorted(found, key=lambda r: -float(r["ratio"] or "inf")):
        print(line(row) + ("" if row in counted else " (not in the table)"))
    table = read_table(args.table)
    if args.update or args.admit:
        measured = {pair for pair in sides if pair[0] in names}
        table = rewritten(counted, table, measured, args.reason.strip())
        compilers.write_rows(os.path.realpath(args.table), table_text(table))
    bad = compare(counted, table)
    print("\n".join(bad))
    print(f"{len(sides)} pairs: {len({r[:2] for r in map(key, found)})} behind, {len(bad)} figures worse than the table")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
