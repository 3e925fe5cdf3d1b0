# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stand-in for libcuda, in this process, with as much of the driver as cuTile's launcher calls.

The launcher asks `cuGetProcAddress` for every function. Here each is a Python function behind ctypes; device memory is host
memory; a module is the number of a kernel that `Driver.add` has got, instead of a cubin; a launch calls `on_launch`.
"""
import ctypes
import itertools
from typing import Any, Callable, Dict, List, Optional, Tuple

from .errors import LaunchError

#: The highest number of arguments of a function; functions with fewer arguments ignore the rest.
_MAX_ARGUMENTS = 11
_Function = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * _MAX_ARGUMENTS)

_SUCCESS, _OUT_OF_MEMORY, _NOT_FOUND, _NOT_SUPPORTED, _FAILED = 0, 2, 500, 801, 999
_MODULE = b"tileir kernel "
#: What the emulated driver says it is: 13.5.
_VERSION = 13050
_STREAM_LEGACY = 0

# CUdevice_attribute, of the numbers that launchers look at.
_ATTRIBUTES = {1: 1024, 2: 1024, 3: 1024, 4: 64, 5: 2**31 - 1, 6: 65535, 7: 65535, 10: 32, 16: 132, 39: 2048}
_MAJOR, _MINOR = 75, 76


class _LaunchConfig(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint) for name in ("gx", "gy", "gz", "bx", "by", "bz", "shared")] + [("stream", ctypes.c_void_p)]


def _word(address: int, value: int, kind: Any = ctypes.c_uint64) -> None:
    kind.from_address(address).value = value


class Driver:
    """The stand-in. There is one in a process: cuTile looks for its driver once."""

    def __init__(self, gpu: Callable[[], str], on_launch: Callable[[Any, Tuple[int, int, int], int], None]) -> None:
        """`gpu` names the device of now; `on_launch` gets the kernel, the grid and the address of the parameters' addresses."""
        self._gpu, self._on_launch = gpu, on_launch
        self._modules: List[Any] = []
        self._contexts: Dict[str, int] = {}
        self._functions: Dict[str, Any] = {}
        self._handles = itertools.count(0x7000)
        #: Memory that the launcher has allocated, by address.
        self._memory: Dict[int, Any] = {}
        #: Bytes that the launcher has copied to the device, by address.
        self.copies: Dict[int, int] = {}
        #: What the last call that failed had to say.
        self.error: Optional[BaseException] = None
        self._message = ctypes.create_string_buffer(b"the emulated launch failed")
        self._entry = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint64,
                                       ctypes.c_void_p)(self._get_proc_address)

    #: Address of a pointer to cuGetProcAddress_v2, as `cuda.tile._load_libcuda` has it.
    entry_point = property(lambda self: ctypes.addressof(self._entry))

    def add(self, kernel: Any) -> bytes:
        """Returns the handle that replaces the machine code of `kernel`."""
        self._modules.append(kernel)
        return _MODULE + b"%d\0" % (len(self._modules) - 1)

    def take_error(self) -> Optional[BaseException]:
        """The error of the last call that failed; a second call returns none."""
        error, self.error = self.error, None
        return error

    def _get_proc_address(self, symbol: int, function: int, _version: int, _flags: int, status: int) -> int:
        name = ctypes.string_at(symbol).decode()
        if name not in self._functions:
            self._functions[name] = _Function(self._guard(name))
        _word(function, ctypes.cast(self._functions[name], ctypes.c_void_p).value or 0)
        if status:
            _word(status, 0, ctypes.c_int)
        return _SUCCESS

    def _guard(self, name: str) -> Callable[..., int]:
        action = getattr(self, name, None)

        def call(*arguments: Optional[int]) -> int:
            try:
                if action is None:
                    raise LaunchError(f"the emulated GPU has no {name}: this needs a real one")
                return action(*[a or 0 for a in arguments]) or _SUCCESS
            except BaseException as error:  # pylint: disable=broad-except
                # No exception may cross the C frames of the launcher: its caller raises this one.
                self.error = error
                return _FAILED

        return call

    # Functions of the driver. A function ignores arguments that it does not name.

    def cuInit(self, *_: int) -> None:
        pass

    def cuDriverGetVersion(self, out: int, *_: int) -> None:
        _word(out, _VERSION, ctypes.c_int)

    def cuGetErrorString(self, _error: int, out: int, *_: int) -> None:
        _word(out, ctypes.addressof(self._message))

    cuGetErrorName = cuGetErrorString

    def cuDeviceGetCount(self, out: int, *_: int) -> None:
        _word(out, 1, ctypes.c_int)

    def cuDeviceGet(self, out: int, *_: int) -> None:
        _word(out, 0, ctypes.c_int)

    def cuDeviceGetAttribute(self, out: int, attribute: int, *_: int) -> None:
        number = int(self._gpu()[3:])
        attribute &= 0xFFFFFFFF
        value = number // 10 if attribute == _MAJOR else number % 10 if attribute == _MINOR else _ATTRIBUTES.get(attribute, 0)
        _word(out, value, ctypes.c_int)

    def _context(self) -> int:
        # One handle for each GPU, so that launchers do not confuse compiled kernels.
        return self._contexts.setdefault(self._gpu(), 0x5000 + len(self._contexts))

    def cuCtxGetCurrent(self, out: int, *_: int) -> None:
        _word(out, self._context())

    cuDevicePrimaryCtxRetain = cuCtxPopCurrent = cuCtxGetCurrent

    def cuCtxSetCurrent(self, *_: int) -> None:
        pass

    cuCtxPushCurrent = cuCtxSynchronize = cuStreamSynchronize = cuStreamDestroy = cuEventDestroy = cuEventQuery = cuCtxSetCurrent
    cuEventRecord = cuStreamWaitEvent = cuLibraryUnload = cuKernelSetAttribute = cuCtxSetCurrent

    def cuCtxGetDevice(self, out: int, *_: int) -> None:
        _word(out, 0, ctypes.c_int)

    def cuCtxGetId(self, context: int, out: int, *_: int) -> None:
        _word(out, context or self._context())

    def cuStreamGetCtx(self, _stream: int, out: int, *_: int) -> None:
        _word(out, self._context())

    def cuStreamGetId(self, stream: int, out: int, *_: int) -> None:
        _word(out, stream)

    def cuStreamIsCapturing(self, _stream: int, out: int, *_: int) -> None:
        _word(out, 0, ctypes.c_int)

    def cuStreamCreate(self, out: int, *_: int) -> None:
        _word(out, next(self._handles))

    cuEventCreate = cuStreamCreate

    def cuPointerGetAttribute(self, out: int, attribute: int, *_: int) -> None:
        attribute &= 0xFFFFFFFF
        if attribute == 1:  # Context.
            _word(out, self._context())
        elif attribute == 2:  # Memory type: a device's.
            _word(out, 2, ctypes.c_int)
        elif attribute == 9:  # Ordinal of the device.
            _word(out, 0, ctypes.c_int)
        else:
            raise LaunchError(f"the emulated GPU does not know attribute {attribute} of pointers")

    def cuMemAlloc(self, out: int, size: int, *_: int) -> None:
        memory = (ctypes.c_uint8 * max(size + 255, 256))()
        address = -(-ctypes.addressof(memory) // 256) * 256
        self._memory[address] = memory
        _word(out, address)

    cuMemAllocHost = cuMemAlloc

    def cuMemFree(self, address: int, *_: int) -> None:
        self._memory.pop(address, None)

    cuMemFreeHost = cuMemFree

    def cuMemcpyHtoDAsync(self, to: int, source: int, size: int, *_: int) -> None:
        ctypes.memmove(to, source, size)
        self.copies[to] = size

    def cuLibraryLoadData(self, out: int, code: int, *_: int) -> Optional[int]:
        if ctypes.string_at(code, len(_MODULE)) != _MODULE:
            raise LaunchError("the emulated GPU loads kernels that tileir has compiled only")
        _word(out, int(ctypes.string_at(code)[len(_MODULE):]) + 1)

    def cuLibraryGetKernel(self, out: int, library: int, _name: int, *_: int) -> None:
        _word(out, library)

    def cuKernelGetFunction(self, out: int, kernel: int, *_: int) -> None:
        _word(out, kernel)

    def cuKernelGetAttribute(self, out: int, *_: int) -> None:
        _word(out, 0, ctypes.c_int)

    def _launch(self, function: int, grid: Tuple[int, ...], parameters: int) -> None:
        gx, gy, gz = (int(n) & 0xFFFFFFFF for n in grid)
        try:
            self._on_launch(self._modules[function - 1], (gx, gy, gz), parameters)
        except BaseException as error:  # pylint: disable=broad-except
            # Report success: after a failure the launcher would call Python with an exception pending.
            self.error = error

    def cuLaunchKernel(self, function: int, gx: int, gy: int, gz: int, _bx: int, _by: int, _bz: int, _shared: int, _stream: int,
                       parameters: int, *_: int) -> None:
        self._launch(function, (gx, gy, gz), parameters)

    def cuLaunchKernelEx(self, config: int, function: int, parameters: int, *_: int) -> None:
        c = _LaunchConfig.from_address(config)
        self._launch(function, (c.gx, c.gy, c.gz), parameters)
