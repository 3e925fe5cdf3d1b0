#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the rows of test/data/op-acceptance.csv that the closed compiler accepts for any target: oracle against emulator on every target.

usage: acceptance.py [--seed N --count N] [--arch LIST] [--largest LOG2] TILEIR-CHECK MLIR-OPT ARGUMENT...

With --count that many rows, drawn by --seed; all of them without. Prints each row that differs or does not compile, why
some have no case, and figures. Exit status 1 if a row fails.
"""

import argparse
import collections
import csv
import os
import re
import subprocess
import sys
import tempfile

import cases

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "op-acceptance.csv")


def accepted_rows():
    rows = {}
    for row in csv.DictReader(open(TABLE, newline="")):
        if row["accepted"] == "yes":
            rows[row["op"], row["types"]] = True
    return list(rows)


def is_larger(types, limit):
    """Whether a row of a series has more than 2^limit elements."""
    match = re.search(r"2\^(\d+)\Z", types)
    return match and int(match[1]) + (7 if "128x" in types else 0) > limit


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int)
    parser.add_argument("--arch", default="sm_80,sm_89,sm_90a,sm_100a,sm_103a,sm_120a")
    parser.add_argument("--largest", type=int, default=24)
    parser.add_argument("check")
    parser.add_argument("mlir_opt", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    made = cases.make(accepted_rows(), options.mlir_opt)
    missing = collections.Counter(op for op, _, text, _ in made if text is None)
    made = [row for row in made if row[2] is not None and not is_larger(row[1], options.largest)]
    if options.count:
        import random
        random.Random(options.seed).shuffle(made)
        made = made[:options.count]
    failures = 0
    os.environ["TILEIR_NEWEST_RULES"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        paths = cases.write(made, folder)
        names = {path: " ".join(row[:2]) for path, row in zip(paths, made)}
        answers = collections.Counter()
        for at in range(0, len(paths), 40):
            run = subprocess.run([options.check, *paths[at:at + 40], "--arch=" + options.arch], capture_output=True, text=True)
            for line in (run.stdout + run.stderr).splitlines():
                for path in re.findall(re.escape(folder) + r"/\d+\.json", line):
                    line = line.replace(path, names[path])
                if line.startswith("ok "):
                    answers["ok"] += 1
                    continue
                failures += line.startswith("FAIL")
                print(line)
    print("rows without a case: %s" % (", ".join("%s %d" % pair for pair in sorted(missing.items())) or "none"))
    print("%d rows, %d runs agree, %d failures" % (len(made), answers["ok"], failures))
    return 1 if failures or not answers["ok"] else 0


if __name__ == "__main__":
    sys.exit(main())
