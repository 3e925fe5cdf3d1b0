#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints figures of each kernel's code on each target: ours, the closed compiler's, Triton's, and the goal.

  bazel run //test/benchmarks:perf                        all kernels and targets; writes docs/measurements/perf.{csv,md}
  bazel run //test/benchmarks:perf -- --quick             the ten kernels of the acceptance table
  bazel run //test/benchmarks:perf -- --kernels 'softmax*' --arch sm_90     those alone, nothing is written
  bazel run //test/benchmarks:perf -- --kernels 'cpp_*' --update            those alone, and their rows of perf.{csv,md}
  bazel run //test/benchmarks:perf -- --kernels gemm_bf16_128x128x64 --arch sm_90 --loops   and every loop of ours

Machine code is counted, no GPU is needed (sass.py says how). Results are kept by hash of compiler and input in
~/.cache/tileir/benchmarks, so that a second run only compiles what changed. Peers come with tools/setup/setup.sh --peers;
if one is missing its column is empty, as for kernels that Triton cannot express (triton_small.py).

Columns, ours / closed / Triton
  sass    instructions of the kernel            loop   instructions : tensor instructions of the hottest loop
  /kMAC   loop instructions per 1000 multiply-adds of a warp; tcgen05 has none, its shape is not in the code
  wait    depth of the wgmma wait in the loop   bar    barriers in the loop
  spill   bytes of spill stores and loads       regs   registers of a thread      ctas   CTAs that fit on an SM
  stages  depth of the load pipeline, swizzle   of matrices in shared memory, both by patterns of the PTX (ptx_figures.py)
  flight  KiB in flight in a block, as the emulator counts them: mean at tensor instructions that copies follow, else the peak
  cycles  of an SM per block, at full occupancy: a small launch (launches.py) in the timing model of the emulator, an estimate;
          docs/start/emulator.md lists its omissions
  goal    the bars of goals.csv that are missed; without bars: figures worse than the better peer's; "met" otherwise
"""

import argparse
import concurrent.futures
import csv
import fnmatch
import io
import operator
import os
import sys

import compilers
import emulated
import launches
import sass
import targets
import triton_peer

QUICK = (
    "gemm_bf16_128x128x64 gemm_bf16_128x256x64 attn_causal_bf16_d128_128x64 softmax_bf16_4096 rmsnorm_bf16_4096 add_f32_1024 "
    "gemm_f32_128x128x16 gemm_persistent_bf16_128x128x64 gemm_e4m3_128x128x128 atomic_extrema_i32"
).split()
# Kernels compiled by nvcc, of test/tile_cpp.
CPP = (
    "gemm_static_f16 gemm_dynamic_f16 gemm_nt_e4m3 gemm_nt_int8 gemm_grouped_f16 attention_causal_f16 attention_decode_f16 "
    "rmsnorm_f16 softmax_f16 moe_f16"
).split()
ARCHES = "sm_80,sm_90,sm_100,sm_120"
# Without the cost of compiling, which differs from run to run and is compare.py's subject.
CSV_COLUMNS = [c for c in compilers.COLUMNS if c not in ("wall_s", "cpu_s", "ptxas_s", "ptxas_cpu_s", "rss_mb")] + compilers.MORE + emulated.COLUMNS
RELATIONS = {"<=": operator.le, ">=": operator.ge}


def number(value):
    """Returns a figure as a number; None if there is none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def spill(row):
    return (row.get("spill_st") or 0) + (row.get("spill_ld") or 0)


def read_goals(path):
    """Returns {(kernel, arch): [bar, ...]} of goals.csv."""
    goals = {}
    with open(path) as text:
        for bar in csv.DictReader(text):
            goals.setdefault((bar["kernel"], bar["arch"]), []).append(bar)
    return goals


def missed_bars(row, bars):
    """Returns texts of the bars that `row` misses. A bar for one variant (`ws`) applies to it alone."""
    missed = []
    for bar in bars:
        if bar["ws"] not in ("", str(row.get("ws"))):
            continue
        found = number(row.get(bar["figure"]))
        if found is None or not RELATIONS[bar["relation"]](found, float(bar["bar"])):
            shown = "-" if found is None else row[bar["figure"]]
            missed.append(f"{bar['figure']} {shown} {bar['relation']} {bar['bar']}")
    return missed


def measure_of(row):
    """Returns (name, figure) for the comparison of two compilers' code of a kernel; smaller is better."""
    if number(row.get("issue_kmac")) is not None:
        return "/kMAC", row["issue_kmac"]
    if row.get("tensor_n"):
        return "loop", row["hot_sass"]
    return "sass", row["sass"]


def worse_than_peers(row, peers):
    """Returns texts of the figures that are worse than the better of the peers' rows."""
    missed = [f"spill {spill(row)} <= 0"] if spill(row) else []
    name, own = measure_of(row)
    others = [measure_of(p) for p in peers if p.get("ok")]
    same = [figure for n, figure in others if n == name]
    if same and own > min(same):
        missed.append(f"{name} {own} <= {min(same)}")
    elif others and not same:
        missed.append(f"{name} against the peers' {others[0][0]}: other tensor instructions")
    return missed


def goal_text(ours, peers, bars):
    if not ours["ok"]:
        return "refused" if any(p.get("ok") for p in peers) else "refused by all"
    missed = missed_bars(ours, bars) + ([] if bars else worse_than_peers(ours, peers))
    return "; ".join(missed) or "met"


def cell(figure, rows):
    """Returns `ours / closed / Triton` of one figure; "-" if a compiler has none."""
    texts = [str(figure(r)) if r and r.get("ok") else "-" for r in rows]
    return " / ".join(t if t else "-" for t in texts)


def table(rows, arch, goals):
    """Returns lines of a Markdown table of one target; the first is its caption."""
    by_kernel = {}
    for row in rows:
        if row["arch"] == arch:
            side = row["set"] if row["set"] in ("ours", "closed") else "triton"
            by_kernel.setdefault(row["kernel"], {}).setdefault(side, row)
    lines = [
        "| kernel | sass | loop | /kMAC | wait | bar | stages | swizzle | spill | regs | ctas | flight | cycles | goal |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    met = 0
    for kernel, sides in by_kernel.items():
        trio = [sides.get(s) for s in ("ours", "closed", "triton")]
        goal = goal_text(trio[0], [p for p in trio[1:] if p], goals.get((kernel, arch), []))
        met += goal == "met"
        cells = [
            " / ".join("refused" if r and not r.get("ok") else text for r, text in zip(trio, cell(lambda r: r.get("sass", ""), trio).split(" / "))),
            cell(lambda r: f"{r['hot_sass']}:{r['hot_tensor']}" if r.get("hot_sass") else "", trio),
            cell(lambda r: r.get("issue_kmac", ""), trio),
            cell(lambda r: r.get("mma_wait", ""), trio),
            cell(lambda r: r.get("hot_bar", "") if r.get("hot_sass") else "", trio),
            cell(lambda r: r.get("stages", ""), trio),
            cell(lambda r: r.get("swizzle", ""), trio),
            cell(spill, trio),
            cell(lambda r: r.get("regs", ""), trio),
            cell(lambda r: r.get("ctas_sm", ""), trio),
            cell(lambda r: f"{r['in_flight'] / 1024:.3g}" if r.get("in_flight", "") != "" else "", trio),
            cell(lambda r: r.get("model_cycles", ""), trio),
        ]
        lines.append(f"| {kernel} | " + " | ".join(cells) + f" | {goal} |")
    faster, compared = model_race(by_kernel.values())
    race = f"; {faster} of {compared} take no more model cycles than either peer" if compared else ""
    return [f"{arch}: {met} of {len(by_kernel)} kernels meet their goal{race}"] + lines


def model_race(kernels):
    """Returns (how many of ours take no more model cycles than the better peer, of how many with such figures)."""
    won = []
    for sides in kernels:
        cycles = {side: number(row.get("model_cycles")) for side, row in sides.items()}
        peers = [c for side, c in cycles.items() if side != "ours" and c is not None]
        if cycles.get("ours") is not None and peers:
            won.append(cycles["ours"] <= min(peers))
    return sum(won), len(won)


def for_terminal(lines):
    """Returns the Markdown table with columns of equal width."""
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines if not line.startswith("|---")]
    used = [n for n in range(len(cells[0])) if n == 0 or any(set(row[n]) - set("- /") for row in cells[1:])]
    widths = {n: max(len(row[n]) for row in cells) for n in used}
    return "\n".join("  ".join(row[n].ljust(widths[n]) for n in used).rstrip() for row in cells)


class Progress:
    """A progress line on a terminal; silent without a terminal."""

    def __init__(self, total, out=sys.stderr):
        self.total, self.done, self.out = total, 0, out

    def step(self, what):
        self.done += 1
        if self.out.isatty():
            self.out.write(f"\r\x1b[K[{self.done}/{self.total}] {what}")
            self.out.flush()

    def end(self):
        if self.out.isatty():
            self.out.write("\r\x1b[K")


def row_of(built, kernel, side, arch, table_of_targets, dynamic_smem=0):
    row = dict.fromkeys(CSV_COLUMNS, "")
    row.update(kernel=kernel, set=side, arch=arch, ok=built["ok"], rc=built["rc"], error=built["error"])
    if built["ok"]:
        row.update(compilers.figures(built["ptx"], built["said"], built["sass"], table_of_targets, dynamic_smem))
    return row


def measure(kernels, arches, builders, triton, jobs, emulator=None):
    """Returns rows in the order of `kernels` and `arches`, and the products of ours by (kernel, arch). A row whose
    kernel the emulator cannot run without findings has the reason in "emulator"."""
    facts = targets.find()
    work = [(k, a, b) for a in arches for k in kernels for b in builders]
    peers = triton.work([name(k) for k in kernels], arches) if triton else []
    progress = Progress(len(work) + len(peers))
    rows, products = {}, {}

    def run(kernel, arch, builder):
        built = builder.build(kernel, arch)
        progress.step(f"{arch} {name(kernel)} {builder.name}")
        if builder.name == "ours":
            products[name(kernel), arch] = built
        row = rows[arch, name(kernel), builder.name] = row_of(built, name(kernel), builder.name, arch, facts)
        if emulator and built["ok"]:
            row.update(emulator.run(builder, kernel, arch, row["ctas_sm"]))

    def run_triton(kernel, arch, config):
        built = triton.build(kernel, arch, config)
        progress.step(f"{arch} {kernel} Triton {config}")
        row = rows[arch, kernel, "triton " + config] = row_of(built, kernel, "triton " + config, arch, facts, built.get("shared", 0))
        if emulator and built["ok"]:
            row.update(emulator.run_triton(triton, kernel, arch, config, row["ctas_sm"]))

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        pending = [pool.submit(run_triton, *p) for p in peers] + [pool.submit(run, *w) for w in work]
        for each in pending:
            each.result()
    progress.end()
    order = {name(k): n for n, k in enumerate(kernels)}
    sides = {"ours": 0, "closed": 1}
    keys = sorted(rows, key=lambda k: (arches.index(k[0]), order[k[1]], sides.get(k[2], 2), k[2]))
    return [rows[k] for k in keys], products


def name(path):
    return launches.name_of(path)


def find_kernels(folders, glob, quick):
    """Returns the bytecode files in `folders`; of folders with one per kernel, those that CPP names."""
    paths = []
    for folder in map(os.path.abspath, folders):
        files = sorted(os.listdir(folder))
        paths += [os.path.join(folder, f) for f in files if f.endswith(".tileirbc")]
        paths += [os.path.join(folder, f, launches.FROM_CPP) for f in CPP if f in files]
    if quick:
        paths = sorted((p for p in paths if name(p) in QUICK), key=lambda p: QUICK.index(name(p)))
    return [p for p in paths if fnmatch.fnmatch(name(p), glob)]


def csv_text(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def value_of(text):
    """Returns a cell of a table as the number that it shows, or as text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def read_rows(path):
    """Returns the rows of a table that `csv_text` wrote."""
    with open(path, newline="") as text:
        return [{column: value_of(cell) for column, cell in row.items()} for row in csv.DictReader(text)]


def merged(table, rows, kernels, arches):
    """Returns `table` with the rows of each measured (kernel, arch) replaced by `rows`, in the order of all names
    `kernels` and of `arches`. Rows of kernels that are gone are dropped."""
    measured = {(row["kernel"], row["arch"]) for row in rows}
    kept = [row for row in table if (row["kernel"], row["arch"]) not in measured and row["kernel"] in kernels]
    order = {kernel: n for n, kernel in enumerate(kernels)}
    return sorted(kept + rows, key=lambda row: (arches.index(row["arch"]), order[row["kernel"]]))


def page(rows, arches, goals):
    """Returns docs/measurements/perf.md."""
    lines = [
        "# Code of every kernel on every target",
        "",
        "Written by `bazel run //test/benchmarks:perf`. All figures are counts of the machine code, never times. A cell has ours /",
        "closed tileiras 13.5.37 / Triton 3.9.0, all assembled by ptxas 13.5.37. \"-\" stands for a refused kernel, a kernel that a",
        "compiler does not have, or a figure that does not apply. `bazel run //test/benchmarks:perf -- --help` explains the",
        "columns and the goal. `perf.csv` has all columns.",
    ]
    for arch in arches:
        found = table(rows, arch, goals)
        lines += ["", f"## {arch}", "", found[0] + ".", ""] + found[1:]
    return "\n".join(lines) + "\n"


def print_loops(products, table_of_targets):
    for (kernel, arch), built in products.items():
        found = sass.kernels(built["sass"], table_of_targets)
        rows = [r for k in found for r in k.loop_rows() if not sass.is_retry(r)]
        print(f"\n{kernel} {arch}: loops of ours")
        if rows:
            sass.print_table(sass.LOOP_COLUMNS[2:], rows, sys.stdout)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--folders", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--docs", help=argparse.SUPPRESS)
    parser.add_argument("--emulator", help=argparse.SUPPRESS)
    parser.add_argument("--cases", help=argparse.SUPPRESS)
    parser.add_argument("--kernels", default="*", metavar="GLOB", help="names of kernels (default: all)")
    parser.add_argument("--arch", default=ARCHES, help="targets, comma separated (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="the ten kernels of the acceptance table")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at once (default: %(default)s)")
    parser.add_argument("--loops", action="store_true", help="print every loop of our code, too")
    parser.add_argument("--csv", help="write the rows here")
    parser.add_argument("--no-peers", action="store_true", help="ours alone")
    parser.add_argument("--update", action="store_true", help="replace the rows of the chosen kernels in docs/measurements")
    return parser


def main():
    parser = options()
    args = parser.parse_args()
    ptxas = compilers.find_tool("TILEIR_PTXAS_PATH", None) or parser.error("no ptxas: set TILEIR_PTXAS_PATH")
    nvdisasm = compilers.find_tool("TILEIR_PEER_NVDISASM", None)
    if not nvdisasm:
        parser.error("no nvdisasm: tools/setup/setup.sh --peers installs it, TILEIR_PEER_NVDISASM names it")
    args.ours = os.path.abspath(args.ours)
    kernels = find_kernels(args.folders.split(","), args.kernels, args.quick)
    if not kernels:
        parser.error(f"no kernel is called '{args.kernels}'")
    store = compilers.Store()
    store.forget()
    builders = [compilers.Builder("ours", args.ours, ptxas, nvdisasm, store)]
    closed = None if args.no_peers else compilers.find_tool("TILEIR_PEER_TILEIRAS", None)
    triton = None if args.no_peers else triton_peer.find(ptxas, nvdisasm, store)
    if closed:
        builders.append(compilers.Builder("closed", closed, ptxas, nvdisasm, store))
    for there, what in ((closed, "the closed tileiras"), (triton, "Triton")):
        if not there and not args.no_peers:
            print(f"{what} is not installed (tools/setup/setup.sh --peers): its column is empty", file=sys.stderr)
    if args.update and not (args.docs and closed and triton):
        parser.error("--update needs both peers and `bazel run`")
    arches = args.arch.split(",")
    goals = read_goals(os.path.join(os.path.dirname(os.path.abspath(__file__)), "goals.csv"))
    emulator = emulated.Emulator(os.path.abspath(args.emulator), args.cases, store) if args.emulator else None
    rows, products = measure(kernels, arches, builders, triton, args.jobs, emulator)
    for arch in arches:
        found = table(rows, arch, goals)
        print(f"\n{found[0]}\n{for_terminal(found[1:])}")
    for row in rows:
        if row.get("emulator"):
            print(f"{row['kernel']} {row['arch']} {row['set']}: the emulator: {row['emulator']}", file=sys.stderr)
    if args.loops:
        print_loops(products, targets.find())
    if args.csv:
        compilers.write_rows(args.csv, csv_text(rows))
    is_whole = args.kernels == "*" and not args.quick and args.arch == ARCHES
    if args.update or (args.docs and is_whole and closed and triton):
        if not is_whole:
            names = [name(k) for k in find_kernels(args.folders.split(","), "*", False)]
            rows = merged(read_rows(os.path.join(args.docs, "perf.csv")), rows, names, ARCHES.split(","))
        compilers.write_rows(os.path.join(args.docs, "perf.csv"), csv_text(rows))
        compilers.write_rows(os.path.join(args.docs, "perf.md"), page(rows, ARCHES.split(","), goals))
        print(f"wrote perf.csv and perf.md in {args.docs}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
