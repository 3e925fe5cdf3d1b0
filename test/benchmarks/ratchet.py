#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prevents regressions of our code: compares the figures of each kernel and target with their row of limits.csv.

  bazel run //test/benchmarks:ratchet                      prints figures that got worse; exit 1 if there are any
  bazel run //test/benchmarks:ratchet -- --update          rewrites the rows that got better and adds those that are missing
  bazel run //test/benchmarks:ratchet -- --loosen --reason 'why' --kernels K --arch sm_90
                                                           takes today's figures of those rows, worse ones too

Figures of a row, "<=" unless said otherwise; an empty one binds nothing
  kind        tensor instruction of the hottest loop: none < mma < wgmma < tcgen05; another kind is never below the row's
  per_tensor  instructions of the hottest loop per tensor instruction (where the kind is the row's)
  sass        instructions of the kernel, where no loop has tensor instructions
  wait        >= depth of the wgmma wait, else of the cp.async wait, in the loop (where the kind is the row's)
  bars        barriers of one trip of the loop         spill   bytes of spill stores and loads
  regs        registers of a thread                    in_flight   >= bytes in flight in a block, counted by the emulator: mean
              at tensor instructions that a copy follows, else the peak; the order of warps moves it, so that a tenth less passes
A kernel that is refused has the kind "refused". A figure that was loosened reads `limit(best)`, a wait that is gone
`-(best)`, and its row has a reason.
`seal` is a checksum of the row: rows are written by this program alone, so that none gets looser without a reason.
Without nvdisasm only spill and regs are known; the rest is then not compared.
"""

import argparse
import csv
import io
import os
import re
import sys
import zlib

import compilers
import emulated
import perf

COLUMNS = "kernel arch kind per_tensor sass wait bars spill regs in_flight reason seal".split()
FIGURES = {"per_tensor": "<=", "sass": "<=", "wait": ">=", "bars": "<=", "spill": "<=", "regs": "<=", "in_flight": ">="}
SLACK = {"in_flight": 0.1}
OF_KIND = ("per_tensor", "wait")  # these say nothing about another kind of instruction
KINDS = ["refused", "none", "mma", "wgmma", "tcgen05"]
HERE = os.path.dirname(os.path.abspath(__file__))


def kind_of(row):
    """Returns the kind of the tensor instructions; "" without machine code."""
    if not row["ok"]:
        return "refused"
    if row["sass"] == "":
        return ""
    names = row["tensor"]
    return "tcgen05" if "UTC" in names else "wgmma" if "GMMA" in names else "mma" if names else "none"


def figures_of(row):
    """Returns the figures of a measured row by column of the table; "" if missing."""
    found = dict.fromkeys(COLUMNS, "")
    found.update(kernel=row["kernel"], arch=row["arch"], kind=kind_of(row))
    if not row["ok"]:
        return found
    found["emulator"] = row.get("emulator", "")
    found.update(spill=perf.spill(row), regs=row["regs"], in_flight=row.get("in_flight", ""))
    if row["sass"] == "":
        return found
    if row["hot_tensor"]:
        found["per_tensor"] = round(row["hot_sass"] / row["hot_tensor"], 3)
        found["wait"] = row["mma_wait"] if row["mma_wait"] != "" else row["cp_wait"]
    else:
        found["sass"] = row["sass"]
    found["bars"] = row["hot_bar"] if row["hot_sass"] else ""
    return found


def limit_and_best(cell):
    """Parses `12` as (12, 12), `12(9)` as (12, 9), "" as (None, None)."""
    parts = re.fullmatch(r"([\d.]+)(?:\(([\d.]+)\))?", cell)
    if not parts:
        return None, None
    return float(parts.group(1)), float(parts.group(2) or parts.group(1))


def holds(name, value, bound):
    """Returns whether a figure is no worse than its bound."""
    slack = SLACK.get(name, 0) * bound
    return perf.RELATIONS[FIGURES[name]](float(value), bound - slack if FIGURES[name] == ">=" else bound + slack)


def gains(name, value, bound):
    """Returns whether a figure is better than its bound beyond noise."""
    return not perf.RELATIONS[{"<=": ">=", ">=": "<="}[FIGURES[name]]](float(value), bound * (1 + SLACK.get(name, 0)))


def show(value):
    return f"{value:g}" if isinstance(value, float) else str(value)


def rank(kind):
    return KINDS.index(kind) if kind in KINDS else -1


def worse(found, limit):
    """Returns texts of the figures that are worse than their limit."""
    texts = []
    if found["kind"] and rank(found["kind"]) < rank(limit["kind"]):
        texts.append(f"kind {found['kind']}, limit {limit['kind']}")
    if found["kind"] == "refused":
        return texts
    for name in FIGURES:
        bound, _ = limit_and_best(limit[name])
        if bound is None or found[name] == "" or (name in OF_KIND and found["kind"] != limit["kind"]):
            # A loop that lost its wait is worse, although it has no figure.
            if not (name == "wait" and bound is not None and found["kind"] == limit["kind"] and found["per_tensor"] != ""):
                continue
            texts.append(f"wait -, limit {show(bound)}")
        elif not holds(name, found[name], bound):
            texts.append(f"{name} {found[name]}, limit {show(bound)}")
    return texts


def tightened(found, limit):
    """Returns the row with every improved figure; unchanged cells keep their text. A better kind replaces the loop's
    figures."""
    row = dict(limit)
    if rank(found["kind"]) > rank(limit["kind"]):
        row["kind"] = found["kind"]
        row.update({name: show(found[name]) for name in FIGURES if name in OF_KIND or limit["kind"] == "refused"})
        if found["per_tensor"] != "":
            row["sass"] = ""
    for name, relation in FIGURES.items():
        bound, best = limit_and_best(row[name])
        if found[name] == "" or (name in OF_KIND and found["kind"] != row["kind"]):
            continue
        if bound is None:
            row[name] = show(found[name])
        elif gains(name, found[name], bound):
            reached = perf.RELATIONS[relation](float(found[name]), best)
            row[name] = show(found[name]) if reached else f"{show(found[name])}({show(best)})"
    if not any("(" in row[name] for name in FIGURES):
        row["reason"] = ""
    return row


def loosened(found, limit, reason):
    """Returns the row with today's figures; better former figures stay in parentheses."""
    row = dict(limit, kind=found["kind"], reason=reason)
    for name, relation in FIGURES.items():
        bound, best = limit_and_best(limit[name])
        if found[name] == "":
            # A loop that waits on mbarriers has no depth: the row keeps the former one.
            if name == "wait" and best is not None and found["per_tensor"] != "":
                row[name] = f"-({show(best)})"
            continue
        value = show(found[name])
        same_kind = name not in OF_KIND or found["kind"] == limit["kind"]
        better = bound is None or not same_kind or perf.RELATIONS[relation](float(found[name]), best)
        row[name] = value if better else f"{value}({show(best)})"
    return row


def seal(row):
    """Returns a checksum of the cells."""
    return f"{zlib.crc32(chr(0).join(row[c] for c in COLUMNS if c != 'seal').encode()):08x}"


def faults(rows):
    """Returns faults of the table itself."""
    texts = []
    for row in rows:
        where = f"{row['kernel']} {row['arch']}"
        if row["seal"] != seal(row):
            texts.append(f"{where}: the row was edited by hand; ratchet --update or --loosen --reason writes rows")
        if any("(" in row[name] for name in FIGURES) and not row["reason"].strip():
            texts.append(f"{where}: loosened without a reason")
    return texts


def read_table(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="") as text:
        return list(csv.DictReader(text))


def table_text(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in sorted(rows, key=lambda r: (r["kernel"], perf.ARCHES.split(",").index(r["arch"]))):
        writer.writerow({**row, "seal": seal(row)})
    return out.getvalue()


def compare(found, rows):
    """Returns texts of figures that got worse, have no row, and got better."""
    limits = {(r["kernel"], r["arch"]): r for r in rows}
    bad, missing, better = [], [], []
    for f in found:
        limit = limits.get((f["kernel"], f["arch"]))
        where = f"{f['kernel']} {f['arch']}"
        if not limit:
            missing.append(f"{where}: no row; ratchet --update adds it")
            continue
        bad += [f"{where}: {text}" for text in worse(f, limit)]
        if f.get("emulator"):
            bad.append(f"{where}: the emulator: {f['emulator']}")
        if f["kind"] and {**tightened(f, limit), "reason": ""} != {**limit, "reason": ""}:
            better.append(f"{where}: better than its row")
    return bad, missing, better


def rewritten(found, rows, loosen, reason):
    """Returns the rows after --update or --loosen."""
    by_key = {(r["kernel"], r["arch"]): r for r in rows}
    for f in found:
        key = f["kernel"], f["arch"]
        old = by_key.get(key)
        if old is None:
            by_key[key] = {c: show(f[c]) for c in COLUMNS}
        else:
            by_key[key] = loosened(f, old, reason) if loosen and worse(f, old) else tightened(f, old)
    return list(by_key.values())


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--folders", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--emulator", help=argparse.SUPPRESS)
    parser.add_argument("--cases", help=argparse.SUPPRESS)
    parser.add_argument("--table", default=os.path.join(HERE, "limits.csv"), help="default: limits.csv beside this file")
    parser.add_argument("--kernels", default="*", metavar="GLOB")
    parser.add_argument("--arch", default=perf.ARCHES, help="targets, comma separated (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="the ten kernels of perf.py --quick")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at once (default: %(default)s)")
    parser.add_argument("--update", action="store_true", help="rewrite what got better, add what is missing")
    parser.add_argument("--loosen", action="store_true", help="take today's figures of the chosen rows; needs --reason")
    parser.add_argument("--reason", default="", help="why the rows get looser; it stays in the table")
    parser.add_argument("--machine-code", action="store_true", help="fail without nvdisasm")
    return parser


def main():
    parser = options()
    args = parser.parse_args()
    if args.loosen and not args.reason.strip():
        parser.error("--loosen needs --reason")
    ptxas = compilers.find_tool("TILEIR_PTXAS_PATH", None) or parser.error("no ptxas: set TILEIR_PTXAS_PATH")
    nvdisasm = compilers.find_tool("TILEIR_PEER_NVDISASM", None)
    if not nvdisasm and (args.machine_code or args.update or args.loosen):
        parser.error("no nvdisasm: tools/setup/setup.sh --peers installs it, TILEIR_PEER_NVDISASM names it")
    kernels = perf.find_kernels(args.folders.split(","), args.kernels, args.quick)
    if not kernels:
        parser.error(f"no kernel is called '{args.kernels}'")
    store = compilers.Store(os.environ.get("TEST_TMPDIR"))
    builders = [compilers.Builder("ours", os.path.abspath(args.ours), ptxas, nvdisasm, store)]
    emulator = emulated.Emulator(os.path.abspath(args.emulator), args.cases, store) if args.emulator else None
    measured, _ = perf.measure(kernels, args.arch.split(","), builders, None, args.jobs, emulator)
    found = [figures_of(r) for r in measured]
    rows = read_table(args.table)
    broken = faults(rows)
    if args.update or args.loosen:
        if broken:
            sys.exit("\n".join(broken))
        compilers.write_rows(os.path.realpath(args.table), table_text(rewritten(found, rows, args.loosen, args.reason)))
        rows = read_table(args.table)
    bad, missing, better = compare(found, rows)
    print("\n".join(broken + bad + missing + better))
    what = "all figures" if nvdisasm else "spills and registers (no nvdisasm)"
    print(f"{len(found)} rows, {what}: {len(bad)} figures worse, {len(missing)} rows missing, {len(better)} rows better")
    return 1 if bad or missing or broken else 0


if __name__ == "__main__":
    sys.exit(main())
