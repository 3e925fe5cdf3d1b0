// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' --split-input-file --verify-diagnostics

// expected-error @below {{Failed to get ComputeCapability}}
gpu.module @no_target {
  nv_tileaa.func @f() {
    nv_tileaa.return
  }
}

// -----

#a = #nv_tileas.layout<reg, [64], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>
gpu.module @warps attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 4 : i32} {
  nv_tileaa.func @f() {
    // expected-error @below {{'nv_tileas.make_range' op layout has 1 warp bases but the enclosing agent has 4 warps}}
    %0 = nv_tileas.make_range 0 to 64 : tensor<64xi32, #a>
    nv_tileaa.return
  }
}

// -----

#a = #nv_tileas.layout<reg, [64], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>
gpu.module @nibbles attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 2 : i32} {
  nv_tileaa.func @f(%x: i4) {
    // expected-error @below {{'nv_tileas.splat' op with elements of 'i4' is not supported yet; convert them to 8 bits first}}
    %0 = nv_tileas.splat %x : i4 -> tensor<64xi4, #a>
    nv_tileaa.return
  }
}

// -----

gpu.module @local attributes {nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @f() {
    // expected-error @below {{'nv_tileas.alloca' op is not supported yet}}
    %0 = nv_tileas.alloca 64 align 16 : !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
}

// -----

gpu.module @earlier attributes {nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @f() {
    // expected-error @below {{'nv_tileaa.get_program_id' op is not supported yet}}
    %0 = nv_tileaa.get_program_id x
    nv_tileaa.return
  }
}

// -----

#a = #nv_tileas.layout<reg, [256, 256], blocked<per_thread = [1, 4], lanes = [1, 32], warps = [4, 1], order = [1, 0]>>
#b = #nv_tileas.layout<reg, [256, 256], blocked<per_thread = [4, 1], lanes = [32, 1], warps = [1, 4], order = [0, 1]>>
gpu.module @large attributes {nv_tileaa.target_spec = "sm_86"} {
  // expected-note @below {{the kernel needs 262144 bytes of shared memory, 'sm_86' has 101376; use smaller tiles}}
  // expected-error @below {{fails to assign smem buffer}}
  nv_tileaa.func @f(%x: tensor<256x256xf32, #a>) -> tensor<256x256xf32, #b> {
    // expected-note @below {{262144 bytes for this operation}}
    %0 = nv_tileas.convert_layout %x : tensor<256x256xf32, #a> -> tensor<256x256xf32, #b>
    nv_tileaa.return %0 : tensor<256x256xf32, #b>
  }
}
