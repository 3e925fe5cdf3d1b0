// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: env TILEIR_NEWEST_RULES=1 %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so %s --pass-pipeline='builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_80})' | FileCheck %s

cuda_tile.module @m {
  // CHECK-LABEL: nv_tileaa.func kernel @directed(
  entry @directed(%x: tile<f64>) {
    // CHECK: nv_tileaa.fp_to_fp %{{.*}} rounding<negative_inf> : f64 -> f32
    %0 = ftof %x rounding<negative_inf> : tile<f64> -> tile<f32>
    // CHECK: nv_tileaa.fp_to_fp %{{.*}} rounding<positive_inf> : f64 -> f32
    %1 = ftof %x rounding<positive_inf> : tile<f64> -> tile<f32>
    print_tko "%f %f", %0, %1 : tile<f32>, tile<f32> -> token
    return
  }
}
