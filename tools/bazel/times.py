#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of set-up, build and tests: announces, records, and publishes them in the README.

    times.py estimate STEP TARGET...   a line for a person: how many actions, and how long they take here from scratch
    times.py add STEP SECONDS LOG TARGET...
                                       records a run, if it took nothing from a cache; LOG is Bazel's output
    times.py write                     puts the recorded runs into docs/measurements/build.csv and README.md
    times.py check                     README.md agrees with docs/measurements/build.csv

A step is `first` (the README's first command) or `tests` (its second one). Estimates scale the recorded seconds by the
number of actions and of processors.
"""

import csv
import datetime
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(ROOT, "docs/measurements/build.csv")
README = os.path.join(ROOT, "README.md")
RECORDED = os.path.join(ROOT, ".tileir/times.csv")
FIELDS = ["step", "seconds", "actions", "processors", "date"]
BEGIN, END = "<!-- times: tools/bazel/times.py write -->\n", "<!-- end of times -->\n"


def read(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return {row["step"]: row for row in csv.DictReader(file)}


def write_rows(path, rows):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    part = path + ".part"
    with open(part, "w", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[step] for step in sorted(rows))
    os.replace(part, path)


def minutes(seconds):
    return "under a minute" if seconds < 60 else "a minute" if seconds < 90 else f"{round(seconds / 60)} minutes"


def count_actions(targets):
    """Returns the number of actions for building `targets` from scratch, or None."""
    asked = " + ".join(f"deps({target})" for target in targets)
    done = subprocess.run(["bazel", "aquery", "--output=text", asked], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT, check=False)
    actions = done.stdout.count(b"\n  Mnemonic: ")
    return actions if done.returncode == 0 and actions else None


def estimate(step, targets):
    row, actions, here = read(TABLE).get(step), count_actions(targets), os.cpu_count() or 1
    if not row or not actions:
        return f"{actions or 'all'} actions on {here} processors"
    seconds = float(row["seconds"])
    if step == "first":
        seconds *= actions / int(row["actions"])
    seconds *= int(row["processors"]) / here
    what = f"{actions} actions" + (" and the tests" if step == "tests" else "")
    return f"{what}: about {minutes(seconds)} on {here} processors from nothing, less where results are in the cache"


def parse_log(path):
    """Returns the number of processes that Bazel reports at the end, and how many of them came from a cache."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = re.findall(r"INFO: (\d+) processes?: (.*)\.", file.read())
    if not lines:
        return None
    total, kinds = lines[-1]
    cached = sum(int(n) for n in re.findall(r"(\d+) (?:remote|disk) cache hit", kinds))
    return int(total), cached


def add(step, seconds, log, targets):
    counted = parse_log(log)
    # Skip runs that took results from a cache or had little to do: a build from scratch runs over a hundred actions.
    if not counted or counted[1] > 0 or counted[0] < 100:
        return
    actions = count_actions(targets)
    if not actions:
        return
    rows = read(RECORDED)
    rows[step] = {
        "step": step,
        "seconds": round(float(seconds)),
        "actions": actions,
        "processors": os.cpu_count() or 1,
        "date": datetime.date.today().isoformat(),
    }
    write_rows(RECORDED, rows)


def text(rows):
    first, tests = rows["first"], rows["tests"]
    return (f"From nothing, the first command takes {minutes(float(first['seconds']))} and the second one after it "
            f"{minutes(float(tests['seconds']))} on {first['processors']} processors\n"
            f"(measured on {max(first['date'], tests['date'])}; [build.md](docs/measurements/build.md)).\n")


def readme(rows):
    with open(README, encoding="utf-8") as file:
        old = file.read()
    begin, end = old.index(BEGIN) + len(BEGIN), old.index(END)
    return old, old[:begin] + text(rows) + old[end:]


def main(arguments):
    if len(arguments) >= 3 and arguments[0] == "estimate":
        print(estimate(arguments[1], arguments[2:]))
    elif len(arguments) >= 5 and arguments[0] == "add":
        add(*arguments[1:4], arguments[4:])
    elif arguments == ["write"]:
        recorded = read(RECORDED)
        if not recorded:
            print("error: no run from nothing is recorded in .tileir/times.csv", file=sys.stderr)
            return 1
        rows = {**read(TABLE), **recorded}
        write_rows(TABLE, rows)
        new = readme(rows)[1]
        with open(README, "w", encoding="utf-8") as file:
            file.write(new)
    elif arguments == ["check"]:
        old, new = readme(read(TABLE))
        if old != new:
            print("README.md does not say what docs/measurements/build.csv says; run tools/bazel/times.py write")
            return 1
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
