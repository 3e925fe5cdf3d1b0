// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libNVTileAADialect.so --load-pass-plugin=%libFramePasses.so --pass-pipeline='builtin.module(tileir-report-unwritten{file=trace.json because=v2-opt-level=0 category=tileas_schedule})' --remark-format=emitRemark --remarks-filter-missed=tileas_schedule -o - 2>&1 | FileCheck %s

// CHECK: remark: [Missed] FileNotWritten | Category:tileas_schedule{{.*}}Reason="no pass writes it with v2-opt-level=0", Remark="'trace.json' is not written"
// CHECK: gpu.module @m
gpu.module @m {
}
