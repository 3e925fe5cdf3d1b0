# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tileir.launch`, `tileir.emulate`: kernels of cuTile and Tile IR on host arrays."""
import contextlib
import contextvars
import ctypes
import dataclasses
import importlib
import importlib.util
import inspect
import struct
import sys
import types
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _compile, _memory, _run
from ._driver import Driver
from .errors import LaunchError


@dataclasses.dataclass
class Settings:
    """How launches run."""

    gpu: str
    seed: Optional[int] = None
    checks: Union[str, Sequence[str]] = "all"
    oracle: bool = False
    timing: bool = False
    max_steps: Optional[int] = None
    #: Compile only: `kernel` is then the result.
    dry: bool = False
    opt_level: Optional[int] = None
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    #: A kernel that was compiled before.
    kernel: Optional[_compile.Kernel] = None
    run: Optional[_run.Run] = None


_settings: "contextvars.ContextVar[Optional[Settings]]" = contextvars.ContextVar("tileir_settings", default=None)
#: Settings of the whole process; settings of a `with` take precedence.
_everywhere: Optional[Settings] = None
#: What stays as it is until the process ends.
_process = contextlib.ExitStack()


def current() -> Optional[Settings]:
    """The current settings; None without emulation."""
    return _settings.get() or _everywhere


def emulated_gpu() -> Optional[str]:
    """The currently emulated GPU, such as "sm_90"; None without emulation."""
    settings = current()
    return settings.gpu if settings else None


# Arrays, as cuTile's launcher sees them.

_DLPACK = {"i": 0, "u": 1, "f": 2, "bf16": 4, "i1": 6, "f8E4M3FN": 10, "f8E5M2": 12, "f8E8M0FNU": 14}
_CUDA = 2


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("ordinal", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p),
                ("strides", ctypes.c_void_p), ("offset", ctypes.c_uint64), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


# The tensor lives as long as its `DeviceArray`.
_keep = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class DeviceArray:
    """A host array that says that it is on a GPU."""

    def __init__(self, array: _memory.HostArray) -> None:
        if any(s < 0 for s in array.strides):
            raise LaunchError(f"argument '{array.name}' has a negative stride, which cuTile does not support")
        for stride in array.strides:
            if stride % array.itemsize:
                raise LaunchError(f"argument '{array.name}' has a stride of {stride} bytes, which its elements of {array.itemsize} do not divide")
        n = len(array.shape)
        self.array = array
        self._shape = (ctypes.c_int64 * max(n, 1))(*array.shape)
        self._strides = (ctypes.c_int64 * max(n, 1))(*[s // array.itemsize for s in array.strides])
        self._tensor = _DLTensor(array.address, _CUDA, 0, n, _DLPACK.get(array.dtype, _DLPACK.get(array.dtype[0], 0)), 8 * array.itemsize, 1,
                                 ctypes.addressof(self._shape), ctypes.addressof(self._strides), 0, None,
                                 ctypes.cast(_keep, ctypes.c_void_p))

    def __dlpack_device__(self) -> Tuple[int, int]:
        return _CUDA, 0

    def __dlpack__(self, **_: Any) -> Any:
        return _new_capsule(ctypes.addressof(self._tensor), b"dltensor", None)


def _device(value: Any, name: str, arrays: List[_memory.HostArray]) -> Any:
    """`value` with arrays as the launcher takes them; adds them to `arrays`."""
    if _memory.is_array(value):
        arrays.append(_memory.describe(value, name))
        return DeviceArray(arrays[-1])
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return type(value)(_device(item, f"{name}[{k}]", arrays) for k, item in enumerate(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        mine = {field: _device(item, f"{name}.{field}", arrays) for field, item in fields.items()}
        return dataclasses.replace(value, **mine) if any(mine[f] is not fields[f] for f in fields) else value
    return value


# cuTile.


@dataclasses.dataclass
class _Module:
    """A kernel that cuTile has traced, before it is compiled for a GPU."""

    bytecode: bytes
    symbol: str
    opt_level: int
    kernel: Any


class _CuTile:
    """cuTile Python whose launcher calls the emulator."""

    def __init__(self) -> None:
        self.ct = importlib.import_module("cuda.tile")
        self.cext = importlib.import_module("cuda.tile._cext")
        self.compiler = importlib.import_module("cuda.tile._compile")
        execution = importlib.import_module("cuda.tile._execution")
        if "cuda.tile._load_libcuda" in sys.modules:
            raise RuntimeError("cuTile has opened the driver of a real GPU already; call tileir.emulate() before its first launch, "
                               "or run the program by 'python -m tileir'")
        self.driver = Driver(lambda: (current() or Settings("sm_90")).gpu, self._on_launch)
        stand_in = types.ModuleType("cuda.tile._load_libcuda")
        stand_in.cuGetProcAddress_v2_ptrptr = self.driver.entry_point  # type: ignore[attr-defined]
        sys.modules[stand_in.__name__] = stand_in
        self.launch = self.cext.launch
        self._compile = execution.kernel._compile
        # Release 1.7 takes a tuple of libraries, and older ones a list.
        self._no_libraries: Any = () if tuple(map(int, self.ct.__version__.split(".")[:2])) >= (1, 7) else []
        self.pending: List[_memory.HostArray] = []
        self.ct.launch = self.cext.launch = self._launch
        if hasattr(self.cext, "_benchmark"):
            for module in (self.cext, sys.modules.get("cuda.tile.tune._tune")):
                if module is not None and hasattr(module, "_benchmark"):
                    module._benchmark = self._benchmark
        mine = self

        def compile_kernel(kernel: Any, signature: Any, context: Any, *rest: Any) -> Any:
            return mine._compile_kernel(kernel, signature, context, *rest)

        execution.kernel._compile = compile_kernel

    def bytecode_of(self, kernel: Any, signature: Any, gpu: str, context: Any = None) -> Tuple[bytes, str]:
        """The bytecode of `kernel`, and the name of its entry."""
        arguments = {} if context is None else {"context": context}
        result = self.compiler.compile_tile(kernel._annotated_function, (signature,), gpu, kernel._compiler_options, return_bytecode=True,
                                            return_cubin=False, **arguments)
        [signature] = result.kernel_signatures
        return bytes(result.bytecode), signature.symbol

    def _compile_kernel(self, kernel: Any, signature: Any, context: Any, *rest: Any) -> Any:
        settings = current()
        if settings is None:
            return self._compile(kernel, signature, context, *rest)
        bytecode, symbol = self.bytecode_of(kernel, signature, settings.gpu, context)
        module = _Module(bytecode, symbol, kernel._compiler_options.opt_level_for_target(settings.gpu), kernel)
        return self.driver.add(module), symbol, None, self._no_libraries

    def _launch(self, stream: Any, grid: Any, kernel: Any, kernel_args: Any, /, **options: Any) -> None:
        """Launch a cuTile kernel, in the emulator of tileir."""
        if current() is None:
            raise RuntimeError("no GPU is emulated here: launch inside of 'with tileir.emulate(\"sm_90\"):'")
        # Streams of torch and CuPy are streams of a real GPU.
        self.start(grid, kernel, kernel_args, None if stream is None else 0, **options)

    def start(self, grid: Any, kernel: Any, args: Any, stream: Any = 0, **options: Any) -> None:
        """Calls cuTile's launcher with arrays that it takes."""
        names = list(inspect.signature(kernel._pyfunc).parameters) if is_cutile_kernel(kernel) else []
        arrays: List[_memory.HostArray] = []
        if isinstance(args, (tuple, list)):
            args = type(args)(_device(a, names[k] if k < len(names) else f"argument {k}", arrays) for k, a in enumerate(args))
        outer, self.pending = self.pending, arrays
        self.driver.take_error()
        self.driver.copies.clear()
        try:
            self.launch(stream, grid, kernel, args, **options)
        except Exception:
            error = self.driver.take_error()
            if error is not None:
                raise error from None
            raise
        finally:
            self.pending = outer
        error = self.driver.take_error()
        if error is not None:
            raise error

    def _benchmark(self, _stream: Any, grid: Any, kernel: Any, args_list: Any, *_: Any) -> float:
        """Microseconds by the timing model of the GPU."""
        settings = current()
        if settings is None:
            raise RuntimeError("no GPU is emulated here")
        total = 0.0
        for args in args_list:
            mine = dataclasses.replace(settings, timing=True, run=None)
            with _with(mine):
                self.start(grid, kernel, args)
            total += (mine.run.estimate or {}).get("cycles", 0) if mine.run else 0
        return total / max(len(args_list), 1) / _CYCLES_PER_MICROSECOND

    def _on_launch(self, module: _Module, grid: Tuple[int, int, int], parameters: int) -> None:
        settings = current()
        if settings is None:
            raise LaunchError("no GPU is emulated here")
        kernel = settings.kernel
        if kernel is None:
            level = module.opt_level if settings.opt_level is None else settings.opt_level
            kernel = _compile.build(module.bytecode, settings.gpu, level, settings.options, module.symbol)
            kernel.source = module.kernel
        elif kernel.bytecode != module.bytecode:
            raise LaunchError(f"'{kernel.title}' was compiled for arguments of other types, extents or alignments")
        settings.kernel = kernel
        if settings.dry:
            return
        values, arrays = [], list(self.pending)
        for k, parameter in enumerate(kernel.parameters):
            address = ctypes.c_void_p.from_address(parameters + 8 * k).value or 0
            values.append(int.from_bytes(ctypes.string_at(address, parameter["size"]), "little"))
            size = self.driver.copies.get(values[-1], 0) if parameter["type"] == "ptr" else 0
            if size:
                arrays.append(_memory.HostArray("list", values[-1], "u8", 1, (size,), (1,), False, None, is_list=True))
        settings.run = _finish(settings, _run.Launch(kernel, grid, values, arrays))
        settings.kernel = None


#: Clock that turns the cycles of the model into time.
_CYCLES_PER_MICROSECOND = 1700.0

_cutile: Optional[_CuTile] = None


def has_cutile() -> bool:
    """Whether cuTile Python is installed."""
    try:
        return importlib.util.find_spec("cuda.tile") is not None
    except ModuleNotFoundError:
        return False


def cutile() -> _CuTile:
    """cuTile, with the emulator below; from the first call on for the whole process.

    Raises:
        RuntimeError: cuTile uses a real GPU already, or is of a release that is not known.
    """
    global _cutile
    if _cutile is None:
        from ._cutile import use
        use()
        _cutile = _CuTile()
    return _cutile


def is_cutile_kernel(value: Any) -> bool:
    """Whether the object is a kernel of cuTile."""
    tile = sys.modules.get("cuda.tile")
    return tile is not None and isinstance(value, tile.kernel)


@contextlib.contextmanager
def _with(settings: Settings) -> Iterator[Settings]:
    token = _settings.set(settings)
    try:
        yield settings
    finally:
        _settings.reset(token)


def compile_cutile(kernel: Any, gpu: str, opt_level: Optional[int], signature: Any, options: Mapping[str, Any]) -> _compile.Kernel:
    """`tileir.compile` for a kernel of cuTile."""
    if signature is None:
        raise TypeError("a kernel of cuTile needs 'signature': a tuple of arguments as for a launch, or a KernelSignature")
    tile = cutile()
    if isinstance(signature, (tuple, list)):
        settings = Settings(gpu, dry=True, opt_level=opt_level, options=options)
        with _with(settings):
            tile.start((1,), kernel, tuple(signature))
        assert settings.kernel is not None
        return settings.kernel
    bytecode, symbol = tile.bytecode_of(kernel, signature, gpu)
    level = kernel._compiler_options.opt_level_for_target(gpu) if opt_level is None else opt_level
    compiled = _compile.build(bytecode, gpu, level, options, symbol)
    compiled.source = kernel
    return compiled


# Tile IR.

_PACK = {"f16": "<e", "f32": "<f", "f64": "<d"}


def _bits(value: Any, parameter: Dict[str, Any], k: int) -> int:
    """The bits of a number as parameter `k`."""
    if isinstance(value, np.generic):
        value = value.item()
    kind, size = parameter["type"], parameter["size"]
    if not isinstance(value, (int, float)):
        raise LaunchError(f"argument {k} is {type(value).__name__}; the kernel takes a number of type '{kind}'")
    if kind in _PACK:
        return int.from_bytes(struct.pack(_PACK[kind], value), "little")
    if kind == "bf16":
        bits = int.from_bytes(struct.pack("<f", value), "little")
        return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    if not isinstance(value, int) or not -(1 << 8 * size - 1) <= value < 1 << 8 * size:
        raise LaunchError(f"argument {k} is {value!r}; the kernel takes an integer of {8 * size} bits")
    return value & (1 << 8 * size) - 1


def _flat_launch(kernel: _compile.Kernel, grid: Sequence[int], args: Sequence[Any]) -> _run.Launch:
    """The launch of a kernel of Tile IR, whose arguments are its parameters."""
    if len(args) != len(kernel.parameters):
        raise LaunchError(f"'{kernel.name}' has {len(kernel.parameters)} parameters, got {len(args)} arguments")
    values, arrays = [], []
    for k, (value, parameter) in enumerate(zip(args, kernel.parameters)):
        if _memory.is_array(value) != (parameter["type"] == "ptr"):
            raise LaunchError(f"argument {k} of '{kernel.name}' is {type(value).__name__}; the kernel takes " +
                              ("an array" if parameter["type"] == "ptr" else f"a number of type '{parameter['type']}'"))
        if _memory.is_array(value):
            arrays.append(_memory.describe(value, f"argument {k}"))
            values.append(arrays[-1].address)
        else:
            values.append(_bits(value, parameter, k))
    return _run.Launch(kernel, grid, values, arrays)


def _finish(settings: Settings, launch: _run.Launch) -> _run.Run:
    return _run.emulate(launch, settings.gpu, settings.seed, settings.checks, settings.oracle, settings.timing, settings.max_steps)


def launch(grid: Any, kernel: Any, args: Any, gpu: Optional[str] = None, seed: Optional[int] = None,
           checks: Union[str, Sequence[str]] = "all", oracle: bool = False, *, timing: bool = False, max_steps: Optional[int] = None) -> _run.Run:
    """Runs a kernel on host arrays, which hold the results afterwards.

    Args:
        grid: tile blocks by axis, one to three numbers or one number.
        kernel: a kernel of cuTile, a `Kernel`, or Tile IR as `compile` takes it.
        args: of a kernel of cuTile, its arguments as for `cuda.tile.launch`, or a dictionary by name; else one for each parameter.
            NumPy arrays with any strides, which may share memory; torch tensors on the CPU; numbers.
        gpu: the GPU to emulate, as "sm_90"; that of a `Kernel`, else sm_90, when it is None.
        seed: of the order of warps and of asynchronous work; a kernel that is right is right for all (1).
        checks: "all", "none", or some of race, init, bounds, align, deadlock, convergence, lifetime, protocol, inbounds.
        oracle: run the interpreter of Tile IR as well, and say whether the kernel or the compiler is at fault.
        timing: estimate cycles by the model of the GPU.
        max_steps: warp instructions after which the run ends.

    Raises:
        KernelError: a check found something, as `RaceError`, `BoundsError`, `UninitializedError`, `DeadlockError`.
        LaunchError: the arguments do not fit the kernel.
        CompileError: the compiler refuses the kernel.
    """
    grid = (grid,) if isinstance(grid, int) else tuple(grid)
    if not 1 <= len(grid) <= 3 or not all(isinstance(n, (int, np.integer)) and n > 0 for n in grid):
        raise LaunchError(f"grid {grid}: expected one to three numbers of at least 1")
    grid = tuple(int(n) for n in grid)
    compiled = kernel if isinstance(kernel, _compile.Kernel) else None
    source = compiled.source if compiled else kernel
    if compiled is not None and gpu not in (None, compiled.gpu):
        raise LaunchError(f"'{compiled.title}' was compiled for {compiled.gpu}, not for {gpu}")
    chosen = gpu or (compiled.gpu if compiled else emulated_gpu() or "sm_90")
    settings = Settings(chosen, seed, checks, oracle, timing, max_steps, kernel=compiled)
    if is_cutile_kernel(source):
        if isinstance(args, Mapping):
            bound = inspect.signature(source._pyfunc).bind(**args)
            bound.apply_defaults()
            args = bound.args
        with _with(settings):
            cutile().start(grid, source, tuple(args))
        assert settings.run is not None
        return settings.run
    if compiled is None:
        compiled = _compile.compile(kernel, chosen)
    return _finish(settings, _flat_launch(compiled, grid, tuple(args)))


class emulate(contextlib.ContextDecorator):  # pylint: disable=invalid-name
    """`with tileir.emulate("sm_90"):` runs the launches of cuTile in it on host arrays, without a GPU.

    Args:
        gpu: the GPU to emulate.
        seed, checks, oracle, max_steps: as for `launch`.
    """

    def __init__(self, gpu: str = "sm_90", *, seed: Optional[int] = None, checks: Union[str, Sequence[str]] = "all", oracle: bool = False,
                 max_steps: Optional[int] = None) -> None:
        _run.check_list(checks)
        self._settings = Settings(gpu, seed, checks, oracle, max_steps=max_steps)
        self._stack: List[contextlib.ExitStack] = []

    def __enter__(self) -> "emulate":
        if has_cutile():
            cutile()
        stack = contextlib.ExitStack()
        stack.enter_context(_with(self._settings))
        from . import _frameworks
        stack.enter_context(_frameworks.on_host())
        self._stack.append(stack)
        return self

    def __exit__(self, *_: Any) -> None:
        self._stack.pop().close()

    def start(self) -> None:
        """The same for the whole process from now on."""
        global _everywhere
        if has_cutile():
            cutile()
        from . import _frameworks
        if _everywhere is None:
            _process.enter_context(_frameworks.on_host())
        _everywhere = self._settings

    @property
    def last_run(self) -> Optional[_run.Run]:
        """The `Run` of the last launch."""
        return self._settings.run
