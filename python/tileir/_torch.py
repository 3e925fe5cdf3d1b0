# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch while a GPU is emulated: tensors of "cuda" are tensors of the host that say they are on the GPU.

A mode sees every call of torch. It gives the host for the device, remembers which results would be on the GPU, copies where
tensors would change places, and answers for their `device` and `is_cuda`. `torch.cuda` answers for the emulated GPU.
"""
import contextlib
import time
import types
from typing import Any, Dict, Iterator, Tuple

import torch
from torch.overrides import TorchFunctionMode

from . import _memory

_CPU = torch.device("cpu")
_MARK = "_tileir_on_gpu"


def _is_gpu(value: Any) -> bool:
    """Whether a device argument names a GPU."""
    if isinstance(value, torch.device):
        return value.type == "cuda"
    return isinstance(value, str) and value.split(":")[0] == "cuda"


def _is_cpu(value: Any) -> bool:
    if isinstance(value, torch.device):
        return value.type == "cpu"
    return isinstance(value, str) and value.split(":")[0] == "cpu"


def _marked(value: Any) -> bool:
    """Whether an argument holds tensors that would be on the GPU."""
    if isinstance(value, torch.Tensor):
        return _MARK in value.__dict__
    if isinstance(value, (tuple, list)):
        return any(map(_marked, value))
    return isinstance(value, dict) and any(map(_marked, value.values()))


def _mark(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        value.__dict__[_MARK] = True
    elif isinstance(value, (tuple, list)):
        for item in value:
            _mark(item)
    return value


def _unmark(value: Any) -> Any:
    value.__dict__.pop(_MARK, None)
    return value


_EMPTY = {torch.empty, torch.empty_like, torch.empty_strided, torch.Tensor.new_empty}
_DEVICE = torch.Tensor.device.__get__  # type: ignore[attr-defined]
_IS_CUDA = torch.Tensor.is_cuda.__get__  # type: ignore[attr-defined]
_SET_DATA = torch.Tensor.data.__set__  # type: ignore[attr-defined]
_GET_DEVICE = torch.Tensor.get_device
_MOVES = {torch.Tensor.to, torch.Tensor.cuda, torch.Tensor.cpu}


class _OnHost(TorchFunctionMode):
    def __torch_function__(self, function: Any, kinds: Any, args: Tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        if function == _DEVICE and _marked(args[0]):
            return torch.device("cuda", 0)
        if function == _IS_CUDA:
            return _marked(args[0])
        if function is _GET_DEVICE and _marked(args[0]):
            return 0
        if function == _SET_DATA:
            (_mark if _marked(args[1]) else _unmark)(args[0])
        if function in _MOVES:
            return self._move(function, args, kwargs)
        named = kwargs.get("device")
        to_gpu = _is_gpu(named) or any(map(_is_gpu, args))
        to_cpu = _is_cpu(named)
        if _is_gpu(named):
            kwargs["device"] = _CPU
        args = tuple(_CPU if _is_gpu(a) else a for a in args)
        if kwargs.pop("pin_memory", False):
            kwargs["pin_memory"] = False
        inner = function(*args, **kwargs)
        if to_gpu or not to_cpu and (_marked(args) or _marked(kwargs)):
            _mark(inner)
            if function in _EMPTY:
                _poison(inner)
        return inner

    @staticmethod
    def _move(function: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        tensor, rest = args[0], list(args[1:])
        here = _marked(tensor)
        there = here
        if function is torch.Tensor.cuda:
            there, rest, kwargs = True, [], {}
        elif function is torch.Tensor.cpu:
            there, rest, kwargs = False, [], {}
        else:
            targets = [*rest, kwargs.get("device"), kwargs.get("other")]
            for target in targets:
                if _is_gpu(target) or isinstance(target, torch.Tensor) and _marked(target):
                    there = True
                elif _is_cpu(target) or isinstance(target, torch.Tensor):
                    there = False
            # An index of a device is the GPU's.
            if rest and isinstance(rest[0], int) and not isinstance(rest[0], bool):
                there, rest[0] = True, _CPU
            rest = [_CPU if _is_gpu(r) else r for r in rest]
            if _is_gpu(kwargs.get("device")) or isinstance(kwargs.get("device"), int):
                there, kwargs["device"] = True, _CPU
        out = torch.Tensor.to(tensor, *rest, **kwargs) if rest or kwargs else tensor
        if there != here and out is tensor:
            out = tensor.clone() if not isinstance(tensor, torch.nn.Parameter) else torch.nn.Parameter(tensor.detach().clone(), tensor.requires_grad)
        return _mark(out) if there else _unmark(out)


def _poison(tensor: torch.Tensor) -> None:
    """Makes the contents of new memory count as never written."""
    if tensor.numel() and not tensor.is_sparse:
        storage = tensor.untyped_storage()
        _memory.poison(_memory.host_bytes(storage.data_ptr(), storage.nbytes()))


class _Stream(contextlib.nullcontext):
    """A stream: launches are done when they return."""

    cuda_stream = 0
    device = torch.device("cuda", 0)

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__(self)

    def synchronize(self) -> None:
        pass

    def wait_stream(self, _: Any) -> None:
        pass

    wait_event = wait_stream

    def record_event(self, event: Any = None) -> Any:
        event = event or _Event()
        event.record()
        return event

    def query(self) -> bool:
        return True


class _Event:
    """An event: the time of the host, not of a GPU."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.at = time.perf_counter()

    def record(self, *_: Any) -> None:
        self.at = time.perf_counter()

    def synchronize(self) -> None:
        pass

    def wait(self, *_: Any) -> None:
        pass

    def query(self) -> bool:
        return True

    def elapsed_time(self, other: "_Event") -> float:
        return 1000 * (other.at - self.at)


class _GeneratorKind(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, _REAL_GENERATOR)


_REAL_GENERATOR = torch.Generator


class _Generator(metaclass=_GeneratorKind):
    def __new__(cls, device: Any = "cpu") -> Any:
        return _REAL_GENERATOR("cpu" if _is_gpu(device) else device)


def _capability(*_: Any) -> Tuple[int, int]:
    from ._emulate import emulated_gpu
    number = int((emulated_gpu() or "sm_90")[3:])
    return number // 10, number % 10


def _properties(*_: Any) -> Any:
    major, minor = _capability()
    return types.SimpleNamespace(name=f"emulated sm_{major}{minor}", major=major, minor=minor, multi_processor_count=132, total_memory=80 << 30,
                                 warp_size=32, max_threads_per_multi_processor=2048, regs_per_multiprocessor=65536, L2_cache_size=50 << 20,
                                 shared_memory_per_block=49152, shared_memory_per_block_optin=232448, shared_memory_per_multiprocessor=233472)


def _nothing(*_: Any, **__: Any) -> None:
    pass


def _answers() -> Dict[str, Any]:
    """The functions of `torch.cuda`."""
    answers: Dict[str, Any] = {
        "is_available": lambda: True, "device_count": lambda: 1, "current_device": lambda: 0, "is_initialized": lambda: True,
        "get_device_capability": _capability, "get_device_properties": _properties, "get_device_name": lambda *_: _properties().name,
        "current_stream": _Stream, "default_stream": _Stream, "Stream": _Stream, "Event": _Event, "stream": lambda s: contextlib.nullcontext(s),
        "device": lambda *_: contextlib.nullcontext(), "mem_get_info": lambda *_: (80 << 30, 80 << 30), "is_bf16_supported": lambda *_, **__: True,
        "get_rng_state": lambda *_: torch.get_rng_state(), "set_rng_state": lambda state, *_: torch.set_rng_state(state),
    }
    for name in ("synchronize", "empty_cache", "init", "set_device", "_lazy_init", "reset_peak_memory_stats", "ipc_collect"):
        answers[name] = _nothing
    for name in ("manual_seed", "manual_seed_all"):
        answers[name] = _nothing  # torch.manual_seed calls these, and draws on the host.
    for name in ("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"):
        answers[name] = lambda *_: 0
    return answers


@contextlib.contextmanager
def on_host() -> Iterator[None]:
    """Tensors of "cuda" are tensors of the host."""
    with contextlib.ExitStack() as stack:
        for name, value in _answers().items():
            stack.callback(setattr, torch.cuda, name, getattr(torch.cuda, name, None))
            setattr(torch.cuda, name, value)
        stack.callback(setattr, torch, "Generator", torch.Generator)
        torch.Generator = _Generator  # type: ignore[misc]
        stack.enter_context(_OnHost())
        yield
