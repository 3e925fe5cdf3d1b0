# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of this folder, by name: KERNEL/case.json is KERNEL, KERNEL/case.NAME.json is KERNEL.NAME."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")
load("//test/kernels:targets.bzl", "EVERY_GENERATION")
load(":targets.bzl", "TARGETS")

def cases_and_targets():
    """Returns each case with each of its targets, as pairs of strings."""
    files = native.glob(["*/case*.json"])
    cases = [file.replace("/case", "")[:-len(".json")] for file in files]
    return [(case, gpu) for case in cases for gpu in TARGETS.get(case, EVERY_GENERATION)]

def case_test(name, case, gpu, **kwargs):
    """Runs a case on a target.

    Args:
      name: of the test.
      case: its name.
      gpu: as tileiras takes it.
      **kwargs: of sh_test.
    """
    kernel, dot, rest = case.partition(".")
    file = "%s/case%s.json" % (kernel, dot + rest)
    sh_test(
        name = name,
        srcs = ["//test/kernels:run_case.sh"],
        args = [
            "$(rootpath %s)" % file,
            gpu,
        ],
        data = [
            file,
            "//tools/tileir-run",
            "//tools/tileiras",
        ] + native.glob(
            [kernel + ext for ext in [
                "/*.npy",
                "/*.txt",
                "/kernel.tileirbc",
            ]],
            allow_empty = True,
        ),
        **kwargs
    )
