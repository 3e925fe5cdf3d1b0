# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels in the emulator: its counts, and the time of a launch in its timing model; cached by hash."""

import json
import os
import re
import subprocess
import tempfile

import launches

HERE = os.path.dirname(os.path.abspath(__file__))
# A script calls the closed compiler and passes its PTX to tileir-run.
CLOSED = os.path.join(HERE, "..", "lib", "closed_compiler.sh")
COLUMNS = ["in_flight", "model_cycles", "model_bound"]


def read_figures(text):
    """Returns the two JSON texts of `--stats=json --timing=json`, which follow the kernel's output. Raises a
    JSONDecodeError if there are none."""
    decoder = json.JSONDecoder()
    stats, end = decoder.raw_decode(text, max(text.find('{"warp_instructions"'), 0))
    return stats, decoder.raw_decode(text[end:].lstrip())[0]


def figures_of(stats, timing):
    """Returns columns from the two JSON texts. Bytes in flight: the mean at the issue of tensor instructions that a
    copy follows, in the order of the model; if no copy follows, at all of them; without tensor instructions the peak.
    Cycles: of an SM per block, at full occupancy."""
    flight, steady = stats["in_flight"], timing["in_flight"]
    bytes_in_flight = flight["peak_bytes"] + flight["peak_load_bytes"]
    if stats["tensor_issues"]["count"]:
        bytes_in_flight = (steady if steady["count"] else flight)["at_tensor_issue"]["mean"]
    return {
        "in_flight": round(bytes_in_flight),
        "model_cycles": round(timing["cycles_cta"] / timing["ctas_sm"]),
        "model_bound": timing["bound"],
        "tensor_share": timing["util"]["tensor"],
    }


class Emulator:
    """Runs tileir-run on kernels with a launch: a case of test/kernels in the folder `cases`, or of launches.py, with
    `trips` if given."""

    def __init__(self, program, cases, store, limit=300, trips=None):
        self.program, self.cases, self.store, self.limit, self.trips = program, cases, store, limit, trips

    def run(self, builder, kernel, arch, ctas):
        """Returns columns for `ctas` blocks per SM ("": as many as PTX says); {} if the kernel has no launch;
        {"emulator": why} if it does not run without findings."""
        sources = (self.program, builder.program, builder.ptxas, kernel)
        compiler = CLOSED if builder.name == "closed" else builder.program

        def make(scratch):
            return launches.write(kernel, scratch, self.cases, self.trips), ["--arch=" + arch, "--compiler=" + os.path.realpath(compiler)]

        given = launches.given(kernel, self.cases)
        parts = [*map(self.store.hash_of, sources + ((given,) if given else ())), arch, ctas]
        return self._remembered(parts, make, ctas)

    def run_triton(self, triton, kernel, arch, config, ctas):
        """Runs a kernel that Triton compiles."""
        sources = map(self.store.hash_of, (self.program, triton.ptxas, *triton.sources))

        def make(scratch):
            told = triton.launch(kernel, arch, scratch) if launches.launch(kernel) else None
            if not told:
                return None, []
            with open(os.path.join(scratch, "out.ptx")) as text:
                target = re.search(r"^\.target (\w+)", text.read(), re.M).group(1)
            return launches.write_triton(kernel, told, scratch, self.trips), ["--arch=" + target]

        return self._remembered([*sources, triton.version, kernel, arch, config, ctas], make, ctas)

    def _remembered(self, parts, make, ctas):
        key = self.store.key("emulated 5", self.trips, self.store.hash_of(os.path.join(HERE, "launches.py")), *parts)
        found = self.store.read(key)
        if found is None:
            with tempfile.TemporaryDirectory(prefix="tileir-launch-") as scratch:
                case, more = make(scratch)
                found = self._run(case, more + ([f"--ctas-per-sm={ctas}"] if ctas else [])) if case else {}
            if "emulator" not in found:
                self.store.write(key, found)
        return found

    def _run(self, case, more):
        argv = [self.program, case, "--device=emulated", "--stats=json", "--timing=json", *more]
        try:
            done = subprocess.run(argv, capture_output=True, text=True, timeout=self.limit)
        except subprocess.TimeoutExpired:
            return {"emulator": f"stopped after {self.limit} s"}
        if done.returncode:
            return {"emulator": (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[0][:200]}
        try:
            stats, timing = read_figures(done.stdout)
        except json.JSONDecodeError:
            return {"emulator": f"no figures of {os.path.basename(case)}: {done.stdout[:80]!r} {done.stderr[:200]!r}"}
        return figures_of(stats, timing)
