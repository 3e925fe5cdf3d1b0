# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tileir-explain: what bounds a kernel, and what became of each of its lines."""

import argparse
import glob
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Any, NoReturn, Sequence

from . import _explain_launch as launches
from . import _explain_numbers as numbers
from . import _explain_text as texts
from . import _explain_verdict as verdicts
from ._explain_nvdisasm import find_nvdisasm

_HERE = os.path.dirname(os.path.realpath(__file__))


class ExplainError(RuntimeError):
    """A kernel that cannot be compiled, or a tool that is missing."""


def _program(name: str, variable: str = "") -> str:
    """Path of a program: of the variable, of this package, beside tileir-explain, on the path."""
    places = [
        os.environ.get(variable, "") if variable else "",
        os.path.join(_HERE, "bin", name),
        os.path.join(os.path.dirname(os.path.realpath(sys.argv[0])), name),
    ]
    for place in places:
        if place and os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    found = shutil.which(name)
    if found is None:
        raise ExplainError(f"no {name} beside this program or on the path")
    return found


def _run(command: "Sequence[str]", timeout: "float | None" = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=timeout,
        errors="replace",
    )


def _checked(command: "Sequence[str]") -> str:
    done = _run(command)
    if done.returncode:
        raise ExplainError(done.stderr.strip() or f"{command[0]} ended with status {done.returncode}")
    return done.stdout


def _is_bytecode(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(8) == b"\x7fTileIR\0"


class _Source:
    """The kernel as bytecode whose locations name lines of a text that can be shown."""

    def __init__(self, path: str, work: str) -> None:
        self.bytecode = path
        self.path, self.text, self.language = "", "", "cuda_tile"
        text = os.path.join(work, "kernel.mlir")
        if not _is_bytecode(path):
            shutil.copyfile(path, text)
            self._show(text, path, work)
        elif not self._take_python(path):
            with open(text, "w", encoding="utf-8") as file:
                file.write(_checked([_program("tileirdisasm"), "--module", path]))
            self._show(text, text, work)

    def _take_python(self, path: str) -> bool:
        """Takes the file that most locations of the kernel name, where it can be read."""
        located = _checked([_program("tileirdisasm"), "-g", path])
        names = re.findall(r'loc\("([^"]+)":\d+:\d+\)', located)
        for name in sorted(set(names), key=names.count, reverse=True):
            if name.endswith(".py") and os.path.isfile(name):
                self.path, self.language = os.path.normpath(name), "Python"
                with open(name, encoding="utf-8", errors="replace") as file:
                    self.text = file.read()
                return True
        return False

    def _show(self, text: str, name: str, work: str) -> None:
        """Shows the tile program itself, and compiles it with its own lines."""
        self.bytecode = os.path.join(work, "kernel.tileirbc")
        _checked([_program("tileir-translate"), "--mlir-to-cudatilebc", "--lineinfo", text, "-o", self.bytecode])
        self.path = name
        with open(text, encoding="utf-8", errors="replace") as file:
            self.text = file.read()


def _ptx_lines(text: str, path: str) -> "list[int]":
    """Line of the source of each line of PTX: of the kernel's own file, where code was inlined that of the call."""
    files = dict(re.findall(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', text, re.M))
    name = os.path.basename(path)
    result, now = [], 0
    for line in text.splitlines():
        loc = re.match(r"\s*\.loc\s+(\d+) (\d+) \d+(.*)", line)
        if loc:
            inlined = re.search(r"inlined_at (\d+) (\d+)", loc[3])
            file, number = (inlined[1], inlined[2]) if inlined else (loc[1], loc[2])
            if os.path.basename(files.get(file, "")) == name:
                now = int(number)
        elif line.lstrip().startswith((".visible", ".entry", ".func")):
            now = 0
        result.append(now)
    return result


def _is_instruction(line: str) -> bool:
    text = line.strip()
    return (
        bool(re.match(r"(@!?%p\w*\s+)?[a-z][\w.:]*\s", text))
        and text.endswith(";")
        and not text.startswith((".", "//"))
    )


def _read_sass(program: str, cubin: str, kernel: str, path: str) -> "list[dict[str, Any]]":
    """Instructions of the kernel with their lines and how many registers are live."""
    pages = json.loads(_checked([program, "-g", "-json", cubin]))
    files: "list[str]" = []
    for page in pages[2:]:
        files = [f["file"] for f in page.get("files", [])] if isinstance(page, dict) else files
    live = []
    inside = False
    for line in _checked([program, "-c", "-lrm", "count", cubin]).splitlines():
        if line.startswith(".text."):
            inside = line.startswith(f".text.{kernel}:")
        count = re.search(r"/\*[0-9a-f]{4,}\*/.*//\s*\|\s*(\d*)\s*\|", line)
        if inside and count:
            live.append(int(count[1] or 0))
    result, now = [], 0
    for function in pages[1]:
        if function["function-name"] != kernel:
            continue
        for at, item in enumerate(function["sass-instructions"]):
            if "source-line" in item:
                file = item.get("source-file-id", 0)
                if not files or (file < len(files) and files[file] == os.path.basename(path)):
                    now = item["source-line"]
            words = [item.get("predicate", ""), item["opcode"], item.get("operands", "")]
            result.append(
                {
                    "line": now,
                    "text": " ".join(w for w in words if w),
                    "opcode": item["opcode"],
                    "live": live[at] if at < len(live) else None,
                }
            )
    return result


class Explanation:
    """An explanation. `verdict` is three sentences, `bound` the key of what bounds it, `data` all that the page shows."""

    def __init__(self, data: "dict[str, Any]") -> None:
        self.data = data
        self.verdict, self.bound = verdicts.verdict(data)
        data["verdict"], data["bound"] = self.verdict, self.bound
        data["shares"] = verdicts.shares(data)

    def text(self) -> str:
        """All numbers, the lines with their data, memory, registers by pass."""
        return texts.render(self.data)

    def line(self, number: int) -> str:
        """The data of one line of the source: remarks, Tile IR, PTX, machine code."""
        return texts.render_line(self.data, number)

    def html(self) -> str:
        with open(os.path.join(_HERE, "_explain_page.html"), encoding="utf-8") as file:
            page = file.read()
        hidden = ("shape", "line_of_text")
        data = {k: v for k, v in self.data.items() if k not in hidden}
        data["numbers"] = {
            title: {k: [n.unit, n.meaning] for k, n in group.items()} for title, group in numbers.GROUPS.items()
        }
        data["resources"] = verdicts.RESOURCES
        text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
        return page.replace(
            "@TITLE@", html.escape(f"{self.data['kernel']['name']} on {self.data['target']['name']}")
        ).replace("@DATA@", text)

    def __str__(self) -> str:
        return self.text()


def _launch(data: "dict[str, Any]", source: _Source, files: "dict[str, str]", options: "dict[str, Any]") -> None:
    """Runs the kernel in the emulator with its timing model, and joins what both say with lines of the source."""
    run = _program("tileir-run")
    kernel, arch = data["kernel"]["name"], data["target"]["name"]
    case_path = os.path.join(files["work"], "case.json")
    if options.get("case"):
        with open(options["case"], encoding="utf-8") as file:
            case = json.load(file)
        folder = os.path.dirname(os.path.abspath(options["case"]))
        for arg in case.get("args", []):
            for key in ("init", "expect"):
                value = arg.get(key)
                at = isinstance(value, str) and value.startswith("@")
                name = value[1:] if at else value
                if isinstance(value, str) and (at or key == "expect"):
                    arg[key] = ("@" if at else "") + os.path.join(folder, name)
        given = f"case {options['case']}"
    else:
        _checked([run, source.bytecode, f"--init={case_path}", f"--arch={arch}", f"--entry={kernel}"])
        with open(case_path, encoding="utf-8") as file:
            case = launches.fill_case(json.load(file), data["shape"])
        given = "made from the signature of the kernel"
    case["kernel"], case["entry"] = files["ptx"], kernel
    launches.write_case(case, case_path)
    command = [
        run,
        case_path,
        f"--arch={arch}",
        "--stats=json",
        "--timing=lines",
        "--check=init",
        f"--cubin={files['cubin']}",
        f"--ctas-per-sm={max(1, data['kernel']['resident_ctas'])}",
    ]
    done = _run(command, timeout=options.get("timeout", 120))
    text = done.stdout
    decoder, parts, at = json.JSONDecoder(), [], text.find("{")
    while at >= 0:
        part, end = decoder.raw_decode(text, at)
        parts.append(part)
        at = text.find("{", end)
    timing = next((p for p in parts if "cycles_cta" in p), None)
    if len(parts) < 2 or timing is None:
        raise ExplainError(
            done.stderr.strip().splitlines()[0] if done.stderr.strip() else "nothing was executed to the end"
        )
    stats = parts[0]
    lines = data["ptx_lines"]

    def line_of(ptx: int) -> int:
        return lines[ptx - 1] if 0 < ptx <= len(lines) else 0

    grid = (list(case.get("grid", [1])) + [1, 1])[:3]
    blocks = grid[0] * grid[1] * grid[2]
    moved = stats["bytes"]
    bytes_block = (moved["global_read"] + moved["global_written"] + moved["cp_async"] + moved["tma"]) / blocks
    resident = max(1, timing["ctas_sm"]) * data["target"]["sms"]
    classes: "dict[str, int]" = {}
    for counts in stats["instructions_by_warp"].values():
        for name, count in counts.items():
            classes[name] = classes.get(name, 0) + count
    for entry in [*timing["stalls"], *stats["waits"], *stats["loops"]]:
        entry["source_line"] = line_of(entry["line"])
    by_ptx = {entry["line"]: entry for entry in timing["stalls"]}
    for row in data["ptx"]:
        entry = by_ptx.get(row["number"], {})
        row["executed"], row["stall"] = entry.get("executed", 0), entry.get("share", 0)
    trips = next((entry["trips"] for entry in stats["loops"] if entry["line"] == timing["loop_line"]), 0)
    warps = sum(r["warps"] for r in stats["roles"] if r["tensor"]) or data["kernel"]["threads"] // 32
    # Every warp of a role counts the trips of a loop.
    trips_block = trips / blocks / max(1, warps)
    data["launch"] = {
        "given": given,
        "grid": grid,
        "blocks": blocks,
        "stats": stats,
        "timing": timing,
        "classes": classes,
        "global_bytes": bytes_block,
        "dram_bytes": bytes_block * launches.split_traffic(data["shape"], resident),
        "lines": _sum_lines(timing.pop("stalls")),
        "loop_source_line": line_of(timing["loop_line"] or 0),
        "trips_block": trips_block,
        "findings": done.stderr.strip().splitlines() if done.returncode == 1 else [],
    }


def _sum_lines(stalls: "list[dict[str, Any]]") -> "list[dict[str, Any]]":
    """Adds up the stalls of PTX lines for each line of the source; the longest comes first."""
    lines: "dict[int, dict[str, Any]]" = {}
    for stall in stalls:  # The longest stalls come first; their reasons are kept.
        line = lines.setdefault(
            stall["source_line"],
            {
                "line": stall["source_line"],
                "executed": 0,
                "stall_cycles": 0.0,
                "stall_share": 0.0,
                "waits_for": stall["waits_for"],
            },
        )
        line["executed"] += stall["executed"]
        line["stall_cycles"] += stall["cycles"]
        line["stall_share"] += 100 * stall["share"]
    for line in lines.values():
        line["waits_for"] = re.sub(r"^line (\d+)$", r"the result of PTX line \1", line["waits_for"])
    return sorted(lines.values(), key=lambda entry: -entry["stall_share"])


def explain(
    source: Any,
    gpu: str = "sm_90",
    *,
    kernel: "str | None" = None,
    case: "str | None" = None,
    launch: bool = True,
    opt_level: int = 3,
    nvdisasm: "str | None" = None,
    timeout: float = 120,
) -> Explanation:
    """Compiles a kernel, runs it in the emulator, and finds what bounds it.

    Args:
        source: path of bytecode or cuda_tile text; such text or bytecode itself; or what `tileir.compile` returned.
        gpu: target, as "sm_90".
        kernel: which kernel of a module with several; the first.
        case: case file of `tileir-run` (docs/emulator.md) with the arguments that times and counters are wanted for.
            Without one, sizes are chosen that give loops a steady state.
        launch: False leaves the emulator out; the verdict then rests on the scheduler's model alone.
        opt_level: 0 to 3.
        nvdisasm: path of NVIDIA's disassembler; else it is looked for.
        timeout: seconds that the emulator may take.

    Raises:
        ExplainError: the kernel does not compile, or a program is missing.
    """
    with tempfile.TemporaryDirectory(prefix="tileir-explain-") as work:
        source = getattr(source, "bytecode", source)
        if isinstance(source, str) and "\n" in source:
            source = source.encode()
        if isinstance(source, (bytes, bytearray)):
            path = os.path.join(work, "given")
            with open(path, "wb") as file:
                file.write(source)
            source = path
        return _explain(
            os.fspath(source),
            gpu,
            work,
            kernel=kernel,
            launch=launch,
            options={"case": case, "opt_level": opt_level, "nvdisasm": nvdisasm, "timeout": timeout},
        )


def _explain(
    path: str, gpu: str, work: str, kernel: "str | None", launch: bool, options: "dict[str, Any]"
) -> Explanation:
    if not os.path.isfile(path):
        raise ExplainError(f"cannot read '{path}'")
    source = _Source(path, work)
    files = {
        "work": work,
        "cubin": os.path.join(work, "kernel.cubin"),
        "ptx": os.path.join(work, "temps/kernel.ptx"),
        "json": os.path.join(work, "explain.json"),
        "schedule": os.path.join(work, "schedule.html"),
    }
    _checked(
        [
            _program("tileiras", "TILEIRAS"),
            source.bytecode,
            "-o",
            files["cubin"],
            "--gpu-name",
            gpu,
            f"--opt-level={options['opt_level']}",
            "--lineinfo",
            f"--save-temps={work}/temps",
            f"--explain-json={files['json']}",
            f"--pass-pipeline=tileir{{schedule-trace-file={files['schedule']}}}",
        ]
    )
    files["ptx"] = glob.glob(os.path.join(work, "temps/*.ptx"))[0]
    with open(files["json"], encoding="utf-8") as file:
        data = json.load(file)
    names = [k["name"] for k in data["kernels"]]
    if not names:
        raise ExplainError("the module has no kernel")
    if kernel is not None and kernel not in names:
        raise ExplainError(f"no kernel is called '{kernel}'; there are {', '.join(names)}")
    name = kernel or names[0]
    data["kernel"] = next(k for k in data.pop("kernels") if k["name"] == name)
    for key in ("passes", "storage", "loops", "operations"):
        data[key] = [e for e in data[key] if e["kernel"] == name]
    data["remarks"] = [r for r in data["remarks"] if r["kernel"] in ("", name)]
    columns = [s["end"] for s in data["storage"] if s["space"] == "tensor"]
    data["kernel"]["tensor_columns"] = max(columns, default=0)
    own = os.path.basename(source.path if source.language == "Python" else source.path)
    for key in ("passes", "storage", "loops", "operations", "remarks"):
        for entry in data[key]:
            if os.path.basename(entry.pop("file")) not in (own, "kernel.mlir"):
                entry["line"] = 0
    data["source"] = {
        "path": source.path
        if source.text and source.language == "Python" or not source.path.startswith(work)
        else os.path.basename(path) + " as text",
        "language": source.language,
        "text": source.text,
    }
    _add_texts(data, source, files, options)
    data["launch"], data["launch_reason"] = None, "" if launch else "the launch was left out"
    if launch:
        try:
            _launch(data, source, files, options)
        except (ExplainError, subprocess.TimeoutExpired) as error:
            data["launch_reason"] = (
                f"it took more than {options['timeout']:.0f} seconds"
                if isinstance(error, subprocess.TimeoutExpired)
                else str(error)
            )
    return Explanation(data)


def _add_texts(data: "dict[str, Any]", source: _Source, files: "dict[str, str]", options: "dict[str, Any]") -> None:
    """Adds the tile program, PTX and machine code with the lines of the source that they belong to."""
    name = data["kernel"]["name"]
    with open(files["ptx"], encoding="utf-8", errors="replace") as file:
        ptx = file.read()
    shown = "kernel.mlir" if source.language != "Python" else source.path
    data["ptx_lines"] = _ptx_lines(ptx, shown)
    data["ptx"] = [
        {"number": at, "line": line, "text": text.strip()}
        for at, (line, text) in enumerate(zip(data["ptx_lines"], ptx.splitlines()), 1)
        if _is_instruction(text)
    ]
    if source.language == "Python":
        located = _checked([_program("tileirdisasm"), "--module", "-g", source.bytecode])
        places = {
            m[1]: int(m[2])
            for m in re.finditer(
                r'^(#\w+) = loc\("[^"]*' + re.escape(os.path.basename(source.path)) + r'":(\d+):', located, re.M
            )
        }
        aliases = re.findall(r"^(#\w+) = (.*)", located, re.M)
        for _ in range(4):
            for alias, text in aliases:
                known = [places[n] for n in re.findall(r"#\w+", text) if n in places]
                if alias not in places and known:
                    places[alias] = known[-1] if "callsite" in text else known[0]
        data["line_of_text"], rows = {}, []
        for at, text in enumerate(located.splitlines(), 1):
            loc = re.search(r" loc\((#\w+)\)\s*$", text)
            if loc:
                data["line_of_text"][at] = places.get(loc[1], 0)
                rows.append({"line": places.get(loc[1], 0), "text": text[: loc.start()].strip()})
        data["tile_ir"], data["tile_rows"] = located, rows
    else:
        data["tile_ir"], data["tile_rows"], data["line_of_text"] = source.text, [], {}
    data["shape"] = launches.read_shape(data["tile_ir"], name)
    program = options["nvdisasm"] or find_nvdisasm()
    data["sass"], data["sass_reason"] = [], ""
    if program is None:
        data["sass_reason"] = (
            "No machine code is shown: nvdisasm was not found. It comes with CUDA and as `pip install "
            "nvidia-cuda-nvdisasm`; --nvdisasm=PATH names another. (tileirdisasm reads bytecode, no machine code.)"
        )
    else:
        try:
            data["sass"] = _read_sass(program, files["cubin"], name, shown)
        except (ExplainError, OSError, ValueError, KeyError, IndexError) as error:
            data["sass_reason"] = f"No machine code is shown: '{program}' failed: {error}"
    real = [i for i in data["sass"] if i["opcode"] != "NOP"]
    data["instruction_ratio"] = len(real) / len(data["ptx"]) if real and data["ptx"] else None
    data["schedule"] = ""
    if os.path.exists(files["schedule"]):
        with open(files["schedule"], encoding="utf-8") as file:
            # Names without the folder that goes away.
            data["schedule"] = file.read().replace(files["work"] + os.sep, "")


class _Version(argparse.Action):
    """The version of the compiler that it calls, as every tool prints it."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        print(_checked([_program("tileiras", "TILEIRAS"), "--version"]).replace("tileiras:", "tileir-explain:").strip())
        parser.exit()


def main(arguments: "Sequence[str] | None" = None) -> int:
    parser = argparse.ArgumentParser(
        prog="tileir-explain",
        description="What bounds a kernel, and what became of each of its lines.",
        epilog="Exit status: 0 explained, 1 the kernel does not compile or a program is missing, 2 usage.",
    )
    parser.add_argument("kernel", metavar="KERNEL", help="Tile IR, bytecode or text")
    parser.add_argument("--gpu", default="sm_90", metavar="ARCH", help="target (sm_90)")
    parser.add_argument("--entry", metavar="NAME", help="the kernel of a module with several (the first)")
    parser.add_argument("--html", metavar="FILE", help="write one page that needs no network")
    parser.add_argument("--text", action="store_true", help="print all of it as text (default: the verdict alone)")
    parser.add_argument("--line", type=int, metavar="N", help="print all of one line: Tile IR, PTX, machine code")
    parser.add_argument("--json", metavar="FILE", help="write what both are made of")
    parser.add_argument("--case", metavar="CASE.json", help="arguments, as of tileir-run; else sizes are chosen")
    parser.add_argument("--no-launch", action="store_true", help="do not run the kernel in the emulator")
    parser.add_argument("--opt", type=int, default=3, choices=range(4), metavar="N", help="level of the compiler (3)")
    parser.add_argument(
        "--nvdisasm", metavar="PATH", help="NVIDIA's disassembler; else TILEIR_NVDISASM, or as installed"
    )
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS", help="for the emulator (120)")
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and leave")
    options = parser.parse_args(arguments)
    try:
        result = explain(
            options.kernel,
            options.gpu,
            kernel=options.entry,
            case=options.case,
            launch=not options.no_launch,
            opt_level=options.opt,
            nvdisasm=options.nvdisasm,
            timeout=options.timeout,
        )
        if options.html:
            with open(options.html, "w", encoding="utf-8") as file:
                file.write(result.html())
        if options.json:
            data = {k: v for k, v in result.data.items() if k not in ("shape", "line_of_text", "ptx_lines")}
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(data, file, indent=1)
    except (ExplainError, OSError) as error:
        print(f"error: {str(error).removeprefix('error: ')}", file=sys.stderr)
        return 1
    if options.line is not None:
        print(result.line(options.line), end="")
    else:
        print(result.text() if options.text else "\n".join(result.verdict))
    return 0


def run() -> NoReturn:
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:  # The reader has closed the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    sys.exit(status)
