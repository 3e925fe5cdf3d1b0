# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GoogleTest from the sources that the package `googletest` installs."""

def _googletest_repository_impl(ctx):
    root = "/usr/src/googletest"
    if not ctx.path(root + "/googletest/src/gtest-all.cc").exists:
        fail("GoogleTest not found in {}; run tools/setup/setup.sh or install the package 'googletest'".format(root))
    ctx.symlink(root + "/googletest", "googletest")
    ctx.file("WORKSPACE", "workspace(name = \"{}\")\n".format(ctx.name))
    ctx.template("BUILD.bazel", ctx.attr._build_file, executable = False)

googletest_repository = repository_rule(
    implementation = _googletest_repository_impl,
    attrs = {
        "_build_file": attr.label(default = Label("//third_party/googletest:googletest.BUILD"), allow_single_file = True),
    },
    local = True,
)
