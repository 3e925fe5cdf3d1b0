# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GoogleTest from the sources that the package `googletest` installs."""

def _googletest_repository_impl(ctx):
    root = "/usr/src/googletest"
    if not ctx.path(root + "/googletest/src/gtest-all.cc").exists:
        fail("GoogleTest not found in {}; run tools/setup/setup.sh or install the package 'googletest'".format(root))
    ctx.symlink(root + "/googletest", "googletest")
    ctx.file("WORKSPACE", "workspace(name = \"{}\")\n".format(ctx.name))
    ctx.file("BUILD.bazel", """
cc_library(
    name = "gtest_main",
    testonly = True,
    srcs = [
        "googletest/src/gtest-all.cc",
        "googletest/src/gtest_main.cc",
    ] + glob(["googletest/src/*.h"]),
    hdrs = glob(["googletest/include/**/*.h"]),
    textual_hdrs = glob(["googletest/src/*.cc"]),
    includes = ["googletest", "googletest/include"],
    linkopts = ["-lpthread"],
    linkstatic = True,
    visibility = ["//visibility:public"],
)
""")

googletest_repository = repository_rule(
    implementation = _googletest_repository_impl,
    local = True,
)
