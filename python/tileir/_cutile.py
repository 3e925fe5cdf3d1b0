# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which `tileiras` compiles the kernels of cuTile Python."""
import dataclasses
import functools
import importlib.util
import os
import re
import shutil
import subprocess
from types import ModuleType
from typing import Any, Callable

from ._programs import BIN, program


@dataclasses.dataclass(frozen=True)
class Compiler:
    """A `tileiras`."""

    #: Its path.
    path: str
    #: True for the compiler of this package, and any other build of it.
    ours: bool
    #: The release of Tile IR that it stands for, as "13.5"; empty when it names none.
    release: str


def _cutile() -> "ModuleType | None":
    """The module of cuTile that starts compilers; None without cuTile."""
    try:
        if importlib.util.find_spec("cuda.tile") is None:
            return None
    except ModuleNotFoundError:
        return None
    return importlib.import_module("cuda.tile._compile")


def _finder(module: ModuleType) -> "Callable[[], Any]":
    """The function by which cuTile finds its compiler."""
    find = getattr(module, "_find_compiler_bin", None)
    if find is None:
        version = getattr(importlib.import_module("cuda.tile"), "__version__", "installed here")
        raise RuntimeError(f"cuTile {version} looks for its compiler in a way that tileir does not know; "
                           f"uninstall nvidia-cuda-tileiras, then it takes '{program('tileiras')}' from the path")
    return find


def use() -> None:
    """Makes cuTile Python compile by this package from now on, also where NVIDIA's compiler is installed.

    Child processes find the programs of this package first on their path, too. Without cuTile that is all.

    Raises:
        RuntimeError: a release of cuTile that looks for its compiler in another way; releases 1.5 to 1.7 are known.
    """
    folders = os.environ.get("PATH", "").split(os.pathsep)
    if folders[0] != BIN:
        os.environ["PATH"] = os.pathsep.join([BIN, *[f for f in folders if f != BIN]])
    module = _cutile()
    if module is None:
        return
    find = _finder(module)
    if not getattr(find, "made_by_tileir", False):
        original = getattr(find, "__wrapped__", find)

        @functools.cache
        def find_ours() -> Any:
            return dataclasses.replace(original(), path=program("tileiras"))

        find_ours.made_by_tileir = True  # type: ignore[attr-defined]
        module._find_compiler_bin = find_ours  # type: ignore[attr-defined]
    # Cached results of another compiler.
    for value in list(vars(module).values()):
        if callable(getattr(value, "cache_clear", None)) and getattr(value, "__module__", None) == module.__name__:
            value.cache_clear()


def which() -> Compiler:
    """Says which compiler cuTile Python would call now; without cuTile, the `tileiras` on the path.

    Raises:
        FileNotFoundError: there is no `tileiras`.
        RuntimeError: as for `use`.
    """
    module = _cutile()
    if module is not None:
        path = _finder(module)().path
    else:
        path = shutil.which("tileiras") or ""
        if not path:
            raise FileNotFoundError(f"no tileiras on the path; tileir's is '{program('tileiras')}'")
    text = subprocess.run([path, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
    release = re.search(r"release (\d+\.\d+)", text)
    return Compiler(path=path, ours="Build tileir-" in text, release=release[1] if release else "")
