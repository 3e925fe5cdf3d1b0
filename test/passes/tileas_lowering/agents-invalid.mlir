// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-legalize-layouts,tileas-assign-buffers)))' --split-input-file --verify-diagnostics

// Of what warps an agent may be.
gpu.module @form {
  nv_tileaa.func kernel @f(%c: i1) {
    // expected-error @below {{'nv_tileas.agent' expects 'num_warps' and maybe 'warp_id', 'barrier_id' and 'max_regs', each of type i32}}
    scf.if %c {
    } {nv_tileas.agent = {warp_id = 4 : i32}}
    nv_tileaa.return
  }
}

// -----

gpu.module @registers {
  nv_tileaa.func kernel @f(%c: i1) {
    // expected-error @below {{'max_regs' of an agent is a multiple of 8 in [24, 256], but got 30}}
    scf.if %c {
    } {nv_tileas.agent = {max_regs = 30 : i32, num_warps = 4 : i32, warp_id = 0 : i32}}
    nv_tileaa.return
  }
}

// -----

gpu.module @unmapped attributes {nv_tileaa.target_spec = "sm_90a"} {
  nv_tileaa.func kernel @f(%c: i1) {
    // expected-error @below {{'scf.if' op is an agent whose warps are not chosen; run optimize-execution-unit-mapping and propagate-execution-unit}}
    scf.if %c {
    } {nv_tileas.agent = {num_warps = 4 : i32}}
    nv_tileaa.return
  }
}

// -----

gpu.module @power {
  nv_tileaa.func kernel @f(%c: i1) {
    // expected-error @below {{an agent has a power of two of warps, not 3}}
    scf.if %c {
    } {nv_tileas.agent = {num_warps = 3 : i32, warp_id = 0 : i32}}
    nv_tileaa.return
  }
}

// -----

gpu.module @multiple {
  nv_tileaa.func kernel @f(%c: i1) {
    // expected-error @below {{an agent of 4 warps starts at a multiple of that and ends at warp 32 at most, but 'warp_id' is 2}}
    scf.if %c {
    } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 2 : i32}}
    nv_tileaa.return
  }
}

// -----

gpu.module @barrier {
  nv_tileaa.func kernel @f(%c: i1) {
    // expected-error @below {{'barrier_id' of an agent is in [1, 15], but got 16}}
    scf.if %c {
    } {nv_tileas.agent = {barrier_id = 16 : i32, num_warps = 4 : i32, warp_id = 0 : i32}}
    nv_tileaa.return
  }
}

// -----

// The warps beside the agent never come.
gpu.module @deadlock attributes {nv_tileaa.target_spec = "sm_90a"} {
  nv_tileaa.func kernel @f(%c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    scf.if %c {
      // expected-error @below {{'nv_tileas.barrier' op cta barrier inside an agent would deadlock}}
      nv_tileas.barrier cta
    } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 4 : i32}}
    nv_tileaa.return
  }
}

// -----

// A tile of two warps in an agent of four.
#two = #nv_tileas.layout<reg, [64], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>
gpu.module @warps attributes {nv_tileaa.target_spec = "sm_90a"} {
  nv_tileaa.func kernel @f(%c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    scf.if %c {
      // expected-error @below {{'nv_tileas.make_range' op layout has 1 warp bases but the enclosing agent has 4 warps}}
      %x = nv_tileas.make_range 0 to 64 : tensor<64xi32, #two>
    } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 4 : i32}}
    nv_tileaa.return
  }
}

// -----

// Registers of other threads.
#four = #nv_tileas.layout<reg, [128], blocked<per_thread = [1], lanes = [32], warps = [4], order = [0]>>
gpu.module @boundary attributes {nv_tileaa.target_spec = "sm_90a"} {
  nv_tileaa.func kernel @f(%c: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %x = nv_tileas.make_range 0 to 128 : tensor<128xi32, #four>
    scf.if %c {
      // expected-error @below {{'arith.addi' op uses a tile of another agent; resolve the boundary first}}
      %y = arith.addi %x, %x : tensor<128xi32, #four>
    } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 4 : i32}}
    nv_tileaa.return
  }
}
