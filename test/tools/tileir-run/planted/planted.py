#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with planted bugs, and their correct versions.

    planted.py [KERNEL.ptx…]     needs TILEIR_RUN (or runfiles) and TILEIR_PTXAS_PATH
    planted.py --keep DIR …      leaves every variant and its case in DIR

A kernel states its case, its outputs and its bugs in comments:

    // CASE {"grid": [1], "block": [64], "args": […]}    as emulator cases; several lines are one text
    // EXPECT out: [i * 2 for i in range(64)]            an answer, in Python
    st.shared.b32 [%r1], %r2;    //! bug NAME: mov.b32 %r2, 0;
    ld.shared.b32 %r3, [%r1];    //! find NAME: race|init

`bug` is one line that stands there in the variant NAME instead (nothing: the line is removed); a bug may take several
lines. `find` marks the line of a finding and its kind; `mismatch` is a wrong output, `deadlock` and other kinds as in the
report. `// CASE NAME: {…}` changes fields of the case for a variant.

The correct version must pass, and each variant must be found, under every seed and way of asynchrony that is tried here. A variant
has at least one of its findings, at the line marked or related to it (of two racing accesses either may be the later
one), and no finding that is not marked. ptxas assembles every text.
"""
import concurrent.futures
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

MODES = ("early", "late", "random")
FORMATS = {"i32": "i", "u32": "I", "f32": "f", "i64": "q", "u64": "Q", "u8": "B", "f16": "e"}
NUMPY = {"i32": "<i4", "u32": "<u4", "f32": "<f4", "i64": "<i8", "u64": "<u8", "u8": "|u1", "f16": "<f2"}


def find_tool():
    if "TILEIR_RUN" in os.environ:
        return os.environ["TILEIR_RUN"]
    root = os.path.join(os.environ.get("TEST_SRCDIR", "."), os.environ.get("TEST_WORKSPACE", ""))
    for place in (root, "bazel-bin", os.path.join(root, "bazel-bin")):
        path = os.path.join(place, "tools/tileir-run/tileir-run")
        if os.path.exists(path):
            return path
    sys.exit("error: cannot find tileir-run; set TILEIR_RUN")


def write_npy(path, dtype, values):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (NUMPY[dtype], len(values))
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        f.write(struct.pack("<%d%s" % (len(values), FORMATS[dtype]), *values))


def merge(case, change):
    for key, value in change.items():
        if isinstance(value, dict) and isinstance(case.get(key), dict):
            merge(case[key], value)
        else:
            case[key] = value


class Kernel:
    def __init__(self, path):
        self.path = path
        self.name = os.path.splitext(os.path.basename(path))[0]
        with open(path) as f:
            self.lines = f.read().split("\n")
        self.target = next(l.split()[1] for l in self.lines if l.startswith(".target")).rstrip(",")
        base, self.changes, self.expect = "", {}, {}
        self.bugs, self.finds = {}, {}
        for number, line in enumerate(self.lines, 1):
            if line.startswith("// CASE "):
                m = re.match(r"// CASE ([\w-]+): (.*)", line)
                if m:
                    self.changes[m.group(1)] = json.loads(m.group(2))
                else:
                    base += line[8:]
            elif line.startswith("// EXPECT "):
                name, text = line[10:].split(":", 1)
                self.expect[name] = text.strip()
            for kind, name, text in re.findall(r"//! (bug|find) ([\w-]+):([^\n]*?)(?=//! |$)", line):
                if kind == "bug":
                    self.bugs.setdefault(name, {})[number] = text.strip()
                else:
                    for one in text.strip().split("|"):
                        self.finds.setdefault(name, set()).add((one, number))
        self.case = json.loads(base)
        for name in self.changes:
            self.bugs.setdefault(name, {})
        for name in self.finds:
            if name not in self.bugs:
                sys.exit("%s: 'find %s' without a bug" % (path, name))
        for name in self.bugs:
            if name not in self.finds:
                sys.exit("%s: 'bug %s' without a finding" % (path, name))

    def write(self, folder, variant):
        """Writes text and case of the correct version (None) or of a variant; returns the case's path."""
        stem = os.path.join(folder, self.name + ("." + variant if variant else ""))
        replaced = self.bugs.get(variant, {})
        out = []
        for number, line in enumerate(self.lines, 1):
            out.append(replaced.get(number, line.split("//!")[0].rstrip()))
        with open(stem + ".ptx", "w") as f:
            f.write("\n".join(out))
        case = json.loads(json.dumps(self.case))
        merge(case, self.changes.get(variant, {}))
        case["kernel"] = os.path.basename(stem) + ".ptx"
        case["arch"] = self.target
        for arg in case["args"] + case.get("buffers", []):
            if arg.get("name") in self.expect:
                arg["output"] = True
                arg["expect"] = self.name + "." + arg["name"] + ".npy"
                if variant is None:
                    values = eval(self.expect[arg["name"]])
                    write_npy(os.path.join(folder, arg["expect"]), arg["dtype"], values)
        with open(stem + ".json", "w") as f:
            json.dump(case, f)
        return stem + ".json"


def assemble(ptxas, case):
    ptx = case[:-5] + ".ptx"
    target = next(l.split()[1] for l in open(ptx) if l.startswith(".target"))
    r = subprocess.run([ptxas, "-arch", target, ptx, "-o", case[:-5] + ".cubin"], capture_output=True, text=True)
    return "" if r.returncode == 0 else "ptxas refuses it:\n" + r.stdout + r.stderr


def check(tool, kernel, variant, case, mode, seed):
    report = "%s.%s.%d.report" % (case[:-5], mode, seed)
    r = subprocess.run([tool, case, "--async=" + mode, "--seed=%d" % seed, "--report=" + report, "--max-cycles=3000000"],
                       capture_output=True, text=True)
    where = "%s %s --async=%s --seed=%d: " % (kernel.name, variant or "twin", mode, seed)
    try:
        with open(report) as f:
            found = json.load(f)
    except (OSError, ValueError):
        return where + "no report; exit status %d\n%s" % (r.returncode, r.stderr)
    if variant is None:
        if r.returncode == 0 and found["outcome"] == "ok" and not found["findings"]:
            return ""
        return where + "a false alarm:\n" + r.stderr
    if r.returncode != 1:
        return where + "exit status %d, expected 1\n%s" % (r.returncode, r.stderr)
    marks = kernel.finds[variant]
    named, others = 0, []
    for f in found["findings"]:
        lines = [f["line"]] + [p["line"] for p in f["related"]]
        if any((f["kind"], line) in marks for line in lines):
            named += 1
        else:
            others.append("%s at line %s (related %s)" % (f["kind"], lines[0], lines[1:]))
    if found["mismatches"] and any(kind == "mismatch" for kind, _ in marks):
        named += 1
    if found["findings"] and found["outcome"] not in ("fault", "assert"):
        return where + "outcome '%s'" % found["outcome"]
    if not named:
        return where + "a miss; expected %s, got:\n%s" % (sorted(marks), r.stderr)
    if others:
        return where + "also found what is not marked: " + "; ".join(others) + "\n" + r.stderr
    return ""


def main():
    args, keep = sys.argv[1:], None
    if args[:1] == ["--keep"]:
        keep, args = args[1], args[2:]
        os.makedirs(keep, exist_ok=True)
    here = os.path.dirname(os.path.abspath(__file__))
    if os.path.isdir(os.path.join(here, "planted")):  # Under bazel the script is not beside them.
        here = os.path.join(here, "planted")
    files = args or sorted(os.path.join(here, f) for f in os.listdir(here) if f.endswith(".ptx"))
    if not files:
        sys.exit("error: no kernels")
    tool, ptxas = find_tool(), os.environ.get("TILEIR_PTXAS_PATH")
    if not ptxas:
        sys.exit("error: TILEIR_PTXAS_PATH is not set; run tools/setup/setup.sh")
    failures, runs, variants = [], 0, 0
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = keep or temporary
        jobs = []
        for path in files:
            kernel = Kernel(path)
            for variant in [None] + list(kernel.bugs):
                case = kernel.write(folder, variant)
                variants += variant is not None
                jobs.append(((kernel.name, variant), pool.submit(assemble, ptxas, case)))
                for mode in MODES:
                    for seed in range(1, 7 if variant is None else 4):
                        jobs.append((None, pool.submit(check, tool, kernel, variant, case, mode, seed)))
                        runs += 1
        for name, job in jobs:
            text = job.result()
            if text:
                failures.append(text if name is None else "%s %s: %s" % (name[0], name[1] or "twin", text))
    for text in failures:
        print(text)
    print("%d kernels, %d planted bugs, %d runs: %d failures" % (len(files), variants, runs, len(failures)))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
