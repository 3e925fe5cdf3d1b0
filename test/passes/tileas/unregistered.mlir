// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An operation of no dialect is none of ours: passes leave it as it is.
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so --allow-unregistered-dialect
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas,tileas-plan-cta,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' | FileCheck %s

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90", nv_tileaa.num_warps = 4 : i32} {
  // CHECK-LABEL: nv_tileaa.func kernel @k
  nv_tileaa.func kernel @k(%s: f32) {
    // CHECK: %[[X:.*]] = nv_tileas.splat
    %0 = nv_tileaa.splat %s : f32 -> tensor<64xf32>
    // CHECK: %[[Y:.*]] = "foo.op"(%[[X]])
    %1 = "foo.op"(%0) : (tensor<64xf32>) -> tensor<64xf32>
    // CHECK: "foo.op"(%[[Y]])
    %2 = "foo.op"(%1) : (tensor<64xf32>) -> tensor<64xf32>
    nv_tileaa.return
  }
}
