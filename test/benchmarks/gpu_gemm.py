#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times matmul, attention and row kernels on a GPU: ours, the closed compiler's, Triton's, cuBLAS.

  bazel run //test/benchmarks:gpu_gemm                          compiles, checks, times; without a GPU a dry run, which says so
  bazel run //test/benchmarks:gpu_gemm -- --dry-run             compiles all of it, checks every launch, prints what would run
  bazel run //test/benchmarks:gpu_gemm -- --bundle gpu          the same, and keeps the folder `gpu`
  bazel run //test/benchmarks:gpu_gemm -- --only rows           row kernels alone; `--only 'gemm bf16,attention causal'`: those
  python3 gpu/gpu_gemm.py --from gpu --out gpu/found            on a machine with a GPU: Python and the driver, nothing else
  bazel run //test/benchmarks:gpu_gemm -- --out docs/measurements    where the results belong

Kernels are those of test/data/perf: matmul with M = N = K from 1024 to 16384, attention by head size and mask at 2048
to 16384 tokens, element-wise and row kernels that move up to 512 MiB. All tiles of the set run, compiled by each
compiler; the table shows the best of each. cuBLAS is used if libcublasLt is found. For bytes (e4m3, int8) cuBLAS gets B
stored as N x K, and so does Triton for e4m3: the layout that wgmma takes; ours and the closed compiler's kernels read
it as K x N, except for `nt`. `fast`: e4m3 accumulation that stays in the tensor core; Triton's always does, so its
result is listed there alone. Attention: four query heads share one head of keys; Triton's has one each, with equal
contents. Rows: bytes that must be read and written once, by the time; beside them the driver's own copy, which reads
half as much and writes it.

Before the timing, results are compared with elements computed on the host and, whole, with the other programs'. Each
round then runs every program once, with the L2 cache flushed before each; the result is the median of the rounds. A
problem is one process: a program that faults or hangs is named and excluded, and the problem starts again without it.
"""

import argparse
import csv
import datetime
import fnmatch
import io
import json
import os
import platform
import statistics
import struct
import subprocess
import sys
import tempfile
import textwrap
import time

import gpu_checks
import gpu_device
import gpu_launch

SIDES = ["ours", "closed", "Triton", "cuBLAS"]
COPY = "copy"  # the driver's, beside row kernels; no peer
# The reference of the results: the oldest and most used implementation.
TRUST = ["cuBLAS", "Triton", "closed", "ours"]
COLUMNS = ("what problem type size mask depth set kernel ok error rounds median_ms min_ms max_ms tflops gbps sample_error max_difference "
           "mean_difference mhz watts gpu cuda driver date").split()
ERRORS = (gpu_device.DeviceError, gpu_launch.LaunchError)


class Lost(Exception):
    """A problem ended early while no program was running."""


def interleave(names, rounds, warm, time_of, warm_seconds=0.0, clock=time.monotonic):
    """Returns {name: milliseconds of each round}: a round runs every name once, in order. Warm-up rounds do not count;
    more than `warm` run until an idle device has raised its clocks."""
    times, start, number = {name: [] for name in names}, clock(), 0
    while names and (number < warm or clock() - start < warm_seconds):
        for name in names:
            time_of(name)
        number += 1
    for _ in range(rounds):
        for name in names:
            times[name].append(time_of(name))
    return times


def figures(times, problem):
    """Returns columns of one program's rounds."""
    middle = statistics.median(times)
    found = {"rounds": len(times), "median_ms": round(middle, 5), "min_ms": round(min(times), 5), "max_ms": round(max(times), 5)}
    if "bytes" in problem:
        return {**found, "gbps": round(problem["bytes"] / middle / 1e6, 1)}
    return {**found, "tflops": round(problem["flops"] / middle / 1e9, 1)}


def best(rows, side):
    """Returns the fastest valid row of a side, or None."""
    right = [r for r in rows if r["set"] == side and r["ok"]]
    return min(right, key=lambda r: r["median_ms"]) if right else None


def cell(rows, side):
    found = best(rows, side)
    if found:
        tile = found["kernel"].rsplit("_", 1)[1] if found["kernel"] and found["what"] != "rows" else ""
        form = "persistent " if "persistent" in found["kernel"] else ""
        named = f", {form}{tile}" if tile else ""
        speed = found["gbps"] if found["what"] == "rows" else found["tflops"]
        return f"{speed:.0f} ({found['median_ms']:.3g} ms, {found['min_ms']:.3g} to {found['max_ms']:.3g}{named})"
    wrong = [r for r in rows if r["set"] == side]
    return wrong[0]["error"].split(":")[0] if wrong else "-"


def quotient(rows):
    """Returns the speed of ours relative to the fastest peer."""
    ours, peers = best(rows, "ours"), [best(rows, s) for s in SIDES[1:]]
    peers = [p["median_ms"] for p in peers if p]
    return f"{min(peers) / ours['median_ms']:.2f}" if ours and peers else "-"


def sides_of(what):
    return SIDES[:3] + [COPY] if what == "rows" else SIDES


# Tables: what, title, columns that name a line, and their heads.
TABLES = [("gemm", "GEMM", ("type", "size"), ["type", "M = N = K"]),
          ("attention", "Attention", ("mask", "depth", "size"), ["mask", "head", "length"]),
          ("rows", "Rows", ("problem", "size"), ["kernel", "array"])]


def table(rows, what):
    """Returns lines of a Markdown table of matmul, attention or row kernels."""
    (_, _, key, heads), = (t for t in TABLES if t[0] == what)
    groups = {}
    for row in rows:
        if row["what"] == what:
            groups.setdefault(tuple(row[k] for k in key), []).append(row)
    sides = sides_of(what)
    lines = ["| " + " | ".join(heads + sides + ["ours / best peer"]) + " |", "|" + "---|" * (len(heads) + len(sides) + 1)]
    for names, found in groups.items():
        lines.append("| " + " | ".join([*map(str, names), *(cell(found, s) for s in sides), quotient(found)]) + " |")
    return lines if groups else []


def csv_text(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n", extrasaction="ignore", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def conditions(bundle, facts):
    versions = ", ".join(f"{k} {v}" for k, v in {**bundle["versions"], **facts.get("versions", {})}.items())
    read = f"{facts['sm_mhz_max']} MHz at most, memory {facts['memory_mhz_max']} MHz at most" if facts.get("sm_mhz_max") else "clocks not told"
    return [f"{facts['gpu']} ({facts['sms']} SMs, {read}), driver {facts.get('driver') or '?'} (CUDA {facts['cuda']}), "
            f"{facts['date']}; {bundle['arch']}; {versions}."]


def page(rows, bundle, facts, command):
    """Returns docs/measurements/gpu.md."""
    made = textwrap.wrap(f"Made by `{command}`. " + " ".join(conditions(bundle, facts)), 120)
    lines = ["# GEMM, attention and row kernels on a GPU", "", *made, "",
             "Each cell has TFLOP/s of the median time, GB/s for row kernels. In brackets are the median, the shortest and the longest",
             "time, and the fastest tile of that compiler. `gpu.csv` has all tiles, and clocks and power at the end of each problem.",
             "`--help` describes the comparison."]
    for what, title, _, _ in TABLES:
        found = table(rows, what)
        if found:
            lines += ["", f"## {title}", "", *found]
    failed = [r for r in rows if not r["ok"]] + [{"set": r["side"], "kernel": r["kernel"], "error": r["why"]} for r in bundle["refused"]]
    if failed:
        lines += ["", "## Left out", ""]
        lines += [f"- {r['set']} {r['kernel']} {r.get('what', '')} {r.get('problem', '')}".rstrip() + f": {r['error']}" for r in failed]
    return "\n".join(lines) + "\n"


def base_row(problem):
    row = {k: problem.get(k, "") for k in ("what", "type", "mask", "depth")}
    size = {"gemm": lambda: problem["extents"][0], "attention": lambda: problem["length"],
            "rows": lambda: " x ".join(str(n) for n in problem["shapes"]["x"] if n > 1)}[problem["what"]]()
    return {**row, "problem": problem["label"].split(" ", 1)[1], "size": size}


class Memory:
    """The buffers of one problem on a device."""

    def __init__(self, device, problem):
        self.device, self.problem = device, problem
        self.at = {name: device.allocate(self.size(name)) for name in problem["buffers"]}

    def size(self, name):
        told = self.problem["buffers"][name]
        return told["count"] * self.width(told["dtype"])

    @staticmethod
    def width(dtype):
        return {"e4m3": 1, "i8": 1, "f32": 4, "i32": 4}.get(dtype, 2)

    def scratch(self, size):
        """Allocates zeroed scratch memory for a kernel."""
        at = self.device.allocate(size)
        if hasattr(self.device, "fill"):
            self.device.fill(at, 0, max(1, size))
        return at

    def fill(self, data, transpose):
        """Fills inputs: the table once, then copies of doubling size; derived inputs follow from these."""
        for name in self.problem["buffers"]:
            size = self.size(name)
            if name in gpu_checks.START:
                table = data.table(name)[:size]
                self.device.upload(self.at[name], table)
                done = len(table)
                while done < size:
                    more = min(done, size - done)
                    self.device.copy(self.at[name] + done, self.at[name], more)
                    done += more
        for name, told in self.problem["buffers"].items():
            if "transposed" in told:
                transpose(self.at[told["transposed"]], self.at[name], told["rows"], told["count"] // told["rows"])
            elif "repeated" in told:
                run = told["run"] * self.width(told["dtype"])
                for number in range(told["count"] // told["run"]):
                    self.device.copy(self.at[name] + number * run, self.at[told["repeated"]] + number // told["times"] * run, run)


class Helpers:
    """The kernels of gpu_helpers.ptx."""

    BLOCK = [256, 1, 1]

    def __init__(self, device, folder):
        self.device, self.path = device, os.path.join(folder, "helpers.cubin")
        self.found = device.allocate(16)
        self.grid = [8 * device.sms, 1, 1]

    def prepared(self, entry, *words):
        function = self.device.load(self.path, entry, 0)
        return gpu_device.Prepared(function, self.grid, self.BLOCK, 0, [struct.pack("<Q", w) for w in words])

    def run(self, entry, *words):
        self.device.launch(self.prepared(entry, *words))
        self.device.synchronize()

    def reader(self, at, size):
        """Returns a launch that reads that many bytes."""
        return self.prepared("read", at, size // 16, self.found)

    def transpose(self, source, to, rows, columns):
        self.run("transpose_u8", source, to, rows, columns)

    def difference(self, dtype, a, b, count):
        """Returns (largest, mean) of |a - b| relative to the largest and the mean |b|; infinite if some value is
        NaN."""
        self.device.fill(self.found, 0, 16)
        self.run("difference_" + dtype, a, b, count, self.found)
        most, largest, total, magnitude = struct.unpack("<4f", self.device.download(self.found, 16))
        shares = (most / largest if largest else most, total / magnitude if magnitude else total)
        return [s if s == s else float("inf") for s in shares]


def name_of(program):
    return f"{program['side']} {program['kernel']}"


def contenders(device, folder, bundle, problem, memory, without, cublas, tell):
    """Returns {name: (side, kernel, launching function)} in the order of a round."""
    found, loaded = {}, {}

    def add(name, side, kernel, make):
        if name in without:
            return
        tell({"event": "begin", "name": name})
        try:
            found[name] = side, kernel, make()
        except ERRORS as why:
            tell({"event": "left out", "name": name, "why": str(why)})

    def of_bundle(launch):
        prepared = gpu_launch.prepare(device, folder, bundle, problem, launch, memory.at, loaded, memory.scratch)
        return lambda: device.launch(prepared)

    def of_cublas():
        second = memory.at["bt" if "bt" in memory.at else "b"]
        return gpu_device.Cublas(cublas, device).product(problem, memory.at["a"], second, memory.at["out"])

    def of_copy():
        size, held = problem["bytes"] // 2, memory.size("x")
        source, to = device.allocate(size), device.allocate(size)
        for at in range(0, size, held):
            device.copy(source + at, memory.at["x"], min(held, size - at))
        return lambda: device.copy_async(to, source, size)

    programs = [bundle["programs"][x["program"]] for x in problem["launches"]]
    asked = False
    for number, (program, launch) in enumerate(zip(programs, problem["launches"])):
        add(name_of(program), program["side"], program["kernel"], lambda launch=launch: of_bundle(launch))
        last = number + 1 == len(programs) or programs[number + 1]["kernel"] != program["kernel"]
        if cublas and problem["what"] == "gemm" and last and not asked:
            asked = True
            add("cuBLAS", "cuBLAS", "", of_cublas)
    if problem["what"] == "rows":
        add(COPY, COPY, "", of_copy)
    return found


def check(device, problem, memory, helpers, runs, expected, tell):
    """Returns {name: columns of its errors}; wrong results have an "error". `expected`: samples by output."""
    outputs = {name: problem["buffers"][name] for name in expected}
    references, first, found = {name: device.allocate(memory.size(name)) for name in outputs}, None, {}

    def errors_of(name):
        worst = {"sample_error": 0.0, "max_difference": 0.0, "mean_difference": 0.0}

        def note(column, value):
            worst[column] = max(worst[column], float(f"{value:.3g}"))

        for output, told in outputs.items():
            at, dtype, width = memory.at[output], told["dtype"], memory.width(told["dtype"])
            limit = gpu_checks.tolerance(problem, output)
            named = "" if len(outputs) == 1 else f" of {output}"
            error = gpu_checks.worst(expected[output], lambda n, count: gpu_checks.decode(dtype, device.download(at + n * width, count * width)))
            note("sample_error", error)
            if error > limit:
                return {"sample_error": worst["sample_error"], "error": f"wrong result: an element{named} is off by {error:.3g} of the largest"}
            if first is None:
                # Compared with itself: every element is a number.
                device.copy(references[output], at, memory.size(output))
            largest, mean = helpers.difference(dtype, at, references[output], told["count"])
            note("max_difference", largest)
            note("mean_difference", mean)
            if not (largest <= limit and mean <= limit):
                return {**worst, "error": f"wrong result: off{named} by {largest:.3g} of the largest, {mean:.3g} in the mean, from {first or name}"}
        return worst

    for name in sorted((n for n in runs if runs[n][0] in TRUST), key=lambda n: TRUST.index(runs[n][0])):
        tell({"event": "begin", "name": name})
        for output in outputs:
            device.fill(memory.at[output], 0xFF, memory.size(output))  # NaN: unwritten elements show
        runs[name][2]()
        device.synchronize()
        found[name] = errors_of(name)
        if first is None and "error" not in found[name]:
            first = name
    return found


def run_problem(device, folder, bundle, problem, without, args, cublas, tell):
    """Runs one problem on a device; reports its rows."""
    memory, helpers = Memory(device, problem), Helpers(device, folder)
    data = gpu_checks.Data(problem["buffers"], folder)
    memory.fill(data, helpers.transpose)
    device.flush_with(helpers.reader)
    device.synchronize()
    runs = contenders(device, folder, bundle, problem, memory, without, cublas, tell)
    errors = check(device, problem, memory, helpers, runs, gpu_checks.samples(problem, data), tell)
    timed = [n for n in runs if "error" not in errors.get(n, {})]

    def time_of(name):
        tell({"event": "begin", "name": name})
        return device.time(runs[name][2])

    times = interleave(timed, args.rounds, args.warm, time_of, args.warm_seconds)
    clocks = gpu_device.Nvml(device.bus).read()
    for name, (side, kernel, _) in runs.items():
        row = {**base_row(problem), "set": side, "kernel": kernel, "ok": int(name in times), **errors.get(name, {})}
        if name in times:
            row.update(figures(times[name], problem), **clocks)
        tell({"event": "row", "row": row})
    tell({"event": "done"})


def child(args, bundle):
    """Runs one problem in a process of its own; results go to standard output, one JSON object per line."""
    def tell(message):
        print(json.dumps(message), flush=True)

    device, problem = gpu_device.Cuda(), bundle["problems"][args.child]
    facts = device.facts()
    cublas = None if args.no_cublas or problem["what"] != "gemm" else gpu_device.find_cublas()
    facts.update(driver=gpu_device.Nvml(device.bus).driver(), versions={"cuBLAS": cublas[1]} if cublas else {})
    tell({"event": "facts", "facts": facts})
    wanted = bundle["arch"][3:].rstrip("af")
    if facts["capability"].replace(".", "") != wanted:
        tell({"event": "stop", "why": f"the GPU has compute capability {facts['capability']}, the bundle is for {bundle['arch']}"})
        return 2
    try:
        run_problem(device, args.folder, bundle, problem, set(json.loads(args.without)), args, cublas and cublas[0], tell)
    except ERRORS as why:
        tell({"event": "failed", "why": str(why)})
        return 1
    return 0


def messages_of(argv, patience):
    """Returns (messages of a child, why it ended early or "")."""
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    why = ""
    try:
        out, err = process.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        why = f"no end after {patience} s"
    found = []
    for line in out.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:  # cut off, or a library's
            continue
    if process.returncode and not why:
        told = [m["why"] for m in found if m["event"] == "failed"]
        why = told[0] if told else (err.strip().splitlines() or [f"exit {process.returncode}"])[-1]
    return found, why


def outcome(problem, start):
    """Returns (rows, facts) of a problem. `start(without)` gives the messages of a process and why it ended early; the
    running program is then excluded from the next process."""
    without, left_out, facts = set(), [], {}

    def lost(name, why):
        side, _, kernel = name.partition(" ")
        return {**base_row(problem), "set": side, "kernel": kernel, "ok": 0, "error": why}

    while True:
        messages, why = start(sorted(without))
        at_work, rows = None, []
        for message in messages:
            if message["event"] == "stop":
                raise gpu_device.DeviceError(message["why"])
            facts = message.get("facts", facts)
            at_work = message["name"] if message["event"] == "begin" else at_work
            if message["event"] == "row":
                rows.append(message["row"])
            elif message["event"] == "left out":
                rows.append(lost(message["name"], "does not load: " + message["why"]))
        if not why:
            return rows + left_out, facts
        if at_work is None or at_work in without:
            raise Lost(f"{problem['label']}: {why}")
        without.add(at_work)
        left_out.append(lost(at_work, "failed: " + why))


def run(args, bundle):
    """Runs all problems on the GPU; prints and writes rows as they arrive."""
    rows, facts, lost, start = [], {}, [], time.monotonic()
    problems = in_order(bundle["problems"], args.only)
    for place, (number, problem) in enumerate(problems):
        begun = time.monotonic()
        if args.seconds and begun - start > args.seconds:
            print(f"{len(problems) - place} problems left out after {args.seconds} s, from {problem['label']} on")
            break

        def process(without, number=number):
            return messages_of([sys.executable, os.path.abspath(__file__), "--from", args.folder, "--child", str(number), "--without",
                                json.dumps(without), "--rounds", str(args.rounds), "--warm", str(args.warm), "--warm-seconds",
                                str(args.warm_seconds), *(["--no-cublas"] if args.no_cublas else [])], args.patience)

        try:
            found, told = outcome(problem, process)
        except Lost as why:
            # The next problem is another process, which may succeed.
            lost.append(str(why))
            print(f"{why}, so it is left out", flush=True)
            continue
        told["versions"] = {**facts.get("versions", {}), **told.get("versions", {})}
        facts = {**told, "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")}
        rows += [{**r, **{k: facts.get(k, "") for k in ("gpu", "cuda", "driver", "date")}} for r in found]
        took = time.monotonic() - begun
        print(f"{problem['label']}: " + "; ".join(f"{s} {cell(found, s)}" for s in sides_of(problem["what"])) + f"; {took:.1f} s", flush=True)
        if args.out:
            write(args.out, rows, bundle, facts, args.command)
    print()
    if rows:
        print("\n\n".join("\n".join(lines) for lines in [conditions(bundle, facts), *(table(rows, what) for what, *_ in TABLES)] if lines))
    for row in rows:
        if not row["ok"]:
            print(f"{row['set']} {row['kernel']} {row['what']} {row['problem']}: {row['error']}")
    return 0 if not lost and any(r["set"] == "ours" for r in rows) and all(r["ok"] for r in rows if r["set"] == "ours") else 1


def write(folder, rows, bundle, facts, command):
    os.makedirs(folder, exist_ok=True)
    for name, text in (("gpu.csv", csv_text(rows)), ("gpu.md", page(rows, bundle, facts, command))):
        with open(os.path.join(folder, name + ".part"), "w", newline="") as out:
            out.write(text)
        os.replace(os.path.join(folder, name + ".part"), os.path.join(folder, name))


def dry_run(folder, bundle, log=print):
    """Checks every launch of a bundle like a driver, and prints what would run. Returns the number of launches."""
    can_call = platform.machine() == "x86_64"  # the machine of the host objects
    count, gib = 0, 0.0
    for problem in bundle["problems"]:
        device = gpu_device.Pretended()
        memory, loaded, sides = Memory(device, problem), {}, {}
        for launch in problem["launches"]:
            program = bundle["programs"][launch["program"]]
            if program.get("host") and not can_call:
                continue
            try:
                device.launch(gpu_launch.prepare(device, folder, bundle, problem, launch, memory.at, loaded, memory.scratch))
            except ERRORS as why:
                raise gpu_device.DeviceError(f"{problem['label']}, {name_of(program)}: {why}") from None
            sides.setdefault(program["side"], []).append(program["kernel"])
        count += device.launches
        outputs = [n for n, told in problem["buffers"].items() if told.get("output")]
        size = sum(memory.size(n) for n in [*memory.at, *outputs]) / 2**30
        gib = max(gib, size)
        work = f"{problem['bytes'] / 2**20:.0f} MiB moved" if "bytes" in problem else f"{problem['flops'] / 1e9:.0f} GFLOP"
        log(f"{problem['label']}: {work}, {size:.2f} GiB; "
            + ", ".join(f"{s} {len(k)}" for s, k in sides.items()) + (", cuBLAS where it is installed" if problem["what"] == "gemm" else ""))
    for refused in bundle["refused"]:
        log(f"left out: {refused['side']} {refused['kernel']}: {refused['why']}")
    log(f"{len(bundle['programs'])} programs, {len(bundle['problems'])} problems, {count} launches checked, at most {gib:.1f} GiB")
    return count


def chosen(globs):
    """Returns whether the name of a problem begins with one of the comma-separated globs."""
    return lambda label: any(fnmatch.fnmatchcase(label, glob + "*") for glob in globs.split(","))


def in_order(problems, globs):
    """Returns [(number, problem)] of the chosen problems, in the order of the globs."""
    found = {n: p for glob in globs.split(",") for n, p in enumerate(problems) if chosen(glob)(p["label"])}
    return list(found.items())


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", help=argparse.SUPPRESS)
    parser.add_argument("--folder-of-kernels", help=argparse.SUPPRESS)
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--without", default="[]", help=argparse.SUPPRESS)
    parser.add_argument("--dry-run", action="store_true", help="compile and check; run nothing")
    parser.add_argument("--bundle", metavar="DIR", help="compile into this folder, check, and stop")
    parser.add_argument("--from", dest="folder", metavar="DIR", help="run what --bundle wrote; compiles nothing")
    parser.add_argument("--arch", default="sm_90a", help="target (default: %(default)s)")
    parser.add_argument("--ptxas", metavar="PATH", help="assembler of all programs (default: TILEIR_PTXAS_PATH)")
    parser.add_argument("--kernels", default="*", metavar="GLOB", help="names of kernels of test/data/perf (default: all that are launched as theirs is)")
    parser.add_argument("--only", default="*", metavar="GLOB,...", help="problems whose name begins so, in this order: 'rows', 'gemm bf16', 'attention * d128'")
    parser.add_argument("--sizes", help="M = N = K, comma separated")
    parser.add_argument("--lengths", help="tokens of a sequence, comma separated")
    parser.add_argument("--moved", type=int, metavar="MIB", help="bytes that a row kernel moves at most (default: 512 MiB)")
    parser.add_argument("--no-peers", action="store_true", help="ours alone, and cuBLAS where it is installed")
    parser.add_argument("--no-cublas", action="store_true", help="leave cuBLAS out")
    parser.add_argument("--require-gpu", action="store_true", help="fail where there is no GPU")
    parser.add_argument("--rounds", type=int, default=21, help="timed rounds (default: %(default)s)")
    parser.add_argument("--warm", type=int, default=3, help="rounds before them, at least (default: %(default)s)")
    parser.add_argument("--warm-seconds", type=float, default=0.3, help="seconds that those take at least (default: %(default)s)")
    parser.add_argument("--patience", type=int, default=120, help="seconds for one problem; then what is at work is taken to hang (default: %(default)s)")
    parser.add_argument("--seconds", type=int, default=0, help="begin no problem after this many seconds")
    parser.add_argument("--out", metavar="DIR", help="write gpu.csv and gpu.md here, after every problem")
    return parser


def compile_all(args, parser, folder):
    """Compiles a bundle in `folder`."""
    import compilers
    import gpu_bundle
    import triton_peer

    ptxas = compilers.find_tool("TILEIR_PTXAS_PATH", args.ptxas) or parser.error("no ptxas: set TILEIR_PTXAS_PATH or pass --ptxas")
    closed = triton = None
    if not args.no_peers:
        closed = compilers.find_tool("TILEIR_PEER_TILEIRAS", None)
        # Triton only compiles here: nothing is disassembled or cached.
        triton = triton_peer.find(ptxas, None, None)
        for there, what in ((closed, "the closed tileiras"), (triton, "Triton")):
            if not there:
                print(f"{what} is not installed (tools/setup/setup.sh --peers): it is left out", file=sys.stderr)
    paths = [os.path.join(args.folder_of_kernels, f) for f in sorted(os.listdir(args.folder_of_kernels)) if f.endswith(".tileirbc")]
    paths = [p for p in paths if fnmatch.fnmatch(os.path.basename(p).removesuffix(".tileirbc"), args.kernels)]
    sizes, lengths = ([int(x) for x in text.split(",")] if text else None for text in (args.sizes, args.lengths))
    builder = gpu_bundle.Builder(folder, args.arch, args.ours, ptxas, closed, triton, compilers.find_tool("TILEIR_PTXAS_PATH", None))
    bundle = builder.make(paths, sizes, lengths, mib=args.moved or gpu_bundle.MIB, wanted=chosen(args.only))
    if not bundle["problems"]:
        parser.error(f"no problem called '{args.only}' has a kernel of test/data/perf that is called '{args.kernels}'")
    return bundle


def device_here():
    """Returns why no GPU can be used, or "". A separate process checks this, so that the parent holds no context."""
    code = "import gpu_device; gpu_device.Cuda()"
    done = subprocess.run([sys.executable, "-c", code], cwd=os.path.dirname(os.path.abspath(__file__)), capture_output=True, text=True)
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["?"])[-1].removeprefix("gpu_device.DeviceError: ")


def main():
    parser = options()
    args = parser.parse_args()
    args.command = "bazel run //test/benchmarks:gpu_gemm"
    if args.child is not None:
        with open(os.path.join(args.folder, "bundle.json")) as text:
            return child(args, json.load(text))
    if not args.folder and not args.ours:
        parser.error("--from DIR names what to run; compiling is `bazel run //test/benchmarks:gpu_gemm`")
    with tempfile.TemporaryDirectory(prefix="tileir-gpu-") as scratch:
        try:
            dry = args.dry_run or args.bundle
            missing = "" if dry else device_here()
            if missing and args.require_gpu:
                raise gpu_device.DeviceError(missing)
            if args.folder:
                with open(os.path.join(args.folder, "bundle.json")) as text:
                    bundle = json.load(text)
            else:
                args.folder = args.bundle or scratch
                bundle = compile_all(args, parser, args.folder)
            if missing:
                print(f"no GPU here, so this is a dry run: {missing}")
            if dry or missing:
                dry_run(args.folder, bundle)
                if args.bundle:
                    print(f"wrote {args.bundle}; on the machine with the GPU: python3 {args.bundle}/gpu_gemm.py --from {args.bundle}")
                return 0
            return run(args, bundle)
        except ERRORS as why:
            print(f"error: {why}", file=sys.stderr)
            return 1


if __name__ == "__main__":
    sys.exit(main())
