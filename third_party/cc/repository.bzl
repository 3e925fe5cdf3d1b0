# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bazel's own C++ toolchain, without its list of the machine's headers.

That list is an input of every compilation, and changes whenever a package with headers is installed: nothing in the disk
cache would be found again. Only `layering_check` reads it, which this project does not use.
"""

load("@bazel_tools//tools/cpp:cc_configure.bzl", "cc_autoconf_impl")

def _impl(ctx):
    cc_autoconf_impl(ctx)
    ctx.file("module.modulemap", "module \"crosstool\" [system] {}\n")

cc_toolchain_repository = repository_rule(
    doc = "To be called `local_config_cc`.",
    configure = True,
    environ = [
        "BAZEL_CXXOPTS",
        "BAZEL_LINKLIBS",
        "BAZEL_LINKOPTS",
        "CC",
        "PATH",
    ],
    implementation = _impl,
)
