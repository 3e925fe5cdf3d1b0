# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the Python blocks of docs/start/python.md in order, as one script, and compares what they print with the blocks of text."""
import os
import pathlib
import re
import subprocess
import sys

page = pathlib.Path(os.environ["TEST_ROOT"], "docs/start/python.md").read_text(encoding="utf-8")
script = pathlib.Path(os.environ.get("TEST_TMPDIR", "/tmp"), "page.py")
script.write_text("\n".join(re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)), encoding="utf-8")
want = "".join(re.findall(r"^```text\n(.*?)^```$", page, re.M | re.S))
done = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, text=True, check=False)
if done.returncode or done.stdout != want or not want:
    sys.exit(f"status {done.returncode}, printed\n{done.stdout}\ninstead of\n{want}")
