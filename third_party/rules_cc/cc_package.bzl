# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
exports_files(glob(["*.bzl"]))
