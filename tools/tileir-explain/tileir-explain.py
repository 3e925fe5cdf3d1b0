#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tileir-explain: starts the program of the Python package, of a wheel, of an installation or of the source tree."""

import importlib
import os
import sys
import types

_ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_PLACES = (_ROOT, os.path.join(_ROOT, "share/tileir/python"), os.path.join(os.path.dirname(_ROOT), "python/tileir"))

# The program needs only its own modules of the package.
package = types.ModuleType("tileir")
package.__path__ = [place for place in _PLACES if os.path.isfile(os.path.join(place, "_explain.py"))]
sys.modules["tileir"] = package
importlib.import_module("tileir._explain").run()
