# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A test of one case on one target, for every folder of kernels."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

def case_files(case):
    """Returns what a case of this package needs: its file, and that file with the kernel and the arrays.

    Args:
      case: KERNEL or KERNEL.NAME. Its file is KERNEL/KERNEL.NAME.json, beside the kernels of //test/data, or
        KERNEL/case.NAME.json, beside its own kernel.
    """
    kernel, dot, rest = case.partition(".")
    files = native.glob(["%s/%s.json" % (kernel, case), "%s/case%s.json" % (kernel, dot + rest)], allow_empty = True)
    if len(files) != 1:
        fail("no file of case " + case)
    bytecode = native.glob([kernel + "/kernel.tileirbc"], allow_empty = True) or ["//test/data:tileirbc"]
    return files[0], files + bytecode + native.glob([kernel + "/*.npy", kernel + "/*.txt"], allow_empty = True)

def case_test(name, case, gpu, script = "//test/kernels:run_case.sh", size = "medium", **kwargs):
    """Runs a case on a target.

    Args:
      name: of the test.
      case: its name, as for `case_files`.
      gpu: as tileiras takes it.
      script: what runs it.
      size: of the test; the emulator takes seconds for a matmul.
      **kwargs: of sh_test.
    """
    file, data = case_files(case)
    sh_test(
        name = name,
        size = size,
        srcs = [script],
        args = [
            "$(rootpath %s)" % file,
            gpu,
        ],
        data = data + [
            "//tools/tileir-run",
            "//tools/tileiras",
        ],
        **kwargs
    )
