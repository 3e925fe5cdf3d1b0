#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the kernels of test/kernels compiled by the closed Tile IR compiler: run.py ARCH [--only=TEXT] [--slice=I/N]

A slice is kernels I, I + N, I + 2 N, … in the order of their names.

TILEIR_PEER_TILEIRAS names that compiler (set-up with --peers installs it). closed_compiler.sh of test/lib passes its
PTX to tileir-run.
"""
import concurrent.futures
import glob
import os
import subprocess
import sys

here = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(here, "../../lib"))
import rawcase  # noqa: E402

# Programs that the compiler itself rejects: fp8 below sm_89; multicast and unicast pointers except on sm_100, sm_103
# and sm_107.
REFUSED = {
    "gemm_f8": lambda arch: arch in ("sm_80", "sm_86", "sm_87", "sm_88"),
    "multimem_": lambda arch: arch not in ("sm_100", "sm_103", "sm_107"),
    "ptr_unicast_": lambda arch: arch not in ("sm_100", "sm_103", "sm_107"),
}


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    options = dict(w[2:].split("=", 1) for w in sys.argv[1:] if w.startswith("--"))
    if len(words) != 1:
        raise SystemExit(__doc__)
    arch = words[0]
    if not os.access(os.environ.get("TILEIR_PEER_TILEIRAS", ""), os.X_OK):
        print("SKIPPED: no closed compiler; run tools/setup/setup.sh --peers")
        return 0
    compiler = os.path.join(here, "../../lib/closed_compiler.sh")
    cases = sorted(glob.glob(os.path.join(rawcase.runfile("test/kernels"), "*", "*.json")))
    first, every = options.get("slice", "0/1").split("/")
    cases = [c for c in cases if options.get("only", "") in os.path.basename(c)][int(first) :: int(every)]

    def run(case):
        if any(os.path.basename(case).startswith(name) and refuses(arch) for name, refuses in REFUSED.items()):
            return case, None, ""
        try:
            return (case, *rawcase.run(case, "--arch=" + arch, "--compiler=" + compiler, timeout=600))
        except subprocess.TimeoutExpired:
            return case, -1, "timed out"

    failures = refused = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for case, status, text in pool.map(run, cases):
            refused += status is None
            if status:
                failures += 1
                print("FAILED: %s: status %d\n%s" % (os.path.basename(case), status, text[:1500]), flush=True)
    print("closed compiler, %s: %d kernels, %d of them refused by it, %d failures" % (arch, len(cases), refused, failures))
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
