# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tileir.compile`: a kernel and all that the compiler can say about it."""
import dataclasses
import functools
import glob
import json
import os
import re
import subprocess
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _cache
from ._explain_nvdisasm import find_nvdisasm
from ._programs import VERSION, program
from .errors import CompileError

#: One GPU of each generation that tile kernels run on.
GPUS = ("sm_80", "sm_90", "sm_100", "sm_120")

MAGIC = b"\x7fTileIR"


@dataclasses.dataclass(frozen=True)
class Remark:
    """What the compiler decided about a part of a kernel, and why."""

    #: "Passed", "Missed", "Failed" or "Analysis".
    kind: str
    #: Family of passes, as "tileas_schedule".
    category: str
    #: What it is about, as "AssignMma".
    name: str
    #: Name of the kernel.
    function: str
    #: Source file and line; empty and 0 where the kernel has no locations.
    file: str
    line: int
    #: What happened.
    message: str
    #: Why; empty when the message says it.
    reason: str
    #: What the author of the kernel can change; mostly empty.
    suggestion: str
    #: Numbers by name, as "Warps".
    numbers: Mapping[str, float]


def _value(text: str) -> str:
    text = text.strip()
    if text[:1] == text[-1:] == "'":
        return text[1:-1].replace("''", "'")
    if text[:1] == text[-1:] == '"':
        return str(json.loads(text))
    return text


def parse_remarks(text: str) -> List[Remark]:
    """Reads the stream of YAML documents that `tileiras --remark-format=yaml` writes."""
    remarks = []
    for document in re.split(r"^--- !", text, flags=re.M)[1:]:
        kind, _, body = document.partition("\n")
        body = re.sub(r"\n {6,}(?=\S)", " ", body)  # Long values go on in the next line.
        top = {m[1]: _value(m[2]) for m in re.finditer(r"^(\w+):[ ]*(.*)$", body, re.M)}
        args = {m[1]: _value(m[2]) for m in re.finditer(r"^  - (\w+):[ ]*(.*)$", body, re.M)}
        place = re.search(r"File: ('(?:[^']|'')*'|\"(?:[^\"\\]|\\.)*\"|[^,}]*), *Line: (\d+)", top.get("DebugLoc", ""))
        numbers = {k: float(v) for k, v in args.items() if re.fullmatch(r"-?\d+(\.\d+)?", v) and k != "RemarkId"}
        remarks.append(Remark(kind=kind.strip(), category=top.get("Pass", ""), name=top.get("Name", ""), function=top.get("Function", ""),
                              file=_value(place[1]) if place else "", line=int(place[2]) if place else 0, message=args.get("Remark", ""),
                              reason=args.get("Reason", ""), suggestion=args.get("Suggestion", ""), numbers=numbers))
    return remarks


def _call(command: Sequence[str]) -> str:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        text = done.stderr.decode(errors="replace").strip()
        raise CompileError(text or f"{os.path.basename(command[0])} ended with status {done.returncode}")
    return done.stdout.decode(errors="replace")


@functools.lru_cache(maxsize=None)
def _identity() -> str:
    """Changes with the compiler."""
    state = os.stat(program("tileiras"))
    return f"{VERSION} {state.st_size} {state.st_mtime_ns}"


class _Texts(Mapping[str, Any]):
    """Outputs by Triton's names."""

    _NAMES = {"cubin": "cubin", "ptx": "ptx", "sass": "sass", "llir": "llir", "tileir": "tile_ir"}

    def __init__(self, kernel: "Kernel") -> None:
        self._kernel = kernel

    def __getitem__(self, name: str) -> Any:
        value = getattr(self._kernel, self._NAMES[name])
        return value() if callable(value) else value

    def __iter__(self) -> Any:
        return iter(self._NAMES)

    def __len__(self) -> int:
        return len(self._NAMES)


class Kernel:
    """A compiled kernel. Outputs that need another run of the compiler are made once, at the first request.

    `tileir.launch` runs it. Names of Triton's compiled kernels work, too: `n_regs`, `n_spills`, `asm["ptx"]`.
    """

    def __init__(self, folder: str, flags: Sequence[str], gpu: str, name: Optional[str] = None) -> None:
        self._folder, self._flags = folder, list(flags)
        #: The GPU, as "sm_90".
        self.gpu = gpu
        with open(self.file("launch.json"), encoding="utf-8") as file:
            #: The launch sidecar: entries, blocks, clusters, parameters, tensor maps (docs/launch.md).
            self.metadata: Dict[str, Any] = json.load(file)
        entries = {entry["name"]: entry for entry in self.metadata["kernels"]}
        if name is None and len(entries) != 1:
            raise CompileError(f"the module has {len(entries)} kernels, {', '.join(entries) or 'none'}; choose one by entry=NAME")
        if name is not None and name not in entries:
            raise CompileError(f"the module has no kernel '{name}'; it has {', '.join(entries) or 'none'}")
        #: Name of the entry.
        self.name: str = name if name is not None else next(iter(entries))
        self._entry = entries[self.name]
        #: The parameters that a launcher passes, in order: "type", "offset", "size".
        self.parameters: List[Dict[str, Any]] = [p for p in self._entry["parameters"] if p["kind"] == "visible"]
        #: How its Python arguments become parameters; set for kernels of cuTile.
        self.source: Any = None

    @property
    def title(self) -> str:
        """The name in the source: for a kernel of cuTile the name of the function."""
        return self.name if self.source is None else self.source._pyfunc.__name__

    def __repr__(self) -> str:
        return f"<tileir.Kernel '{self.title}' for {self.gpu}>"

    # Files.

    def file(self, name: str) -> str:
        """Path of a file of the cache entry, such as "kernel.ptx" or "kernel.tileirbc"."""
        return os.path.join(self._folder, name)

    def _made(self, name: str, *arguments: str) -> str:
        """Path of an output; the compiler makes it with `arguments` if it does not exist."""
        return _cache.add(self.file(name), lambda out: self._compile(out, *arguments))

    def _compile(self, out: str, *arguments: str) -> None:
        text = _call([program("tileiras"), self.file("kernel.tileirbc"), "-o", out, *self._flags, *arguments])
        if text:
            with open(self.file(os.path.basename(out) + ".txt"), "w", encoding="utf-8") as file:
                file.write(text)

    def _text(self, path: str) -> str:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()

    # Outputs.

    @property
    def bytecode(self) -> bytes:
        """The Tile IR that was compiled."""
        with open(self.file("kernel.tileirbc"), "rb") as file:
            return file.read()

    @property
    def cubin(self) -> bytes:
        """The machine code, with the host object. Needs ptxas."""
        with open(self._made("kernel.cubin", "--print-summary"), "rb") as file:
            return file.read()

    @property
    def ptx(self) -> str:
        """The PTX."""
        return self._text(self.file("kernel.ptx"))

    @property
    def llir(self) -> str:
        """The LLVM IR from which the PTX is generated."""
        return self._text(self._made("kernel.ll", "--emit=llvm"))

    @property
    def sass(self) -> str:
        """The machine code as text. Needs ptxas and nvdisasm."""
        self._made("kernel.cubin", "--print-summary")

        def make(out: str) -> None:
            nvdisasm = find_nvdisasm()
            if nvdisasm is None:
                raise FileNotFoundError("no nvdisasm: it is part of the CUDA toolkit and of the package nvidia-cuda-nvdisasm")
            text = _call([nvdisasm, "-c", self.file("kernel.cubin")])
            with open(out, "w", encoding="utf-8") as file:
                file.write(text)

        return self._text(_cache.add(self.file("kernel.sass"), make))

    def tile_ir(self, stage: str = "cuda_tile") -> str:
        """The kernel as text at a stage of the compiler.

        Args:
            stage: "cuda_tile", as the compiler reads it; "nv_tileaa" and "nv_tileas", the last form in these dialects; or the
                name of a pass, as "tileas-assign-mma": the IR after its last run. All but the first need LLVM 22 on this
                machine (`tileir-config --check`).

        Raises:
            KeyError: no pass of this name ran; the text lists the passes that ran.
        """
        def disassemble(out: str, *options: str) -> None:
            _call([program("tileir-translate"), "--cudatilebc-to-mlir", self.file("kernel.tileirbc"), "-o", out, *options])

        if stage == "cuda_tile":
            return self._text(_cache.add(self.file("kernel.mlir"), disassemble))

        def lower(out: str) -> None:
            level = next(flag[2:] for flag in self._flags if flag.startswith("-O"))
            # The short form of some operations cannot be read again.
            disassemble(out + ".mlir", "--generic-form")
            _call([program("tileir-opt"), out + ".mlir", "--mlir-print-ir-after-all", f"--mlir-print-ir-tree-dir={out}", "-o", os.devnull,
                   f"--pass-pipeline=builtin.module(tileir{{preset=tileiras compute-capability={self.gpu} opt-level={level}}})"])

        tree = _cache.add(self.file("stages"), lower)
        steps: List[Tuple[List[int], str, str]] = []
        for path in glob.glob(f"{tree}/**/*.mlir", recursive=True):
            numbers, name = re.fullmatch(r"([\d_]+)_(.*)\.mlir", os.path.basename(path)).groups()  # type: ignore[union-attr]
            steps.append(([int(n) for n in numbers.split("_")], name, path))
        steps.sort()
        for _, name, path in reversed(steps):
            if name == stage or stage in ("nv_tileaa", "nv_tileas") and f"{stage}." in (text := self._text(path)):
                return self._text(path) if name == stage else text
        raise KeyError(f"no pass '{stage}' ran; there are cuda_tile, nv_tileaa, nv_tileas, {', '.join(dict.fromkeys(name for _, name, _ in steps))}")

    # Numbers.

    @functools.cached_property
    def _summary(self) -> Dict[str, int]:
        self._made("kernel.cubin", "--print-summary")
        text = self._text(self.file("kernel.cubin.txt"))
        found = re.search(rf"^kernel {re.escape(self.name)}: (\d+) registers, (\d+)\+(\d+) bytes spilled and reloaded, (\d+) bytes shared memory, "
                          r"(\d+) bytes of code\n  launch: .*?(?:, (\d+) blocks? on an SM)?$", text, re.M)
        if not found:
            raise CompileError(f"the summary of the compiler does not name '{self.name}': {text}")
        return dict(zip(("registers", "spilled", "reloaded", "shared", "code", "resident"), (int(n or 0) for n in found.groups())))

    @property
    def registers(self) -> int:
        """32-bit registers of a thread. Needs ptxas."""
        return self._summary["registers"]

    @property
    def spills(self) -> int:
        """Bytes of registers that a thread stores to local memory. Needs ptxas."""
        return self._summary["spilled"]

    @property
    def shared_bytes(self) -> int:
        """Bytes of shared memory of a block. Needs ptxas."""
        return self._summary["shared"]

    @property
    def resident_ctas(self) -> int:
        """The number of blocks that an SM holds at a time, by threads, registers and shared memory. Needs ptxas."""
        return self._summary["resident"]

    @property
    def tensor_columns(self) -> int:
        """32-bit columns of tensor memory that a block allocates; 0 without."""
        return sum(int(n) for n in re.findall(r"tcgen05\.alloc\.[^;]*?, (\d+);", self.ptx))

    @property
    def threads(self) -> Tuple[int, int, int]:
        """Threads of a block by axis."""
        return tuple(self._entry["block"])  # type: ignore[return-value]

    @property
    def cluster(self) -> Tuple[int, int, int]:
        """Blocks of a cluster by axis; (1, 1, 1) without clusters."""
        return tuple(self._entry["cluster"])  # type: ignore[return-value]

    @functools.cached_property
    def remarks(self) -> List[Remark]:
        """What the compiler decided, in the order of the source."""
        return parse_remarks(self._text(self.file("remarks.yaml")))

    # Triton's names.

    n_regs = registers
    n_spills = property(lambda self: self.spills, doc="As `spills`.")
    shared = shared_bytes
    num_warps = property(lambda self: -(-self.threads[0] * self.threads[1] * self.threads[2] // 32), doc="Warps of a block.")

    @property
    def asm(self) -> Mapping[str, Any]:
        """Outputs by Triton's names: "cubin", "ptx", "sass", "llir", and "tileir", the kernel as it was read."""
        return _Texts(self)


def _bytecode_of(source: Union[str, bytes, os.PathLike]) -> bytes:
    """Bytecode of Tile IR, from bytes, text or a file."""
    if isinstance(source, str) and ("\n" in source or "cuda_tile." in source):
        source = source.encode()
    path = ""
    if not isinstance(source, (bytes, bytearray)):
        path = os.path.abspath(source)
        with open(path, "rb") as file:
            source = file.read()
    text = bytes(source)
    if text.startswith(MAGIC):
        return text

    def write(folder: str) -> None:
        with open(os.path.join(folder, "kernel.mlir"), "wb") as file:
            file.write(text)

    def translate(folder: str) -> None:
        _call([program("tileir-translate"), "--mlir-to-cudatilebc", "--lineinfo", path, "-o", os.path.join(folder, "kernel.tileirbc")])

    # Findings name lines of the file, and of a copy where there is no file.
    path = path or os.path.join(_cache.entry(_cache.key_of("text", text), write), "kernel.mlir")
    with open(os.path.join(_cache.entry(_cache.key_of("bytecode", _identity(), path, text), translate), "kernel.tileirbc"), "rb") as file:
        return file.read()


def _flag(name: str, value: Any) -> List[str]:
    name = "--" + name.replace("_", "-")
    if value is True:
        return [name]
    return [] if value is False or value is None else [f"{name}={value}"]


def build(bytecode: bytes, gpu: str, opt_level: int, options: Mapping[str, Any], entry: Optional[str] = None) -> Kernel:
    """Compiles bytecode, or finds it in the cache."""
    chip = re.fullmatch(r"(sm_\d+)[af]?", gpu)
    if not chip:
        raise CompileError(f"unknown GPU '{gpu}'; expected a name as 'sm_90'")
    flags = ["--gpu-name", chip[1], f"-O{opt_level}"]
    if not options.get("device_debug"):
        flags.append("--lineinfo")
    for name, value in options.items():
        flags += _flag(name, value)

    def make(folder: str) -> None:
        source = os.path.join(folder, "kernel.tileirbc")
        with open(source, "wb") as file:
            file.write(bytecode)
        _call([program("tileiras"), source, "-o", os.path.join(folder, "kernel.ptx"), *flags, "--emit=ptx",
               f"--launch-sidecar={folder}/launch.json", "--remarks=all", "--remark-format=yaml", f"--remarks-output-file={folder}/remarks.yaml"])

    return Kernel(_cache.entry(_cache.key_of("kernel", _identity(), bytecode, flags), make), flags, chip[1], entry)


def compile(source: Any, gpu: str = "sm_90", opt_level: Optional[int] = None, signature: Any = None, *, entry: Optional[str] = None,  # pylint: disable=redefined-builtin
            **options: Any) -> Kernel:
    """Compiles a kernel.

    Args:
        source: bytecode, the path of a file with bytecode or Tile IR as text, such text, or a kernel of cuTile.
        gpu: the target, as "sm_90".
        opt_level: 0 to 3; 3, or what the kernel of cuTile says, when it is None.
        signature: of a kernel of cuTile, a tuple of arguments as for a launch, of which the types, extents and addresses count as
            in `cuda.tile.launch`, or a `cuda.tile.compilation.KernelSignature`.
        entry: the kernel of a module with several.
        **options: long options of `tileiras`, with `_` for `-`, as `pass_pipeline="tileir{pipeline-depth=2}"`.

    Raises:
        CompileError: the compiler refuses the kernel.
        OSError: `source` is a path that cannot be read.
    """
    from . import _emulate
    if _emulate.is_cutile_kernel(source):
        return _emulate.compile_cutile(source, gpu, opt_level, signature, options)
    if signature is not None:
        raise TypeError("'signature' is for kernels of cuTile; Tile IR has its own")
    return build(_bytecode_of(source), gpu, 3 if opt_level is None else opt_level, options, entry)
