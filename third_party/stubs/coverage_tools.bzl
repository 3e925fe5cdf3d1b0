# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
filegroup(
    name = "coverage_report_generator",
    srcs = [],
    visibility = ["//visibility:public"],
)
