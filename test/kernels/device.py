#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs whole kernels on a GPU and compares their outputs with the expectations of their cases.

  device.py make FOLDER [--gpu sm_90] [--code sm_90,sm_80] CASE.json...   compiles and assembles here
  device.py run FOLDER                                                    there: Python and the driver are enough

Every kernel is compiled in the plain form, which any driver launches. `--code` are targets to compile for; ptxas
assembles each PTX for the GPU, so that an sm_90 tests the code of sm_80, too. FOLDER holds cubins with their launch
sidecar as a note, cases, arrays and tileir-run. Exit status of `run`: 0 all agree, 1 something differs or faults, 2
nothing ran.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Kernels with memory that only the host can map.
NEEDS_MORE = {"multimem_f32": "multicast memory"}


def programs():
    """Returns paths of the programs in the runfiles of a test, or from the environment."""
    root = os.path.join(os.environ.get("TEST_SRCDIR", "."), os.environ.get("TEST_WORKSPACE", ""))
    where = {"tileiras": "TILEIRAS", "tileir-run": "TILEIR_RUN", "tileir-translate": "TILEIR_TRANSLATE"}
    return {name: os.environ.get(variable) or os.path.join(root, "tools", name, name) for name, variable in where.items()}


def called(argv):
    done = subprocess.run(argv, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"error: status {done.returncode} of {' '.join(argv)}: {done.stderr.strip()[:500]}")


def files_of(node, found):
    """Returns names of the arrays that a case reads."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        if key in ("init", "expect", "expect_mask") and isinstance(value, str) and value.endswith(".npy"):
            found.add(value.lstrip("@"))
        else:
            files_of(value, found)


def make_case(tools, path, gpu, code, folder):
    """Compiles the kernel of one case; returns why it is skipped, or nothing."""
    with open(path) as text:
        case = json.load(text)
    name, home = os.path.basename(path)[:-len(".json")], os.path.dirname(path)
    if name.split(".")[0] in NEEDS_MORE:
        return "it needs " + NEEDS_MORE[name.split(".")[0]]
    if case.pop("stdout", None):
        return "it prints"  # the driver prints elsewhere
    stem = f"{name}.{code}"
    with tempfile.TemporaryDirectory() as work:
        kernel = os.path.join(home, case["kernel"])
        if kernel.endswith(".mlir"):
            called([tools["tileir-translate"], "--mlir-to-cudatilebc", "--bytecode-version=13.5", kernel, "-o", work + "/k.tileirbc"])
            kernel = work + "/k.tileirbc"
        case["kernel"] = stem + ".cubin"
        cubin = os.path.join(folder, case["kernel"])
        compile_ = [tools["tileiras"], kernel, "--gpu-name", code, "-O3", "--launch-abi=plain"]
        if code == gpu:
            called(compile_ + ["-o", cubin])
        else:
            called(compile_ + ["--emit=ptx", f"--launch-sidecar={folder}/{stem}.sidecar.json", "-o", work + "/k.ptx"])
            called([os.environ["TILEIR_PTXAS_PATH"], "-arch", gpu, "--enable-extended-smem=true", work + "/k.ptx", "-o", cubin])
    arrays = set()
    files_of(case, arrays)
    for array in arrays:
        shutil.copy(os.path.join(home, array), os.path.join(folder, array))
    with open(os.path.join(folder, stem + ".json"), "w") as out:
        json.dump(case, out)
    return None


def make(args):
    tools = programs()
    os.makedirs(args.folder, exist_ok=True)
    made = 0
    for path in args.cases:
        for code in args.code.split(","):
            why = make_case(tools, path, args.gpu, code, args.folder)
            made += not why
            if why:
                print(f"left out: {os.path.basename(path)}: {why}")
    for source in (tools["tileir-run"], os.path.realpath(__file__)):
        shutil.copy(source, args.folder)
    print(f"{made} kernels for {args.gpu}")


def run_some(program, cases):
    """Returns {case: verdict} of one process, which ends when a kernel corrupts the GPU's context; and its output."""
    sidecar = cases[0][:-len(".json")] + ".sidecar.json"
    alone = [f"--sidecar={sidecar}"] if os.path.exists(sidecar) else []
    if alone:
        cases = cases[:1]
    try:
        done = subprocess.run([program, *cases, "--device=cuda", *alone], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=60 + len(cases), check=False)
        text, status = done.stdout.decode(errors="replace"), done.returncode
    except subprocess.TimeoutExpired as late:
        text, status = (late.stdout or b"").decode(errors="replace"), -1
    verdicts = dict(re.findall(r"^(.+\.json): (\w+)$", text, re.M))
    verdicts = {case: verdicts[case] for case in cases if case in verdicts}
    if status == -1 and len(verdicts) < len(cases):
        verdicts[cases[len(verdicts)]] = "hangs"
    elif not verdicts:
        verdicts[cases[0]] = "ok" if status == 0 and len(cases) == 1 else f"status {status}"
    return verdicts, text


def run(args):
    program = os.path.join(args.folder, "tileir-run")
    os.chmod(program, 0o755)
    cases = sorted(os.path.join(args.folder, n) for n in os.listdir(args.folder)
                   if n.endswith(".json") and not n.endswith(".sidecar.json"))
    # Cases with a sidecar of their own run in a process each.
    alone = [case for case in cases if os.path.exists(case[:-len(".json")] + ".sidecar.json")]
    left, bad = [case for case in cases if case not in alone], {}

    def take(verdicts, text):
        wrong = {case: verdict for case, verdict in verdicts.items() if verdict != "ok"}
        if wrong:
            print(text[:4000])
        bad.update(wrong)

    while left:
        verdicts, text = run_some(program, left)
        take(verdicts, text)
        left = [case for case in left if case not in verdicts]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda case: run_some(program, [case]), alone):
            take(*found)
    for case, verdict in bad.items():
        print(f"FAILED: {os.path.basename(case)}: {verdict}")
    print(f"{len(cases) - len(bad)} kernels agree, {len(bad)} do not")
    return 2 if not cases else 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["make", "run", "both"])
    parser.add_argument("folder", help="where it is kept")
    parser.add_argument("cases", nargs="*", metavar="CASE.json")
    parser.add_argument("--gpu", default="sm_90", help="the GPU (default: %(default)s)")
    parser.add_argument("--code", help="targets to compile for, comma separated (default: the GPU)")
    args = parser.parse_intermixed_args()
    args.code = args.code or args.gpu
    if args.what != "run":
        make(args)
    return 0 if args.what == "make" else run(args)


if __name__ == "__main__":
    sys.exit(main())
