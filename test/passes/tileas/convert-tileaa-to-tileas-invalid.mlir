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
    // expected-error @below {{'nv_tileaa.histogram' op has no equivalent in nv_tileas; replace it by operations that have one}}
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

// -----

// expected-error @below {{failed to convert nv_tileaa to nv_tileas}}
gpu.module @empty_tile attributes {nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func kernel @k() {
    // expected-error @below {{tile of type 'tensor<0xf32>' has an extent that is not a power of two; pad it to one}}
    %0 = ub.poison : tensor<0xf32>
    %1 = arith.addf %0, %0 : tensor<0xf32>
    nv_tileaa.return
  }
}

// -----

// expected-error @below {{failed to convert nv_tileaa to nv_tileas}}
gpu.module @odd_tile attributes {nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func kernel @k() {
    // expected-error @below {{tile of type 'tensor<4x3xi32>' has an extent that is not a power of two; pad it to one}}
    %0 = ub.poison : tensor<4x3xi32>
    nv_tileaa.return
  }
}

// -----

// expected-error @below {{failed to convert nv_tileaa to nv_tileas}}
gpu.module @dynamic_tile attributes {nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func kernel @k() {
    // expected-error @below {{tile of type 'tensor<?xf32>' has an extent that is not a power of two; pad it to one}}
    %0 = ub.poison : tensor<?xf32>
    nv_tileaa.return
  }
}

// -----

// expected-error @below {{failed to convert nv_tileaa to nv_tileas}}
gpu.module @large_tile attributes {nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func kernel @k() {
    // expected-error @below {{tile of type 'tensor<65536x65536xf32>' has more than 2147483648 elements; use smaller tiles}}
    %0 = ub.poison : tensor<65536x65536xf32>
    nv_tileaa.return
  }
}

// -----

// expected-error @below {{failed to convert nv_tileaa to nv_tileas}}
gpu.module @resource attributes {nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func kernel @k() {
    // expected-error @below {{constant of type 'tensor<64xf32>' does not list its elements; write them as dense}}
    %0 = arith.constant dense_resource<blob> : tensor<64xf32>
    %1 = arith.addf %0, %0 : tensor<64xf32>
    nv_tileaa.return
  }
}
