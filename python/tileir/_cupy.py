# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stand-in for CuPy: its arrays are NumPy arrays with `get`, its functions are NumPy's.

What NumPy has not, as kernels in CUDA C++, is an error that names it.
"""
import contextlib
import functools
import types
from typing import Any, Callable, Tuple

import numpy as np

from . import _memory


class Array(np.ndarray):
    """An array on the emulated GPU."""

    def get(self, *_: Any, **__: Any) -> np.ndarray:
        """A copy, as a NumPy array."""
        return np.array(self, subok=False)

    def set(self, values: Any, *_: Any) -> None:
        """Copies `values` into the array."""
        self[...] = values

    @property
    def device(self) -> Any:
        """The only device."""
        return Device(0)


def _up(value: Any) -> Any:
    """Results as CuPy has them: arrays, also of rank 0."""
    if isinstance(value, Array):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value).view(Array)
    if isinstance(value, (tuple, list)):
        return type(value)(map(_up, value)) if not hasattr(value, "_fields") else value
    return value


def _lifted(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return _up(function(*args, **kwargs))

    return call


class _Module(types.ModuleType):
    """Functions of a module of NumPy, with results on the GPU."""

    def __init__(self, name: str, below: Any, **names: Any) -> None:
        super().__init__(name)
        self._below = below
        self.__path__: list = []
        vars(self).update(names)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(self._below, name, None)
        if value is None and not hasattr(self._below, name):
            raise AttributeError(f"'{self.__name__}.{name}' needs a real GPU and CuPy; tileir's stand-in has what NumPy has")
        if isinstance(value, types.ModuleType):
            return _Module(f"{self.__name__}.{name}", value)
        if isinstance(value, type) or not callable(value):
            return value
        return _lifted(value)


class Device:
    """The only device."""

    def __init__(self, number: int = 0) -> None:
        self.id = number

    @property
    def compute_capability(self) -> str:
        """Compute capability, such as "90"."""
        from ._emulate import emulated_gpu
        return (emulated_gpu() or "sm_90")[3:]

    def __enter__(self) -> "Device":
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def synchronize(self) -> None:
        """Launches are done when they return."""

    use = synchronize


class Stream(contextlib.nullcontext):
    """A stream; launches are done when they return."""

    null: "Stream"
    ptr = 0

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__(self)

    def synchronize(self) -> None:
        """Nothing is in flight."""

    use = synchronize


Stream.null = Stream()


class RandomState:
    """`cupy.random.default_rng` and the like."""

    def __init__(self, below: Any) -> None:
        self._below = below

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._below, name)
        return _lifted(value) if callable(value) else value


def _empty(shape: Any, dtype: Any = float, *_: Any, **__: Any) -> Array:
    return _memory.empty(shape, dtype).view(Array)


def _empty_like(a: Any, dtype: Any = None, *_: Any, **__: Any) -> Array:
    return _empty(np.shape(a), dtype or a.dtype)


def _copied(a: Any, dtype: Any = None, *_: Any, **__: Any) -> Array:
    if isinstance(a, Array) and dtype in (None, a.dtype):
        return a
    return np.array(a, dtype, subok=False).view(Array)


def _on_host(a: Any, *_: Any, **__: Any) -> np.ndarray:
    return np.array(a, subok=False)


def _properties(_: int = 0) -> dict:
    number = int(Device().compute_capability)
    return {"major": number // 10, "minor": number % 10, "multiProcessorCount": 132, "name": b"emulated by tileir"}


def module() -> types.ModuleType:
    """The module `cupy`."""
    runtime = types.SimpleNamespace(getDeviceCount=lambda: 1, getDevice=lambda: 0, deviceSynchronize=lambda: None, getDeviceProperties=_properties)
    cuda = types.SimpleNamespace(Device=Device, Stream=Stream, runtime=runtime, get_current_stream=lambda *_: Stream.null, is_available=lambda: True)
    random = _Module("cupy.random", np.random, default_rng=lambda *a: RandomState(np.random.default_rng(*a)),
                     RandomState=lambda *a: RandomState(np.random.RandomState(*a)))
    return _Module("cupy", np, ndarray=Array, asnumpy=_on_host, asarray=_copied, array=lambda a, *args, **kw: np.array(a, *args, **kw).view(Array),
                   empty=_empty, empty_like=_empty_like, get_array_module=lambda *_: __import__("cupy"), cuda=cuda, random=random)


__all__: Tuple[str, ...] = ("module",)
