# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process table, for tests that must leave nothing in it."""
import os


def marked(mark):
    """Processes that inherited the mark in their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                if mark.encode() in f.read():
                    with open(f"/proc/{pid}/stat") as s:
                        if s.read().rsplit(")", 1)[1].split()[0] != "Z":
                            found.append(pid)
        except OSError:
            pass
    return found
