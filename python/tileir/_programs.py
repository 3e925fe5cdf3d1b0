# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of the package, and the scripts that stand for them on the path."""
import os
import sys
from typing import NoReturn

_ROOT = os.path.dirname(os.path.realpath(__file__))
BIN = os.path.join(_ROOT, "bin")

with open(os.path.join(_ROOT, "share/tileir/VERSION"), encoding="utf-8") as _file:
    #: Version of the compiler and of the package, as "1.2.3".
    VERSION = _file.read().strip()

# One program under two names; a wheel has no links.
_SAME = {"tileir-serialize": "tileiras"}


def program(name: str) -> str:
    """Returns the path of program `name`, such as "tileiras" or "tileir-run".

    Raises:
        FileNotFoundError: the package has no such program; the message lists its programs.
    """
    path = os.path.join(BIN, _SAME.get(name, name))
    if not os.path.isfile(path):
        have = sorted([*os.listdir(BIN), *_SAME])
        raise FileNotFoundError(f"tileir has no program '{name}'; it has {', '.join(have)}")
    return path


def run() -> NoReturn:
    """Becomes the program that has the name of this script."""
    name = os.path.basename(sys.argv[0])
    path = program(name)
    os.execv(path, [name if name in _SAME else path, *sys.argv[1:]])
