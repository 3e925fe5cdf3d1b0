#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles kernels with our tileiras and with the closed one, in turn, and compares cost and product.

Each kernel and target is compiled by both compilers alternately (A B A B ...), so that a drift of the machine
hits both. CPU seconds and peak memory are the operating system's account of the finished process with its
children; the share of ptxas is measured by a wrapper around it, which also keeps the PTX. Registers, spills and
shared memory are what `ptxas -v` says of that PTX; tensor instructions are counted in the PTX, and the machine
instructions (column sass) with nvdisasm where it is installed.

The CSV has one row per compiler, kernel and target. Columns that nothing here measures stay empty.
"""

import argparse
import csv
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

COLUMNS = (
    "kernel set arch ok rc error wall_s cpu_s ptxas_s ptxas_cpu_s rss_mb ptx_lines sass regs stack spill_st spill_ld "
    "smem threads ctas_sm min_ctas cluster setmaxreg ws stages swizzle tensor tensor_n mma_wait hot_sass hot_tensor "
    "fp_loop tma_ld tma_st bulk multicast cta2 cp_async ldg stg local lds sts bar mbar shfl fp32 mufu atom"
).split()
TENSOR = re.compile(r"^\s*(?:@!?%\w+\s+)?((?:mma|wgmma\.mma_async|tcgen05\.mma|wmma\.mma)\.[\w.:]+)", re.M)
COUNTED = {  # column: pattern of the PTX instructions it counts
    "tma_ld": r"cp\.async\.bulk\.tensor[\w.]*\.shared",
    "tma_st": r"cp\.(?:reduce\.)?async\.bulk\.tensor[\w.]*\.global\.shared",
    "cp_async": r"cp\.async\.c[ag]\.",
    "ldg": r"ld\.(?:relaxed\.|acquire\.|volatile\.)?[\w.]*global",
    "stg": r"st\.(?:relaxed\.|release\.|volatile\.)?[\w.]*global",
    "local": r"(?:ld|st)\.local",
    "lds": r"(?:ld\.shared|ldmatrix)",
    "sts": r"(?:st\.shared|stmatrix)",
    "bar": r"(?:bar|barrier)\.(?:cta\.)?sync",
    "mbar": r"mbarrier\.",
    "shfl": r"shfl\.sync",
    "atom": r"(?:atom|red)\.",
}


def wrapper_text(ptxas, log, keep):
    """A ptxas that logs its own seconds and keeps the PTX it was given. The shell costs about a millisecond."""
    return f"""#!/bin/sh
case " $* " in *" --version "*) exec "{ptxas}" "$@" ;; esac
for word in "$@"; do case "$word" in *.ptx) cp "$word" "{keep}" ;; esac; done
start=$(date +%s.%N)
"{ptxas}" "$@"
code=$?
echo "wall $start $(date +%s.%N)" >> "{log}"
times >> "{log}"
exit $code
"""


def seconds(text):
    minutes, rest = text.rstrip("s").split("m")
    return 60 * int(minutes) + float(rest)


def ptxas_cost(log):
    """(wall, cpu) seconds of ptxas from a wrapper's log; (0, 0) when it was not called."""
    wall = cpu = 0.0
    if not os.path.exists(log):
        return wall, cpu
    with open(log) as text:
        lines = text.readlines()
    own = False
    for line in lines:
        words = line.split()
        if words[0] == "wall":
            wall += float(words[2]) - float(words[1])
            own = True
        elif own:  # `times` prints the shell's own figures first, its children's second
            own = False
        else:
            cpu += seconds(words[0]) + seconds(words[1])
    return wall, cpu


def run_once(argv, env, cwd, limit):
    """(exit code, stderr, wall s, cpu s, peak MB) of one finished process and its children."""
    with tempfile.TemporaryFile() as err:
        start = time.monotonic()
        child = subprocess.Popen(argv, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err)
        timer_hit = False
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - start > limit:
                child.kill()
                timer_hit = True
            time.sleep(0.0005)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        text = err.read().decode(errors="replace").strip()
    if timer_hit:
        text = f"stopped after {limit} s"
    return child.returncode, text, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def ptx_facts(ptx):
    """Columns that the text of a PTX module gives."""
    text = re.sub(r"//.*", "", ptx)
    tensor = {}
    for name in TENSOR.findall(text):
        tensor[name] = tensor.get(name, 0) + 1
    row = {
        "ptx_lines": ptx.count("\n"),
        "tensor": " ".join(f"{name}*{count}" for name, count in sorted(tensor.items())),
        "tensor_n": sum(tensor.values()),
    }
    for column, pattern in COUNTED.items():
        row[column] = len(re.findall(r"^\s*(?:@!?%\w+\s+)?" + pattern, text, re.M))
    threads = re.search(r"\.reqntid\s+(\d+)(?:\s*,\s*(\d+)\s*,\s*(\d+))?", text)
    if threads:
        row["threads"] = math.prod(int(x) for x in threads.groups() if x)
    row["min_ctas"] = (re.findall(r"\.minnctapersm\s+(\d+)", text) or [""])[0]
    row["cluster"] = (re.findall(r"\.reqnctapercluster\s+(\d+)", text) or [""])[0]
    return row


def ptxas_facts(verbose):
    """Registers, stack, spills and shared memory out of `ptxas -v`; of several kernels the largest figure."""
    def largest(pattern):
        found = [int(x) for x in re.findall(pattern, verbose)]
        return max(found) if found else 0
    return {
        "regs": largest(r"Used (\d+) registers"),
        "stack": largest(r"(\d+) bytes stack frame"),
        "spill_st": largest(r"(\d+) bytes spill stores"),
        "spill_ld": largest(r"(\d+) bytes spill loads"),
        "smem": largest(r"(\d+) bytes smem"),
    }


def sass_lines(nvdisasm, cubin):
    """Number of machine instructions, NOP padding left out; empty without nvdisasm."""
    if not nvdisasm:
        return ""
    done = subprocess.run([nvdisasm, "-c", cubin], capture_output=True, text=True)
    if done.returncode:
        return ""
    found = re.findall(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?\w+\s+)?(\w[\w.]*)", done.stdout)
    return sum(1 for name in found if name != "NOP")


def geomean(values):
    values = [v for v in values if v > 0]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


class Compiler:
    """One side of the comparison: how it is called and where its ptxas wrapper writes."""

    def __init__(self, name, program, ptxas, folder, closed):
        self.name, self.program, self.folder = name, program, folder
        os.makedirs(os.path.join(folder, "root", "bin"))
        self.log = os.path.join(folder, "ptxas.log")
        self.ptx = os.path.join(folder, "kept.ptx")
        wrapper = os.path.join(folder, "root", "bin", "ptxas")
        with open(wrapper, "w") as out:
            out.write(wrapper_text(ptxas, self.log, self.ptx))
        os.chmod(wrapper, 0o755)
        self.env = {k: v for k, v in os.environ.items() if k not in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")}
        if closed:
            # It looks for ptxas and libnvvm below one root.
            home = os.path.dirname(os.path.dirname(os.path.realpath(program)))
            for name in ("lib", "nvvm"):
                if os.path.exists(os.path.join(home, name)):
                    os.symlink(os.path.join(home, name), os.path.join(folder, "root", name))
            self.env["CUDA_ROOT"] = os.path.join(folder, "root")
        else:
            # libdevice is looked for beside ptxas.
            nvvm = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(ptxas))), "nvvm")
            if os.path.exists(nvvm):
                os.symlink(nvvm, os.path.join(folder, "root", "nvvm"))
            self.env["TILEIR_PTXAS_PATH"] = wrapper

    def compile(self, kernel, arch, level, limit):
        out = os.path.join(self.folder, "out.cubin")
        for stale in (out, self.log, self.ptx):
            if os.path.exists(stale):
                os.remove(stale)
        argv = [self.program, kernel, "-o", out, "--gpu-name", arch, f"-O{level}"]
        code, text, wall, cpu, peak = run_once(argv, self.env, self.folder, limit)
        ptxas_wall, ptxas_cpu = ptxas_cost(self.log)
        return {
            "ok": int(code == 0), "rc": code, "error": "" if code == 0 else text.splitlines()[0][:200] if text else "",
            "wall_s": wall, "cpu_s": cpu, "ptxas_s": ptxas_wall, "ptxas_cpu_s": ptxas_cpu, "rss_mb": peak, "out": out,
        }


def measure(compilers, kernels, arches, level, runs, ptxas, nvdisasm, limit, progress):
    """Rows of the CSV, medians over `runs`, compilers taken in turn."""
    rows = []
    for kernel in kernels:
        for arch in arches:
            samples = {c.name: [] for c in compilers}
            for _ in range(runs):
                for c in compilers:
                    samples[c.name].append(c.compile(kernel, arch, level, limit))
            for c in compilers:
                last = samples[c.name][-1]
                row = dict.fromkeys(COLUMNS, "")
                row.update(kernel=os.path.basename(kernel).removesuffix(".tileirbc"), set=c.name, arch=arch)
                row.update({k: last[k] for k in ("ok", "rc", "error")})
                for figure, digits in (("wall_s", 4), ("cpu_s", 4), ("ptxas_s", 4), ("ptxas_cpu_s", 4), ("rss_mb", 1)):
                    row[figure] = round(statistics.median(s[figure] for s in samples[c.name]), digits)
                if last["ok"]:
                    row["sass"] = sass_lines(nvdisasm, last["out"])
                    if os.path.exists(c.ptx):
                        with open(c.ptx, errors="replace") as text:
                            ptx = text.read()
                        row.update(ptx_facts(ptx))
                        target = re.search(r"\.target\s+(\w+)", ptx).group(1)
                        done = subprocess.run(
                            [ptxas, "-v", "-arch", target, c.ptx, "-o", os.devnull, "--opt-level", str(level),
                             "--enable-extended-smem=true"], capture_output=True, text=True)
                        row.update(ptxas_facts(done.stdout + done.stderr))
                rows.append(row)
                if progress:
                    print(f"{row['kernel']:32} {arch:7} {c.name:7} "
                          + (f"cpu {row['cpu_s']:.3f} front {row['cpu_s'] - row['ptxas_cpu_s']:.3f} MB {row['rss_mb']:.0f} "
                             f"regs {row['regs']} spill {row['spill_st']} smem {row['smem']} sass {row['sass']} "
                             f"tensor {row['tensor_n']}" if row["ok"] else f"rc {row['rc']} {row['error']}"), flush=True)
    return rows


def summary(rows, first, second):
    """Geometric means of first/second over the kernels and targets that both compile."""
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
    parser.add_argument("--nvdisasm", default=os.environ.get("TILEIR_PEER_NVDISASM"), help="for the column sass")
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
        compilers = [Compiler("ours", path(args.ours), args.ptxas, os.path.join(scratch, "ours"), closed=False)]
        if args.theirs and os.access(args.theirs, os.X_OK):
            compilers.append(Compiler("closed", path(args.theirs), args.ptxas, os.path.join(scratch, "closed"), closed=True))
        else:
            print("the closed tileiras is not installed (tools/setup/setup.sh --peers): ours alone", file=sys.stderr)
        rows = measure(compilers, kernels, args.arch.split(","), args.opt_level, args.runs, args.ptxas, nvdisasm, args.timeout,
                       not args.quiet)
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
