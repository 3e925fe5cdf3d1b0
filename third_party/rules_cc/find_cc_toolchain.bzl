# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C++ toolchain, as rules_cc finds it."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

find_cc_toolchain = find_cpp_toolchain

CC_TOOLCHAIN_ATTRS = {
    "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
}

def use_cc_toolchain():
    """Returns what `toolchains` of a rule needs."""
    return ["@bazel_tools//tools/cpp:toolchain_type"]
