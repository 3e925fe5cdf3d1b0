# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of this folder."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

_DATA = [
    "check.py",
    "faults.py",
    "slices.py",
    "//test/data:perf_kernels",
    "//tools/tileir-run",
    "//tools/tileiras",
]

def pipelined_test(name, script, data = [], args = [], **kwargs):
    """Runs a script of this folder on kernels that it compiles and emulates.

    Args:
      name: of the test.
      script: the script, in this folder.
      data: what it reads beside kernels, compiler and emulator.
      args: its arguments.
      **kwargs: as for sh_test.
    """
    sh_test(
        name = name,
        srcs = ["run.sh"],
        args = [script] + args,
        data = _DATA + [file for file in [script] if file not in _DATA] + data,
        **kwargs
    )
