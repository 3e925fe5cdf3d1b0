# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The open Tile IR compiler, and an emulator that runs its kernels without a GPU.

    kernel = tileir.compile("kernel.tileirbc", "sm_90")     # .ptx, .cubin, .registers, .remarks, ...
    tileir.launch((8,), kernel, (a, b, c))                  # on NumPy arrays, with races, bounds and more checked

    with tileir.emulate("sm_90"):                           # scripts of cuTile as they are
        cuda.tile.launch(stream, (8,), add, (a, b, c))

The programs of the package are on the path where pip puts scripts: `tileiras`, `tileirdisasm`, `tileir-run` and so on.
cuTile Python finds `tileiras` there, unless NVIDIA's own package is installed as well, which it prefers: call `tileir.use()`,
or set TILEIR_USE=1 for a script that imports tileir.

`python -m tileir SCRIPT.py` emulates a GPU for a whole script. TILEIR_EMULATE=sm_90 does so for programs that import tileir, and for
those that import torch or run under pytest, which load tileir where pip has installed it.
"""
import os as _os

from ._compile import GPUS, Kernel, Remark, compile
from ._cutile import Compiler, use, which
from ._emulate import emulate, emulated_gpu, launch
from ._explain import ExplainError, Explanation, explain
from ._memory import empty
from ._programs import VERSION as __version__
from ._programs import program
from ._run import CHECKS, Run
from .errors import (AlignmentError, AssertError, BoundsError, CompileError, ConvergenceError, DeadlockError, Finding, KernelError, LaunchError,
                     LifetimeError, ProtocolError, RaceError, StepLimitError, TrapError, UndefinedError, UninitializedError, WrongAnswerError)

__all__ = [
    "AlignmentError", "AssertError", "BoundsError", "CHECKS", "CompileError", "Compiler", "ConvergenceError", "DeadlockError",
    "ExplainError", "Explanation", "Finding", "GPUS", "Kernel", "KernelError", "LaunchError", "LifetimeError",
    "ProtocolError", "RaceError", "Remark", "Run", "StepLimitError", "TrapError", "UndefinedError",
    "UninitializedError", "WrongAnswerError", "__version__", "compile", "empty", "emulate", "emulated_gpu",
    "explain", "launch", "program", "use", "which"
]


def _autoload() -> None:
    """The entry point that torch calls when it is imported. The import of this module has read the environment."""


# TILEIR_USE: equals `1` = importing `tileir` does `tileir.use()`.
if _os.environ.get("TILEIR_USE") == "1":
    use()
# TILEIR_EMULATE: a GPU, such as `sm_90` = importing `tileir` runs cuTile's kernels in the emulator as on this GPU.
if _os.environ.get("TILEIR_EMULATE"):
    emulate(_os.environ["TILEIR_EMULATE"]).start()
