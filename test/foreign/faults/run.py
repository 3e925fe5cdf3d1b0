#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels of this folder; the correct ones pass, in each faulty variant the fault is found and named.

    run.py clang|nvcc ARCH [--only=ENTRY[:BUG]] [--keep=DIR] [--seeds=N]

Every kernel takes a number `bug` last: 0 and its other `corrected` are correct, others plant a fault. "//! find 1 2:
race|init" stands before the statement where variants 1 and 2 are found ("find KERNEL 1" in a function), with one of the
kinds; `mismatch` is a wrong answer without a finding. Under every schedule a variant has at least one of its findings,
at a marked line or related to one, and none elsewhere.
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, here)
import cases  # noqa: E402
import rawcase  # noqa: E402

MODES = ("early", "late", "random")


def compiler(name, arch, source, ptx):
    if name == "clang":
        # Without a CUDA toolkit clang supports PTX up to 8.8, which lacks sm_88 and sm_110a.
        return ["clang++-22", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=" + arch, "-nocudainc",
                "-nocudalib", "-std=c++17", "-O2", "-Wno-unknown-cuda-version", "--cuda-feature=+ptx90",
                "-gline-tables-only", "-S", source, "-o", ptx]
    nvcc = os.environ["TILEIR_PEER_NVCC"]
    return [nvcc, "-std=c++17", "-ptx", "-lineinfo", "-arch=" + arch, "-ccbin", "g++",
            "-I" + os.path.join(os.path.dirname(nvcc), "../include/cccl"), source, "-o", ptx]


def read_marks(path):
    """Returns by kernel and variant the kinds that each line of the source may have."""
    marks, kernel, pending = {}, None, []
    with open(path) as file:
        for number, line in enumerate(file, 1):
            if line.startswith("KERNEL"):
                kernel, line = "", re.sub(r"KERNEL|__\w+__\(.*?\)", " ", line)
            named = re.match(r"\s*(\w+)\(", line)
            if kernel == "" and named:
                kernel = named.group(1)
                marks.setdefault(kernel, {})
            mark = re.match(r"\s*//! find ([a-z]\w+ )?([\d ]+): ([\w|-]+)", line)
            if mark:
                of = (mark.group(1) or kernel).strip()
                pending += [(of, int(n), mark.group(3).split("|")) for n in mark.group(2).split()]
                continue
            for of, bug, kinds in pending:
                marks.setdefault(of, {}).setdefault(bug, {}).setdefault(number, set()).update(kinds)
            if line.rstrip().endswith((";", "{")):
                pending = []
    return marks


class Lines:
    """Maps lines of the PTX to source lines: of the instruction, and of the callers that inlined it."""

    def __init__(self, path, source):
        self.of = []
        mains, now = set(), ()
        with open(path) as file:
            text = file.read().split("\n")
        for line in text:
            named = re.match(r'\s*\.file\s+(\d+)\s+"(.*?)"', line)
            if named and os.path.basename(named.group(2)) == source:
                mains.add(named.group(1))
        for line in text:
            loc = re.match(r"\s*\.loc\s+(\d+) (\d+)", line)
            if loc:
                places = [loc.groups()] + re.findall(r"inlined_at (\d+) (\d+)", line)
                now = [int(n) for f, n in places if f in mains]
            self.of.append(now)

    def fits(self, line, kind, marks):
        """Returns whether a finding of this kind at this line of the PTX is marked. clang does not record callers of
        inlined functions."""
        now = self.of[line - 1] if 0 < line <= len(self.of) else ()
        return any(kind in kinds for n, kinds in marks.items() if not now or n in now)


def check(case, bug, marks, lines, arch, mode, seed):
    where = "%s bug %d --async=%s --seed=%d: " % (os.path.basename(case)[:-5], bug, mode, seed)
    report = "%s.%d.%s.%d.report" % (case, bug, mode, seed)
    try:
        status, text = rawcase.run(case, "--arch=" + arch, "--async=" + mode, "--seed=%d" % seed, "--report=" + report,
                                   timeout=300)
    except subprocess.TimeoutExpired:
        return where + "timed out"
    if not marks:
        return "" if status == 0 else where + "a false alarm, status %d\n%s" % (status, text[:1500])
    if status != 1:
        return where + "a miss, status %d, expected findings at %s\n%s" % (status, sorted(marks), text[:1500])
    with open(report) as file:
        found = json.load(file)
    kinds = set().union(*marks.values())
    named, others = bool(found["mismatches"]) and "mismatch" in kinds, []
    for f in found["findings"]:
        places = [f["line"]] + [r["line"] for r in f["related"]]
        if any(lines.fits(p, f["kind"], marks) for p in places):
            named = True
        else:
            others.append("%s at lines %s of the source" % (f["kind"], [lines.of[p - 1] for p in places]))
    if not named:
        return where + "a miss, expected findings at %s\n%s" % (sorted(marks), text[:1500])
    if others:
        return where + "also found what is not marked: %s\n%s" % ("; ".join(others), text[:1500])
    return ""


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    options = dict(w[2:].split("=", 1) for w in sys.argv[1:] if w.startswith("--"))
    if len(words) != 2 or words[0] not in ("clang", "nvcc"):
        raise SystemExit(__doc__)
    name, arch = words
    if name == "nvcc" and not os.access(os.environ.get("TILEIR_PEER_NVCC", ""), os.X_OK):
        print("SKIPPED: no nvcc; run tools/setup/setup.sh --peers")
        return 0
    number = int(arch[3:].rstrip("af"))
    work = options.get("keep") or tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    seeds = int(options.get("seeds", "1"))
    only, _, only_bug = options.get("only", "").partition(":")
    failures, runs, variants = [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = []
        for source, (make, first, last) in cases.SOURCES.items():
            if options.get("source", source) != source:
                continue
            if not first <= number < last or (name == "clang" and source in cases.NVCC_ONLY):
                continue
            path = os.path.join(here, source)
            ptx = "%s.%s.%s.ptx" % (source, name, arch)
            done = subprocess.run(compiler(name, arch, path, os.path.join(work, ptx)), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            if done.returncode:
                failures.append("%s: %s" % (source, done.stdout))
                continue
            status, text = rawcase.assemble(os.path.join(work, ptx), arch)
            if status:
                failures.append("ptxas, %s\n%s" % (source, text))
            marks, lines = read_marks(path), Lines(os.path.join(work, ptx), source)
            for case in make():
                entry = case["entry"]
                if only not in ("", entry):
                    continue
                args, changes, corrected = case.pop("args"), case.pop("changes", {}), [0] + case.pop("corrected", [])
                for bug in corrected + sorted(marks[entry]):
                    if only_bug and int(only_bug) != bug:
                        continue
                    fields = {**case, **changes.get(bug, {})}
                    path = rawcase.write(work, "%s.%d" % (entry, bug), ptx,
                                         args=args + [rawcase.scalar("bug", "i32", bug)], **fields)
                    variants += bug not in corrected
                    for at, mode in enumerate(MODES):
                        for seed in range(1 + at, 1 + at + 3 * seeds, 3):
                            runs += 1
                            jobs.append(pool.submit(check, path, bug, marks[entry].get(bug), lines, arch, mode,
                                                    seed))
        failures += [text for text in (job.result() for job in jobs) if text]
    for text in failures:
        print(text)
    if "keep" not in options:
        shutil.rmtree(work)
    print("%s %s: %d faults, %d runs, %d failures" % (name, arch, variants, runs, len(failures)))
    return 1 if failures or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
