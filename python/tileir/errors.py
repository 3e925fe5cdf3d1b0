# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Findings of the emulator, as exceptions.

The first line of the text is the file and line of the kernel, `scale.py:12: ct.store(out, (i,), x)`; then come block and
thread, the array and the index of the element, and what other places have to do with it.
"""
import dataclasses
import linecache
import re
from typing import Any, Dict, List, Optional, Tuple, Type


@dataclasses.dataclass(frozen=True)
class Finding:
    """A finding of the emulator or the interpreter."""

    #: Its kind, a word of `tileir-run --list-findings`.
    kind: str
    #: What happened.
    message: str
    #: Source file of the kernel; empty when the kernel has no locations.
    file: str
    #: Line in it, from 1; 0 when unknown.
    line: int
    #: Indices of the block in the grid.
    block: Tuple[int, ...]
    #: Indices of the thread in the block; empty for findings of the interpreter.
    thread: Tuple[int, ...]
    #: The argument that the memory belongs to; empty when it is none.
    array: str
    #: Place of the element in the memory of `array`, in elements; None when unknown.
    index: Optional[int]
    #: How often it happened.
    count: int
    #: Other places, as (file, line, block, thread).
    related: Tuple[Tuple[str, int, Tuple[int, ...], Tuple[int, ...]], ...]

    def where(self) -> str:
        """The first line of the text: place and source line."""
        return _place(self.file, self.line)

    def __str__(self) -> str:
        lines = [self.where(), "  block " + _three(self.block) + (", thread " + _three(self.thread) if self.thread else "")]
        if self.array:
            lines[-1] += f", array '{self.array}'" + (f", element {self.index}" if self.index is not None else "")
        lines.append(f"  {self.kind}: {self.message}" + (f" ({self.count} times)" if self.count > 1 else ""))
        for file, line, block, thread in self.related:
            other = "the same line" if (file, line) == (self.file, self.line) else _place(file, line)
            lines.append(f"  with {other}" + f", block {_three(block)}" + (f", thread {_three(thread)}" if thread else ""))
        return "\n".join(lines)


def _three(indices: Tuple[int, ...]) -> str:
    return "(" + ", ".join(map(str, indices)) + ")"


def _place(file: str, line: int) -> str:
    if not file:
        return "the kernel has no source lines"
    text = linecache.getline(file, line).strip()
    return f"{file}:{line}" + (f": {text}" if text else "")


class CompileError(RuntimeError):
    """A kernel that the compiler refuses; the text is the compiler's."""


class LaunchError(ValueError):
    """A launch that cannot be run: wrong arguments, an array that is on no host, an instruction that is not emulated."""


class KernelError(RuntimeError):
    """A fault of a kernel: a GPU would ignore it, fail, or hang."""

    def __init__(self, findings: List[Finding], run: Any = None, verdict: str = "") -> None:
        #: All that was found, as `Finding`s; the text shows the first one.
        self.findings = findings
        #: The `Run` up to there.
        self.run = run
        #: With `oracle=True`: whether the kernel or the compiler is at fault.
        self.verdict = verdict
        others = len(findings) - 1
        text = str(findings[0])
        if others:
            text += f"\n  and {others} other finding{'s' if others > 1 else ''}: see .findings"
        super().__init__(text + (f"\n  {verdict}" if verdict else ""))

    kind = property(lambda self: self.findings[0].kind, doc="Kind of the first finding.")
    file = property(lambda self: self.findings[0].file, doc="Source file of the first finding.")
    line = property(lambda self: self.findings[0].line, doc="Line of the first finding.")
    block = property(lambda self: self.findings[0].block, doc="Block of the first finding.")
    thread = property(lambda self: self.findings[0].thread, doc="Thread of the first finding.")
    array = property(lambda self: self.findings[0].array, doc="Array of the first finding.")
    index = property(lambda self: self.findings[0].index, doc="Element of the first finding.")


class RaceError(KernelError):
    """Two accesses of one place, one of them a write, that nothing orders."""


class BoundsError(KernelError, IndexError):
    """An access outside of every array; also a promise of `inbounds` that does not hold."""


class AlignmentError(KernelError):
    """An access at an address that its width does not divide."""


class UninitializedError(KernelError):
    """A use of memory that no thread has written: of `tileir.empty`, or of the kernel's own."""


class DeadlockError(KernelError):
    """No thread can proceed."""


class StepLimitError(KernelError):
    """The kernel ran longer than `max_steps`."""


class AssertError(KernelError, AssertionError):
    """An assertion of the kernel failed."""


class TrapError(KernelError):
    """The kernel executed `trap`."""


class UndefinedError(KernelError):
    """A result that the ISA leaves undefined reached memory, an address or a branch."""


class LifetimeError(KernelError):
    """Memory or barriers that were used after their end, or not freed."""


class ConvergenceError(KernelError):
    """A warp-wide instruction that only some lanes reached."""


class ProtocolError(KernelError):
    """A rule of barriers, tensor cores or asynchronous copies was broken: a fault of the compiler."""


class WrongAnswerError(KernelError):
    """With `oracle=True`: the compiled kernel and the interpreter differ, and nothing else was found."""


#: Kinds of findings by exception, as the checks of `tileir-run` group them.
_ERRORS: Dict[str, Type[KernelError]] = {
    "race": RaceError,
    "bounds": BoundsError,
    "inbounds": BoundsError,
    "align": AlignmentError,
    "init": UninitializedError,
    "deadlock": DeadlockError,
    "timeout": StepLimitError,
    "assert": AssertError,
    "trap": TrapError,
    "ub": UndefinedError,
    "convergence": ConvergenceError,
    "mask": ConvergenceError,
    "in-flight": LifetimeError,
    "lifetime": LifetimeError,
    "cluster-exit": LifetimeError,
    "tmem-leak": LifetimeError,
    "difference": WrongAnswerError,
}


def error_for(findings: List[Finding], run: Any = None, verdict: str = "") -> KernelError:
    """The exception for the findings, of the class of the first one."""
    return _ERRORS.get(findings[0].kind, ProtocolError)(findings, run, verdict)


#: What memory is called by findings, to the bytes of an element and where the first one lies in it.
_Places = Dict[str, Tuple[int, int]]


def read_findings(report: Dict[str, Any], places: _Places) -> List[Finding]:
    """The findings of a report."""
    return [_finding(entry, places) for entry in report.get("findings", [])]


def _source(entry: Dict[str, Any]) -> Tuple[str, int]:
    match = re.fullmatch(r"(.*?):(\d+)(?::\d+)?", entry.get("source", ""))
    return (match[1], int(match[2])) if match else ("", 0)


def _element(message: str, places: _Places) -> Tuple[str, Optional[int]]:
    """The memory and the element that a message names."""
    match = re.search(r"(\d+) bytes before '([^']+)'", message)
    if match and match[2] in places:
        size, shift = places[match[2]]
        return match[2], (-int(match[1]) - shift) // size
    match = re.search(r"(\d+) bytes after '([^']+)' of (\d+) bytes", message)
    if match and match[2] in places:
        size, shift = places[match[2]]
        return match[2], (int(match[3]) + int(match[1]) - shift) // size
    match = re.search(r"'([^']+)' byte \d+ \(element (\d+)\)", message)
    if match and match[1] in places:
        return match[1], int(match[2])
    match = re.search(r"'([^']+)' byte (\d+)", message)
    if match and match[1] in places:
        size, shift = places[match[1]]
        return match[1], (int(match[2]) - shift) // size
    match = re.search(r"beyond the end of '([^']+)'", message)
    return (match[1] if match and match[1] in places else "", None)


def _finding(entry: Dict[str, Any], places: _Places) -> Finding:
    array, index = _element(entry["message"], places)
    file, line = _source(entry)
    related = tuple((*_source(r), tuple(r.get("block", ())), tuple(r.get("thread", ()))) for r in entry.get("related", []))
    return Finding(kind=entry["kind"], message=entry["message"], file=file, line=line, block=tuple(entry["block"]),
                   thread=tuple(entry.get("thread", ())), array=array, index=index, count=entry.get("count", 1), related=related)
