# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs compiled kernels on host arrays in the emulator."""
import contextlib
import dataclasses
import functools
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _memory
from ._programs import program
from .errors import Finding, KernelError, LaunchError, error_for, read_findings

#: Checks that can be switched off.
CHECKS = ("race", "init", "bounds", "align", "deadlock", "convergence", "lifetime", "protocol")

#: Seconds until a run says that it is still there.
_PATIENCE = 2.0


@dataclasses.dataclass
class Run:
    """The result of a launch."""

    #: The GPU, as "sm_90".
    gpu: str
    #: Name of the kernel; of one of cuTile that of its function.
    kernel: str
    #: Blocks of the grid.
    grid: Tuple[int, int, int]
    #: Seconds that the emulator took.
    seconds: float
    #: Text that the kernel printed.
    printed: str
    #: What `tileir-run --stats=json` counts: "warp_instructions", "global_sectors", "bytes", "occupancy" and others.
    counters: Dict[str, Any]
    #: What `tileir-run --timing=json` estimates, with `timing=True`: "cycles", "bound", "util", "stalls" and others.
    estimate: Optional[Dict[str, Any]]
    #: What was found that is no error, as broken promises of `inbounds`, by line of text.
    notes: List[str]
    #: With `oracle=True`: what the interpreter says, as "the same answer".
    verdict: str = ""


def check_list(checks: Union[str, Sequence[str]]) -> Optional[str]:
    """The value of `--check`, None for all."""
    if checks == "all":
        return None
    if checks in ("none", "", ()):
        return "none"
    names = checks.replace(" ", "").split(",") if isinstance(checks, str) else list(checks)
    for name in names:
        if name not in (*CHECKS, "inbounds"):
            raise LaunchError(f"unknown check '{name}'; expected 'all', 'none' or some of {', '.join(CHECKS)}, inbounds")
    return ",".join(names)


@contextlib.contextmanager
def _scratch() -> Iterator[str]:
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) and "TMPDIR" not in os.environ else None
    with tempfile.TemporaryDirectory(prefix="tileir-", dir=base) as folder:
        yield folder


def _blocks_ended(path: str, blocks: int) -> Tuple[str, float]:
    """The progress of a run of `blocks` blocks, as text and as a share, from the counters of `tileir-run` in `path`."""
    with contextlib.suppress(OSError, ValueError):
        ended, all_of_them = np.fromfile(path, np.uint64, 2).tolist()
        if all_of_them:
            share = ended / all_of_them
            return f", {int(share * blocks)} of {blocks} block{'s' if blocks > 1 else ''}", share
    return "", 0.0


def _wait(process: "subprocess.Popen[bytes]", what: str, progress: Callable[[], Tuple[str, float]]) -> Tuple[bytes, bytes]:
    """The output of `process`; on a terminal, after two seconds, a line shows the progress."""
    start = time.monotonic()
    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.communicate(timeout=_PATIENCE)
    shows = sys.stderr is not None and sys.stderr.isatty()
    try:
        while True:
            if shows:
                (done, share), seconds = progress(), time.monotonic() - start
                left = f", about {seconds * (1 - share) / share:.0f} s to go" if share > 0 else ""
                sys.stderr.write(f"\r\x1b[Ktileir: {what}{done}, {seconds:.0f} s{left}")
                sys.stderr.flush()
            with contextlib.suppress(subprocess.TimeoutExpired):
                return process.communicate(timeout=1.0)
    finally:
        if shows:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        if process.poll() is None:
            process.kill()


def call(command: Sequence[str], what: str, progress: Callable[[], Tuple[str, float]] = lambda: ("", 0.0)) -> Tuple[int, str, str]:
    """Runs a program; its exit status, standard output and standard error."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        out, err = _wait(process, what, progress)
        return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")


def _json_values(text: str) -> List[Dict[str, Any]]:
    values, decoder = [], json.JSONDecoder()
    text = text.lstrip()
    while text:
        value, end = decoder.raw_decode(text)
        values.append(value)
        text = text[end:].lstrip()
    return values


class Launch:
    """One launch: its case file and its arrays."""

    def __init__(self, kernel: Any, grid: Sequence[int], values: Sequence[int], arrays: Sequence[_memory.HostArray]) -> None:
        """`values` are the bits of each visible parameter, addresses of this process for pointers, which `arrays` explain."""
        self.kernel, self.values = kernel, values
        self.grid: Tuple[int, int, int] = tuple([*grid, 1, 1, 1][:3])  # type: ignore[assignment]
        self.spans = _memory.spans(arrays)
        self.arrays = list(arrays)
        names = [span.name for span in self.spans]
        for k, span in enumerate(self.spans):
            if names.count(span.name) > 1:
                span.name = f"{span.name}#{k}"
        #: Bytes of an element, and where the first one lies, by the names that findings have for memory.
        self.places = {a.name: (a.itemsize, 0) for a in arrays} | {s.name: (s.itemsize, s.shift) for s in self.spans}

    def _address(self, index: int, value: int) -> Dict[str, Any]:
        """The argument for a pointer."""
        named = next((a for a in self.arrays if a.address == value), None)
        if named is not None:  # Arrays in the order of the parameters: the next one with this address is another argument.
            self.arrays.remove(named)
            self.arrays.append(named)
        name = named.name if named is not None else f"parameter {index}"
        for span in self.spans:
            if span.begin <= value < span.end or value == span.begin:
                return {"name": name, "buffer": span.name, "addend": value - span.begin}
        return {"name": name, "dtype": "u64", "value": value if named is None else 0}

    def write(self, folder: str) -> str:
        """Writes the case; returns its path."""
        kernel = self.kernel
        args: List[Dict[str, Any]] = []
        for index, (parameter, value) in enumerate(zip(kernel.parameters, self.values)):
            if parameter["type"] == "ptr":
                args.append(self._address(index, value))
            else:
                kind = parameter["type"] if parameter["type"] in _memory.DTYPES.values() else f"u{8 * parameter['size']}"
                args.append({"name": f"parameter {index}", "dtype": kind, "value": f"0x{value:x}" if kind[0] in "fb" else value})
        buffers = []
        for k, span in enumerate(self.spans):
            view = span.view()
            entry, written = span.case("poison"), span.written()
            if written.any():
                np.save(f"{folder}/{k}.npy", np.ascontiguousarray(view))
                entry["init"] = f"@{k}.npy"
                if not written.all():
                    np.save(f"{folder}/{k}.written.npy", np.ascontiguousarray(written).view(np.uint8))
                    entry["init_mask"] = f"{k}.written.npy"
            if any(a.is_list for a in span.arrays):
                entry.update(relocations=self._relocations(span), output=False)
            buffers.append(entry)
        path = f"{folder}/case.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"kernel": kernel.file("kernel.ptx"), "entry": kernel.name, "grid": list(self.grid), "args": args, "buffers": buffers}, file)
        return path

    def _relocations(self, span: _memory.Span) -> List[Dict[str, Any]]:
        """Addresses of arrays in memory that holds a list of arrays."""
        words = _memory.host_bytes(span.begin, span.end - span.begin)
        words = words[:words.size // 8 * 8].view(np.uint64)
        found = []
        for k, word in enumerate(words.tolist()):
            for other in self.spans:
                if other is not span and other.begin <= word < other.end:
                    found.append({"offset": 8 * k, "buffer": other.name, "addend": word - other.begin})
        return found

    def read(self, folder: str) -> None:
        """Copies the outputs of the kernel into the arrays."""
        for span in self.spans:
            path = f"{folder}/{span.name}.npy"
            if not os.path.exists(path):
                continue
            view, now = span.view(), np.load(path)
            raw = f"u{span.itemsize}"
            with contextlib.suppress(FileNotFoundError):
                # Elements that no thread has written get the pattern that marks them.
                now = np.where(np.load(f"{folder}/{span.name}.written.npy"), now.view(raw), span.unwritten().view(raw))
            changed = np.ascontiguousarray(view).view(raw) != now.view(raw)
            if not changed.any():
                continue
            if not all(a.writable for a in span.arrays):
                name = next(a.name for a in span.arrays if not a.writable)
                raise LaunchError(f"the kernel writes to '{name}', which is read-only")
            np.copyto(view, now.view(view.dtype).reshape(view.shape), where=changed.reshape(view.shape))


def emulate(launch: Launch, gpu: str, seed: Optional[int], checks: Union[str, Sequence[str]], oracle: bool, timing: bool,
            max_steps: Optional[int]) -> Run:
    """Runs `launch` and raises its findings."""
    kernel = launch.kernel
    blocks = functools.reduce(lambda a, b: a * b, launch.grid)
    with _scratch() as folder:
        case = launch.write(folder)
        out, report = f"{folder}/out", f"{folder}/report.json"
        command = [program("tileir-run"), case, f"--arch={gpu}", f"--sidecar={kernel.file('launch.json')}", f"--out={out}",
                   "--out-written", f"--report={report}", f"--progress={folder}/progress", "--stats=json"]
        chosen = check_list(checks)
        command += [] if chosen is None else [f"--check={chosen}"]
        command += [] if seed is None else [f"--seed={seed}"]
        command += ["--timing=json"] if timing else []
        command += [] if max_steps is None else [f"--max-cycles={max_steps}"]
        start = time.monotonic()
        status, stdout, stderr = call(command, f"'{kernel.title}' on {gpu}", functools.partial(_blocks_ended, f"{folder}/progress", blocks))
        seconds = time.monotonic() - start
        try:
            with open(report, encoding="utf-8") as file:
                outcome = json.load(file)
        except (OSError, ValueError):
            outcome = {"outcome": "error", "message": stderr.strip() or f"tileir-run ended with status {status}"}
        if outcome["outcome"] == "error":
            raise LaunchError(outcome["message"])
        printed = ""
        with contextlib.suppress(FileNotFoundError):
            with open(f"{out}/stdout.txt", encoding="utf-8", errors="replace", newline="") as file:
                printed = file.read()
        values = _json_values(stdout[len(printed):]) + [{}, {}]
        run = Run(gpu=gpu, kernel=kernel.title, grid=launch.grid, seconds=seconds, printed=printed, counters=values[0],
                  estimate=values[1] if timing else None, notes=[line for line in stderr.splitlines() if line.startswith("note: ")])
        findings = read_findings(outcome, launch.places)
        if oracle:
            run.verdict, findings = _judge(launch, folder, findings)
        elif findings and findings[0].kind in _PLACED:
            findings = _with_lines(findings, _interpret(launch, folder, f"--max-ops={_MAX_OPERATIONS}")[1])
        launch.read(out)
    if printed:
        sys.stdout.write(printed)
        sys.stdout.flush()
    if findings:
        raise error_for(findings, run, run.verdict)
    return run


#: Largest difference between compiled code and interpreter, as a share of the largest value of the array: the order of sums is open.
_TOLERANCE = {"f64": 1e-9, "f32": 1e-4, "f16": 2e-2, "bf16": 5e-2}


#: Kinds of findings of which the interpreter names the line; others it sees later than the emulator.
_PLACED = ("bounds", "race")

#: Operations after which the interpreter gives up, where it is only asked for a line.
_MAX_OPERATIONS = 2_000_000


def _interpret(launch: Launch, folder: str, *options: str) -> Tuple[str, List[Finding]]:
    """Runs the interpreter on the same case; returns the reason of a failure, and findings. Outputs are below `oracle`."""
    with open(f"{folder}/case.json", encoding="utf-8") as file:
        case = json.load(file)
    case["kernel"] = launch.kernel.file("kernel.tileirbc")
    with open(f"{folder}/oracle.json", "w", encoding="utf-8") as file:
        json.dump(case, file)
    report = f"{folder}/oracle-report.json"
    status, _, stderr = call([program("tileir-interp"), f"{folder}/oracle.json", f"--out={folder}/oracle", f"--report={report}", *options],
                             f"interpreting '{launch.kernel.title}'")
    try:
        with open(report, encoding="utf-8") as file:
            outcome = json.load(file)
    except (OSError, ValueError):
        return stderr.strip() or f"tileir-interp ended with status {status}", []
    return outcome["message"] if outcome["outcome"] == "error" else "", read_findings(outcome, launch.places)


def _with_lines(findings: List[Finding], theirs: List[Finding]) -> List[Finding]:
    """`findings` at the lines of the interpreter, where it has found the same. Compiled code has the operations of a line at
    another place, and not every instruction says where it comes from."""
    same = [f for f in theirs if f.kind == findings[0].kind and f.line and f.kind in _PLACED]
    if not same or any((f.file, f.line) == (findings[0].file, findings[0].line) for f in same):
        return findings
    first = dataclasses.replace(findings[0], file=same[0].file, line=same[0].line)
    return [first, *findings[1:]]


def _compare(launch: Launch, folder: str) -> Optional[Finding]:
    """The differences between the outputs of compiled code and interpreter."""
    for span in launch.spans:
        if not os.path.exists(f"{folder}/oracle/{span.name}.npy"):
            continue
        mine, other = (_numbers(np.load(f"{folder}/{side}/{span.name}.npy"), span.dtype) for side in ("out", "oracle"))
        with np.errstate(invalid="ignore"):
            limit = _TOLERANCE.get(span.dtype, 0) * np.max(np.abs(other), where=np.isfinite(other), initial=0)
            bad = ~((mine == other) | (np.isnan(mine) & np.isnan(other)) | (np.abs(mine - other) <= limit))
        if bad.any():
            at = int(np.flatnonzero(bad)[0])
            return Finding(kind="difference", file="", line=0, block=(), thread=(), array=span.name, index=at, count=int(bad.sum()), related=(),
                           message=f"got {mine.flat[at]}, the interpreter has {other.flat[at]}")
    return None


def _judge(launch: Launch, folder: str, findings: List[Finding]) -> Tuple[str, List[Finding]]:
    """Whether the kernel or the compiler is at fault, and the findings."""
    why, theirs = _interpret(launch, folder)
    if why:
        return f"the interpreter cannot run it: {why}", findings
    if theirs:
        return f"the kernel is at fault: the interpreter finds '{theirs[0].kind}' at {theirs[0].where()}", _with_lines(findings or theirs, theirs)
    if findings:
        return "the compiler is at fault: the interpreter finds nothing in this kernel", findings
    difference = _compare(launch, folder)
    if difference is not None:
        return "the compiler is at fault: the interpreter has another answer", [difference]
    return "the interpreter finds nothing and has the same answer", []


def _numbers(values: np.ndarray, dtype: str) -> np.ndarray:
    """The values of raw elements; their bits for types that NumPy lacks."""
    if dtype == "bf16":
        return (values.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return values.astype(np.float64)


__all__ = ["CHECKS", "KernelError", "Launch", "Run", "emulate"]
