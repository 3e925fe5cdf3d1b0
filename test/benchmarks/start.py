#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the overhead of a call of tileiras: an empty module and a vector addition, ours and the closed one.

    start.py --ours TILEIRAS --closed TILEIRAS --ptxas PTXAS --bytecode add_vec_f32.v13_1.tileirbc [--runs 20] [--csv FILE]

The two alternate (A B A B …). CPU seconds and peak memory are the operating system's account of the process and the
children that it waited for. Each case runs with the real ptxas and with one that only copies a finished cubin ("without
ptxas"). The table shows medians; quotients are ours/closed. Exit 1 when a quotient exceeds its bound: CPU 0.6, without ptxas
0.5, memory 1.
"""

import argparse
import csv
import os
import statistics
import subprocess
import sys
import tempfile

STANDIN = r"""
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
  static char buffer[1 << 20];
  const char *out = 0;
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "--version")) {
      static const char text[] = "Cuda compilation tools, release 13.5, V13.5.37\n";
      return write(1, text, sizeof(text) - 1) < 0;
    }
    if (i + 1 < argc && !strcmp(argv[i], "-o"))
      out = argv[i + 1];
  }
  int from = open(CUBIN, O_RDONLY), to = out ? open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
  ssize_t n = read(from, buffer, sizeof(buffer));
  return n <= 0 || write(to, buffer, n) != n;
}
"""
BOUNDS = {"cpu": 0.6, "cpu without ptxas": 0.5, "memory": 1.0, "memory without ptxas": 1.0}


def measure(command, env):
    """Returns CPU seconds and peak MiB of one run."""
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    text = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: {process.returncode} {text.decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("ours", "closed", "ptxas", "bytecode"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--arch", default="sm_100")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--csv")
    options = parser.parse_args()
    rows, failed = [], False
    with tempfile.TemporaryDirectory(prefix="tileir-start-") as folder:
        empty = f"{folder}/empty.tileirbc"
        with open(empty, "wb") as f:
            f.write(b"\x7fTileIR\0" + bytes([13, 1]) + bytes.fromhex(
                "0000 820808cb00cbcbcbcbcbcbcb 850404cb00cbcbcb 810404cb00cbcbcb 00"))
        clean = {k: v for k, v in os.environ.items() if k not in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH", "TILEIR_PTXAS_PATH")}
        for case, source in (("empty module", empty), ("add_vec_f32", options.bytecode)):
            product = f"{folder}/product"
            subprocess.run([options.ours, source, "-o", product, "--gpu-name", options.arch],
                           env=dict(clean, TILEIR_PTXAS_PATH=options.ptxas), check=True)
            # A toolkit whose assembler copies that product.
            root = f"{folder}/{case.replace(' ', '-')}"
            os.makedirs(f"{root}/bin")
            os.rename(product, f"{root}/cubin")
            subprocess.run(["cc", "-O1", "-x", "c", "-", f'-DCUBIN="{root}/cubin"', "-o", f"{root}/bin/ptxas"],
                           input=STANDIN.encode(), check=True)
            closed_root = os.path.dirname(os.path.dirname(os.path.realpath(options.closed)))
            for part in ("lib", "lib64", "nvvm"):
                if os.path.exists(f"{closed_root}/{part}"):
                    os.symlink(f"{closed_root}/{part}", f"{root}/{part}")
            for without in (False, True):
                cost = {"ours": [], "closed": []}
                environments = {
                    "ours": dict(clean, TILEIR_PTXAS_PATH=f"{root}/bin/ptxas" if without else options.ptxas),
                    "closed": dict(clean, CUDA_ROOT=root if without else closed_root),
                }
                for turn in range(options.runs + 1):
                    for who, tool in (("ours", options.ours), ("closed", options.closed)):
                        result = measure([tool, source, "-o", product, "--gpu-name", options.arch], environments[who])
                        if turn:  # the first fills the caches
                            cost[who].append(result)
                median = {who: [statistics.median(column) for column in zip(*results)] for who, results in cost.items()}
                suffix = " without ptxas" if without else ""
                for i, what in ((0, "cpu"), (1, "memory")):
                    quotient = median["ours"][i] / median["closed"][i]
                    bound = BOUNDS[what + suffix]
                    failed |= quotient > bound
                    rows.append((case, what + suffix, f"{median['ours'][i]:.4g}", f"{median['closed'][i]:.4g}",
                                 f"{quotient:.2f}", f"{bound}"))
    header = ("case", "figure", "ours", "closed", "quotient", "bound")
    for row in [header] + rows:
        print(f"{row[0]:13} {row[1]:22} {row[2]:>8} {row[3]:>8} {row[4]:>9} {row[5]:>6}")
    if options.csv:
        with open(options.csv, "w", newline="") as f:
            csv.writer(f, lineterminator="\n").writerows([header] + rows)
    return failed


if __name__ == "__main__":
    sys.exit(main())
