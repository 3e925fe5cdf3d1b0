// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(tileas-assign-load-store-layouts))'

#two = #nv_tileas.layout<reg, [64], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
gpu.module @warps attributes {nv_tileaa.num_warps = 4 : i32} {
  nv_tileaa.func @f(%s: f32) {
    // expected-error @below {{layout has 1 warp bases but the enclosing agent has 4 warps}}
    %0 = nv_tileas.splat %s : f32 -> tensor<64xf32, #two>
    nv_tileaa.return
  }
}

// -----

gpu.module @no_layout {
  nv_tileaa.func @f() {
    // expected-error @below {{tile of type 'tensor<64xf32>' has no layout; run convert-tileaa-to-tileas}}
    %0 = arith.constant dense<1.0> : tensor<64xf32>
    nv_tileaa.return
  }
}

// -----

#four = #nv_tileas.layout<reg, [128], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
gpu.module @resource attributes {nv_tileaa.num_warps = 4 : i32} {
  nv_tileaa.func @f() {
    // expected-error @below {{constant of type}}
    %0 = arith.constant dense_resource<blob> : tensor<128xf32, #four>
    nv_tileaa.return
  }
}
