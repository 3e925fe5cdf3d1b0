# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of this folder, by name: KERNEL/case.json is KERNEL, KERNEL/case.NAME.json is KERNEL.NAME."""

load("//test/kernels:targets.bzl", "EVERY_GENERATION")
load(":targets.bzl", "TARGETS")

def cases_and_targets():
    """Returns each case with each of its targets, as pairs of strings."""
    files = native.glob(["*/case*.json"])
    cases = [file.replace("/case", "")[:-len(".json")] for file in files]
    return [(case, gpu) for case in cases for gpu in TARGETS.get(case, EVERY_GENERATION)]
