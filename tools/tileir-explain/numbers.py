#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of docs/start/remarks.md from python/tileir/_explain_numbers.py."""

import glob
import importlib
import os
import re
import sys
import types

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
package = types.ModuleType("tileir")
package.__path__ = [os.path.join(root, "python/tileir")]
sys.modules["tileir"] = package
numbers = importlib.import_module("tileir._explain_numbers")
for path in glob.glob(os.path.join(root, "docs/**/remarks.md"), recursive=True):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    page = re.sub(
        r"(<!-- numbers: .*? -->\n\n).*?(\n<!-- end of numbers -->)",
        lambda found: found[1] + numbers.markdown() + found[2],
        page,
        flags=re.S,
    )
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
