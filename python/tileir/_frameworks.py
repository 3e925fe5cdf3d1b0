# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Array libraries of GPUs during emulation: arrays that a script requests on the device are allocated on the host.

torch, where it is installed: see `_torch`. CuPy, where it is not: `_cupy`, as much of it as NumPy has.
"""
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from typing import Any, Iterator, Optional, Sequence


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Redirects torch to the host when it is imported, and finds the stand-in for CuPy."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack, self._busy = stack, False

    def find_spec(self, name: str, _path: Optional[Sequence[str]] = None, _target: Optional[types.ModuleType] = None
                  ) -> Optional[importlib.machinery.ModuleSpec]:
        if name not in ("torch", "cupy") or self._busy:
            return None
        self._busy = True
        try:
            real = importlib.util.find_spec(name)
        finally:
            self._busy = False
        if name == "cupy":
            return real or importlib.machinery.ModuleSpec(name, self)
        if real is None or real.loader is None:
            return None
        spec = importlib.machinery.ModuleSpec(name, _After(real.loader, self._stack), origin=real.origin)
        spec.submodule_search_locations = real.submodule_search_locations
        spec.has_location = True
        return spec

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        from . import _cupy
        return _cupy.module()

    def exec_module(self, module: types.ModuleType) -> None:
        pass


class _After(importlib.abc.Loader):
    """Loads torch, then redirects it to the host."""

    def __init__(self, loader: Any, stack: contextlib.ExitStack) -> None:
        self._loader, self._stack = loader, stack

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Optional[types.ModuleType]:
        return self._loader.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        module.__loader__ = module.__spec__.loader = self._loader  # type: ignore[union-attr]
        self._loader.exec_module(module)
        from . import _torch
        self._stack.enter_context(_torch.on_host())


@contextlib.contextmanager
def on_host() -> Iterator[None]:
    """Arrays on the device are host arrays."""
    with contextlib.ExitStack() as stack:
        if "torch" in sys.modules:
            from . import _torch
            stack.enter_context(_torch.on_host())
        finder = _Finder(stack)
        sys.meta_path.insert(0, finder)
        stack.callback(sys.meta_path.remove, finder)
        yield
