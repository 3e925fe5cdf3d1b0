// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so 2>&1 | FileCheck %s

// A warning shows the text of the operation: to tell it must not need to print, hence verify, the operation.
// CHECK: warnings.mlir:[[#@LINE+6]]:8: warning: extract index 0 has negative value -1, which may cause undefined behavior
// CHECK-NOT: warning
// CHECK: %{{.*}} = extract %{{.*}}[%{{.*}}] : tile<4xf32> -> tile<2xf32>
cuda_tile.entry @extract_negative() {
  %x = constant <f32: 1.0> : tile<4xf32>
  %i = constant <i32: -1> : tile<i32>
  %0 = extract %x[%i] : tile<4xf32> -> tile<2xf32>
}
