# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native provider of C++ libraries under the name of rules_cc."""

load("//cc:native.bzl", "NATIVE_CC_INFO")

CcInfo = NATIVE_CC_INFO
