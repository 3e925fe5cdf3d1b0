// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas))'

// expected-error @below {{failed to convert nv_tileaa to nv_tileas}}
gpu.module @no_target {
  // expected-error @below {{failed to get the target spec}}
  nv_tileaa.func @f(%s: f32) {
    %0 = nv_tileaa.splat %s : f32 -> tensor<64xf32>
    nv_tileaa.return
  }
}

// -----

// expected-error @below {{failed to convert nv_tileaa to nv_tileas}}
gpu.module @histogram attributes {nv_tileaa.compute_capability = 90 : i32} {
  nv_tileaa.func @g(%s: i32) {
    %h = nv_tileaa.splat %s : i32 -> tensor<256xi32>
    // expected-error @below {{'nv_tileaa.histogram' op is not supported yet}}
    %0 = nv_tileaa.histogram %h : tensor<256xi32> -> tensor<16xi32>
    nv_tileaa.return
  }
}

// -----

// expected-error @below {{failed to convert nv_tileaa to nv_tileas}}
gpu.module @calls attributes {nv_tileaa.target_spec = "sm_100a"} {
  // expected-error @below {{function with tile arguments or results is not supported yet; inline it into its callers}}
  nv_tileaa.func private @g(%x: tensor<32xf32>) -> tensor<32xf32> {
    nv_tileaa.return %x : tensor<32xf32>
  }
}
