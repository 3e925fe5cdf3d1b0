# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The open Tile IR compiler.

The programs of the package are on the path where pip puts scripts: `tileiras`, `tileirdisasm`, `tileir-run` and so on.
cuTile Python finds `tileiras` there, unless NVIDIA's own package is installed as well, which it prefers: call `tileir.use()`,
or set TILEIR_USE=1 for a script that imports tileir.
"""
import os as _os

from ._cutile import Compiler, use, which
from ._programs import VERSION as __version__
from ._programs import program

__all__ = ["Compiler", "__version__", "program", "use", "which"]

# TILEIR_USE: equals `1` = importing `tileir` does `tileir.use()`.
if _os.environ.get("TILEIR_USE") == "1":
    use()
