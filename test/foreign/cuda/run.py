#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the CUDA kernels of this folder and runs their PTX against NumPy's answers.

    run.py clang|nvcc ARCH [--only=ENTRY] [--keep=DIR]

clang is that of the LLVM that we build with; nvcc the one that TILEIR_PEER_NVCC names (set-up with --peers installs it).
Every kernel runs under several schedules with every check on: the answer is right and nothing is found.
"""
import os
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, here)
import cases  # noqa: E402
import rawcase  # noqa: E402

SCHEDULES = (["--async=early", "--seed=1"], ["--async=late", "--seed=2"], ["--async=random", "--seed=3"])


def compiler(name, arch, source, ptx):
    if name == "clang":
        # Without a CUDA toolkit clang supports PTX up to 8.8, which lacks sm_88 and sm_110a.
        return ["clang++-22", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=" + arch, "-nocudainc",
                "-nocudalib", "-std=c++17", "-O2", "-Wno-unknown-cuda-version", "--cuda-feature=+ptx90", "-S",
                source, "-o", ptx]
    return [os.environ["TILEIR_PEER_NVCC"], "-std=c++17", "-ptx", "-lineinfo", "-arch=" + arch, "-ccbin", "g++", source,
            "-o", ptx]


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
    failures = count = 0
    for source, (make, first) in cases.SOURCES.items():
        if number < first:
            continue
        ptx = "%s.%s.%s.ptx" % (source, name, arch)
        os.makedirs(work, exist_ok=True)
        done = subprocess.run(compiler(name, arch, os.path.join(here, source), os.path.join(work, ptx)),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            print("FAILED: %s\n%s" % (source, done.stdout))
            failures += 1
            continue
        status, text = rawcase.assemble(os.path.join(work, ptx), arch)
        if status:
            print("FAILED: ptxas, %s\n%s" % (source, text))
            failures += 1
        for case in make():
            if options.get("only", case["entry"]) != case["entry"]:
                continue
            case = dict(case)
            if "stdout" in case:
                with open(os.path.join(work, case["entry"] + ".txt"), "w") as file:
                    file.write(case["stdout"])
                case["stdout"] = case["entry"] + ".txt"
            entry = case["entry"]
            path = rawcase.write(work, entry, ptx, **case)
            for schedule in SCHEDULES:
                count += 1
                try:
                    status, text = rawcase.run(path, "--arch=" + arch, *schedule, timeout=400)
                except subprocess.TimeoutExpired:
                    status, text = -1, "timed out"
                if status:
                    failures += 1
                    print("FAILED: %s, %s %s %s: status %d\n%s" % (entry, name, arch, schedule, status, text[:2000]))
                    break
    if "keep" not in options:
        shutil.rmtree(work)
    print("%s %s: %d runs, %d failures" % (name, arch, count, failures))
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
