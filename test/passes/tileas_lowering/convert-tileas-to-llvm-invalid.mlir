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

#a = #nv_tileas.layout<reg, [64, 1], blocked<per_thread = [1, 1], lanes = [32, 1], warps = [2, 1], order = [0, 1]>>
!v = !nv_tileaa.tiled_view<64x1 of !nv_tileaa.memref<?x8xf4E2M1FN, strides = [8, 1]>>
gpu.module @halves attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 2 : i32} {
  nv_tileaa.func @f(%v: !v, %i: i32) {
    // expected-error @below {{'nv_tileas.tiled_load' op accesses elements of 4 bits, two of which share a byte; use a tile of two or more of them, and an even step, along a dimension of static stride 1}}
    %0, %t = nv_tileas.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<64x1xf4E2M1FN, #a>
    nv_tileaa.return
  }
}

// -----

#a = #nv_tileas.layout<reg, [32, 2], blocked<per_thread = [1, 2], lanes = [32, 1], warps = [2, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x2 of !nv_tileaa.memref<?x8xf4E2M1FN, strides = [9, 1]>>
gpu.module @rows attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 2 : i32} {
  nv_tileaa.func @f(%v: !v, %i: i32) {
    // expected-error @below {{'nv_tileas.tiled_load' op accesses elements of 4 bits, two of which share a byte; make the stride 9 even}}
    %0, %t = nv_tileas.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<32x2xf4E2M1FN, #a>
    nv_tileaa.return
  }
}

// -----

gpu.module @pointers attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 2 : i32} {
  nv_tileaa.func @f(%p: !nv_tileaa.ptr<f4E2M1FN>, %i: i32) {
    // expected-error @below {{'nv_tileas.addptr' op moves a pointer to elements of 4 bits, two of which share a byte; move a pointer to i8}}
    %0 = nv_tileas.addptr %p, %i : !nv_tileaa.ptr<f4E2M1FN>, i32
    nv_tileaa.return
  }
}

// -----

#a = #nv_tileas.layout<reg, [64], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>
!v = !nv_tileaa.tiled_view<64 of !nv_tileaa.memref<?xf16, strides = [1]>>
gpu.module @pairs attributes {nv_tileaa.target_spec = "sm_90a", nv_tileaa.num_warps = 2 : i32} {
  nv_tileaa.func @f(%v: !v, %i: i32) {
    %0, %t = nv_tileas.tiled_load weak %v[%i] {nv_tileaa.multimem = #nv_tileaa.rmw_mode<add>, nv_tileas.align = 2 : i32, nv_tileas.contiguous = array<i32: 1>} : !v[i32] -> tensor<64xf16, #a>
    // expected-error @below {{'nv_tileas.tiled_store' op stores elements of 16 bits in pairs; state with 'assume' that the base and the sizes are multiples of 4 bytes, in a view of static stride 1, or store 'weak'}}
    %u = nv_tileas.tiled_store relaxed sys %0, %v[%i] {nv_tileaa.multimem = #nv_tileaa.rmw_mode<xchg>, nv_tileas.align = 2 : i32, nv_tileas.contiguous = array<i32: 1>} : tensor<64xf16, #a>, !v[i32]
    nv_tileaa.return
  }
}

// -----

gpu.module @earlier attributes {nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @f() {
    // expected-error @below {{'nv_tileaa.get_program_id' op is left of nv_tileaa; run convert-tileaa-to-tileas before}}
    %0 = nv_tileaa.get_program_id x
    nv_tileaa.return
  }
}

// -----

#a = #nv_tileas.layout<reg, [256, 256], blocked<per_thread = [1, 4], lanes = [1, 32], warps = [4, 1], order = [1, 0]>>
#b = #nv_tileas.layout<reg, [256, 256], blocked<per_thread = [4, 1], lanes = [32, 1], warps = [1, 4], order = [0, 1]>>
gpu.module @large attributes {nv_tileaa.target_spec = "sm_86"} {
  // expected-note @below {{Entry function 'f' uses too much shared data (0x40000 bytes, 0x18c00 max)}}
  // expected-note @below {{the kernel needs 262144 bytes of shared memory, 'sm_86' has 101376; use smaller tiles}}
  // expected-error @below {{fails to assign smem buffer}}
  nv_tileaa.func @f(%x: tensor<256x256xf32, #a>) -> tensor<256x256xf32, #b> {
    // expected-note @below {{262144 bytes for this operation}}
    %0 = nv_tileas.convert_layout %x : tensor<256x256xf32, #a> -> tensor<256x256xf32, #b>
    nv_tileaa.return %0 : tensor<256x256xf32, #b>
  }
}
