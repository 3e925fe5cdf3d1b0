# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit under `bazel test`: one test target per file."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

def tileir_lit_tests(srcs, plugins = [], tools = [], data = [], size = "small", tags = [], env = {}):
    """Declares `<file>.test` for each of `srcs`.

    Args:
      srcs: test files, by glob.
      plugins: shared objects that `%tileir-opt` needs or that a RUN line loads as `%{name.so}`; tools alone are found by `%name`.
      tools: binaries of this repository that RUN lines name as `%tileiras`, `%tileir-opt`, …
      data: further files; `%data` is the folder test/data, `%S` the test's own folder.
      size: of each test.
      tags: of each test.
      env: variables of the test.
    """
    for src in srcs:
        sh_test(
            name = src + ".test",
            size = size,
            srcs = [str(Label("//tools/bazel:run_lit.sh"))],
            args = ["$(rootpath {})".format(src)],
            data = [
                src,
                str(Label("//test:lit.cfg.py")),
                "@llvm//:lit_tools",
            ] + plugins + tools + data,
            env = env,
            tags = tags,
        )
