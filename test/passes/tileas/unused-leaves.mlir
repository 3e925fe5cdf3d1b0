// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles that come from nothing and go nowhere: each pass that gives a leaf to every use has to do with none.
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas))' | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas,tileas-plan-cta))' | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas,tileas-assign-load-store-layouts))' | FileCheck %s

// CHECK-LABEL: gpu.module @without_layout
gpu.module @without_layout attributes {nv_tileaa.target_spec = "sm_90", nv_tileaa.num_warps = 4 : i32} {
  nv_tileaa.func kernel @k(%s: i32) {
    // CHECK: arith.constant dense<0.000000e+00> : tensor<32xf32, #{{.*}}>
    %0 = arith.constant dense<0.0> : tensor<32xf32>
    // CHECK: nv_tileas.make_range 0 to 64 : tensor<64xi32, #{{.*}}>
    %1 = nv_tileaa.make_range 0 to 64 : tensor<64xi32>
    // CHECK: nv_tileas.splat %{{.*}} : i32 -> tensor<16xi32, #{{.*}}>
    %2 = nv_tileaa.splat %s : i32 -> tensor<16xi32>
    // CHECK: ub.poison : tensor<8xi32, #{{.*}}>
    %3 = ub.poison : tensor<8xi32>
    nv_tileaa.return
  }
}

// A tile that is converted already reaches the second pass only.
#a = #nv_tileas.layout<reg, [64], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>
// CHECK-LABEL: gpu.module @with_layout
gpu.module @with_layout attributes {nv_tileaa.target_spec = "sm_90", nv_tileaa.num_warps = 2 : i32} {
  nv_tileaa.func kernel @k() {
    // CHECK: arith.constant dense<0.000000e+00> : tensor<64xf32, #{{.*}}>
    %0 = arith.constant dense<0.0> : tensor<64xf32, #a>
    nv_tileaa.return
  }
}
