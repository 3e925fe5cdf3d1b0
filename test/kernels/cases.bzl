# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of this folder, by name: `kernel.version` is kernel/kernel.version.json, beside the kernel's answers."""

load(":targets.bzl", "TARGETS")

def cases_and_targets():
    """Returns each case with each of its targets.

    Returns:
      Pairs of strings; fails where a case has no targets.
    """
    cases = [path.rpartition("/")[2][:-len(".json")] for path in native.glob(["*/*.json"])]
    unnamed = [case for case in cases if case not in TARGETS]
    if unnamed:
        fail("targets.bzl names no target of " + ", ".join(unnamed))
    return [(case, gpu) for case in cases for gpu in TARGETS[case]]
