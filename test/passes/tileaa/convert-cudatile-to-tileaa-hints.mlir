// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hints that are not taken as they are say so, with both numbers.
// RUN: %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so %s --pass-pipeline='builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_80})' --remark-format=emitRemark --remarks-filter-missed=Hints -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=Function=kept
// RUN: FileCheck %s --check-prefix=SPEC --input-file=%t.mlir

cuda_tile.module @m {
  // CHECK-DAG: HintClamped | Category:Hints | Function=clamped | Remark="OptimizationHint num_worker_warps_per_cta = 32 becomes 8: a kernel has 4 or 8 worker warps"
  // CHECK-DAG: HintClamped | Category:Hints | Function=clamped | Remark="OptimizationHint num_cta_in_cga = 4 has no effect: the target has no clusters"
  // CHECK-DAG: HintClamped | Category:Hints | Function=clamped | Remark="OptimizationHint occupancy = 99 has no effect: a number from 1 to 32 is expected"
  // SPEC: @clamped
  // SPEC-SAME: num_warps = 8, num_ctas = 1
  entry @clamped() optimization_hints=<default = {num_cta_in_cga = 4, num_worker_warps_per_cta = 32, occupancy = 99}> {
    return
  }
  // SPEC: @kept
  // SPEC-SAME: num_warps = 4, num_ctas = 1, {{.*}}occupancy = 2
  entry @kept() optimization_hints=<default = {num_worker_warps_per_cta = 4, occupancy = 2}> {
    return
  }
}
