// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-check-barriers)))' --split-input-file --verify-diagnostics

// A barrier of the agent parts what the agent does.
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!t = tensor<64x64xf16, #a>
gpu.module @inside {
  nv_tileaa.func kernel @f(%c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    scf.if %c {
      %x = arith.constant dense<1.0> : !t
      nv_tileas.copy %x, %p : !t, !b
      nv_tileas.barrier agent
      %y = nv_tileas.copy %p : !b -> !t
    } {nv_tileas.agent = {barrier_id = 1 : i32, num_warps = 4 : i32, warp_id = 4 : i32}}
    nv_tileaa.return
  }
}

// -----

// Left out.
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!t = tensor<64x64xf16, #a>
gpu.module @left_out {
  nv_tileaa.func kernel @f(%c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    scf.if %c {
      %x = arith.constant dense<1.0> : !t
      // expected-note @below {{is this one}}
      nv_tileas.copy %x, %p : !t, !b
      // expected-error @below {{'nv_tileas.copy' op touches bytes 0 to 8192 of shared memory that another operation may still be writing; no barrier is between them}}
      %y = nv_tileas.copy %p : !b -> !t
    } {nv_tileas.agent = {barrier_id = 1 : i32, num_warps = 4 : i32, warp_id = 4 : i32}}
    nv_tileaa.return
  }
}

// -----

// Work of other warps before is not over at a barrier of the agent.
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!t = tensor<64x64xf16, #a>
gpu.module @before {
  nv_tileaa.func kernel @f(%c: i1, %x: !t) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    // expected-note @below {{is this one}}
    nv_tileas.copy %x, %p : !t, !b
    scf.if %c {
      nv_tileas.barrier agent
      // expected-error @below {{'nv_tileas.copy' op touches bytes 0 to 8192 of shared memory that another operation may still be writing}}
      %y = nv_tileas.copy %p : !b -> !t
    } {nv_tileas.agent = {barrier_id = 1 : i32, num_warps = 4 : i32, warp_id = 4 : i32}}
    nv_tileaa.return
  }
}

// -----

// Nor is what the agent did, for the others.
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!t = tensor<64x64xf16, #a>
gpu.module @behind {
  nv_tileaa.func @f(%c: i1) -> !t {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    // expected-note @below {{is this one}}
    scf.if %c {
      %x = arith.constant dense<1.0> : !t
      nv_tileas.copy %x, %p : !t, !b
      nv_tileas.barrier agent
    } {nv_tileas.agent = {barrier_id = 1 : i32, num_warps = 4 : i32, warp_id = 4 : i32}}
    // expected-error @below {{'nv_tileas.copy' op follows an agent; no barrier of all threads is between them}}
    %y = nv_tileas.copy %p : !b -> !t
    nv_tileaa.return %y : !t
  }
}

// -----

// All threads synchronize.
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!t = tensor<64x64xf16, #a>
gpu.module @joined {
  nv_tileaa.func @f(%c: i1) -> !t {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    scf.if %c {
      %x = arith.constant dense<1.0> : !t
      nv_tileas.copy %x, %p : !t, !b
    } {nv_tileas.agent = {barrier_id = 1 : i32, num_warps = 4 : i32, warp_id = 4 : i32}}
    nv_tileas.barrier cta
    %y = nv_tileas.copy %p : !b -> !t
    nv_tileaa.return %y : !t
  }
}
