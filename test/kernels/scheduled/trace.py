#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the trace of a kernel's schedules, and its page, with the remarks of the same compilation.

    trace.py --tileiras PATH --tileir-run PATH [--archs sm_80,sm_90] KERNEL.tileirbc...

Every loop has one remark, one `region` of the trace and one section of the page; their intervals, bounds, stages,
pipeline depths and generators are equal, the operations of a region begin at their rows and stages, and each dependence
leads from one to another.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

# A figure's name in remarks, in the trace, and on the page.
FIGURES = [("II", "II", "II"), ("ResMII", "ResMII", "resources"), ("FineMII", "FineMII", "bandwidth"), ("RecMII", "RecMII", "recurrences"),
           ("DepMII", "DepMII", "depths"), ("Stages", "stages", "stages"), ("RingDepth", "ringDepth", "pipeline depth")]


def fail(text):
    sys.exit(f"FAILED: {text}")


def compile_to(options, kernel, arch, path):
    """Returns the remarks of a compilation that writes its trace to `path`."""
    done = subprocess.run([options.tileiras, kernel, "--gpu-name", arch, "-O3", "--emit=ptx", "-o", path + ".ptx", "--remarks=schedule",
                           f"--pass-pipeline=tileir{{pipeline-strategy=unspecialize v2-opt-level=3 schedule-trace-file={path}}}"],
                          capture_output=True, text=True)
    if done.returncode:
        fail(f"{kernel} {arch}: {done.stderr[:2000]}")
    return done.stdout


def told_by_remarks(text):
    found = []
    for block in text.split("remark[")[1:]:
        values = dict(re.findall(r"= note: (\w+) = (.+)", block))
        found.append(tuple(int(values[name]) for name, _, _ in FIGURES) + (values["Generator"],))
    return sorted(found)


def check_flows(path, events):
    """Checks flows: viewers draw a flow from slice to slice, and stack instants of equal time."""
    slices, ends, attempts = set(), {}, set()
    for event in events:
        place = event["pid"], event.get("tid"), event.get("ts")
        if event["ph"] == "X":
            slices.add(place)
        elif event["ph"] in "sf":
            ends.setdefault(event["id"], []).append((event["ph"], place))
        elif event["name"] == "attempt":
            if place in attempts:
                fail(f"{path}: two attempts at {place}")
            attempts.add(place)
    if not ends:
        fail(f"{path}: no flow")
    for flow, found in ends.items():
        if sorted(phase for phase, _ in found) != ["f", "s"] or not all(place in slices for _, place in found):
            fail(f"{path}: flow {flow} does not lead from slice to slice: {found}")


def told_by_trace(path):
    with open(path) as file:
        events = json.load(file)["traceEvents"]
    check_flows(path, events)
    regions = {}
    for event in events:
        if event["name"] == "region":
            regions[event["pid"], event["args"]["region"]] = event
    for event in events:
        if event.get("cat") != "anchor":
            continue
        args = event["args"]
        told = regions[event["pid"], args["region"]]
        ii, start = told["args"]["II"], event["ts"] - told["ts"] - args["iter"] * told["args"]["II"]
        if start != args["stage"] * ii + args["row"] or not 0 <= args["stage"] < told["args"]["stages"]:
            fail(f"{path}: {event} does not begin where stage and row say")
    return sorted(tuple(r["args"][name] for _, name, _ in FIGURES) + (r["args"]["generator"],) for r in regions.values())


def told_by_page(path):
    with open(path) as file:
        sections = file.read().split("<section>")[1:]
    found = []
    for section in sections:
        facts = {name.removesuffix(" (binds)"): value for name, value in re.findall(r"<span>([^<]+)</span><b>([^<]+)</b>", section)}
        missing = [name for _, _, name in FIGURES if name not in facts]
        if missing:
            fail(f"{path}: no {', '.join(missing)} among {sorted(facts)}")
        found.append(tuple(int(facts[name]) for _, _, name in FIGURES) + (facts["generator"],))
    return sorted(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--tileir-run")
    parser.add_argument("--archs", default="sm_80,sm_90", type=lambda text: text.split(","))
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()
    for kernel in options.kernels:
        for arch in options.archs:
            with tempfile.TemporaryDirectory() as folder:
                trace, page = (os.path.join(folder, "trace" + suffix) for suffix in (".json", ".html"))
                remarks = told_by_remarks(compile_to(options, kernel, arch, trace))
                again = told_by_remarks(compile_to(options, kernel, arch, page))
                told = told_by_trace(trace), told_by_page(page)
            name = f"{os.path.basename(kernel)} {arch}"
            if not remarks:
                fail(f"{name}: no loop has a schedule")
            for what, other in zip(("a second run", "the trace", "the page"), (again,) + told):
                if other != remarks:
                    fail(f"{name}: {what} says {other}, remarks {remarks}")
            print(f"ok: {name}: {len(remarks)} loops")


if __name__ == "__main__":
    main()
