# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of this folder, by name: `kernel.version` is kernel/kernel.version.json, beside the kernel's answers."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")
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

def case_test(name, case, gpu, script = "run_case.sh", **kwargs):
    """Runs a case on a target.

    Args:
      name: of the test.
      case: its name.
      gpu: as tileiras takes it.
      script: what runs it, of this folder.
      **kwargs: of sh_test.
    """
    kernel = case.split(".")[0]
    file = "%s/%s.json" % (kernel, case)
    sh_test(
        name = name,
        size = "medium",  # the emulator takes seconds for a matmul
        srcs = [script],
        args = [
            "$(rootpath %s)" % file,
            gpu,
        ],
        data = [
            file,
            "//test/data:tileirbc",
            "//tools/tileir-run",
            "//tools/tileiras",
        ] + native.glob([kernel + "/*.npy"]),
        **kwargs
    )
