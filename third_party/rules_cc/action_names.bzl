# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of C++ actions, where rules_cc has them."""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", _CPP_COMPILE_ACTION_NAME = "CPP_COMPILE_ACTION_NAME")

CPP_COMPILE_ACTION_NAME = _CPP_COMPILE_ACTION_NAME
