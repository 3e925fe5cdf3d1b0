#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts bytes in flight during MMAs: two stages of the pipeline in the steady state, and no bank conflict.

    flight.py --tileiras PATH --tileir-run PATH --arch sm_80 --stage BYTES KERNEL.tileirbc

The emulator's timing model determines the order in which warps issue copies and MMAs. At an MMA a warp may be ahead of
others that have not issued their copies yet, so the mean may be short by a twentieth.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import emulated
import launches

STAGES = 2
LACK = 0.05


def main():
    parser = argparse.ArgumentParser()
    for option in ("--tileiras", "--tileir-run", "--arch", "--stage"):
        parser.add_argument(option, required=True)
    parser.add_argument("kernel")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        case = launches.write(options.kernel, folder, None)
        argv = [options.tileir_run, case, "--device=emulated", "--arch=" + options.arch, "--stats=json", "--timing=json",
                "--compiler=" + os.path.realpath(options.tileiras)]
        done = subprocess.run(argv, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    stats, timing = emulated.read_figures(done.stdout)
    flight = timing["in_flight"]
    stages = flight["at_tensor_issue"]["mean"] / int(options.stage)
    print(f"{stages:.2f} stages in flight at {flight['count']} MMAs, {stats['shared_bank_conflicts']} bank conflicts")
    if not flight["count"] or stages < STAGES * (1 - LACK):
        sys.exit(f"FAILED: fewer than {STAGES} stages of {options.stage} bytes")
    if stats["shared_bank_conflicts"]:
        sys.exit("FAILED: bank conflicts")


if __name__ == "__main__":
    main()
