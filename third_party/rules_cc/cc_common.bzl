# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native functions of C++ under the name of rules_cc."""

load("//cc:native.bzl", "NATIVE_CC_COMMON")

cc_common = NATIVE_CC_COMMON
