# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is native in Bazel 4 and lives in rules_cc since: a file that defines these names itself would hide them."""

NATIVE_CC_COMMON = cc_common
NATIVE_CC_INFO = CcInfo
