// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-check-register-budget)))' --verify-diagnostics | FileCheck %s

#l = #nv_tileas.layout<reg, [256, 128], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [8, 1], order = [1, 0]>>
#m = #nv_tileas.layout<reg, [256, 256], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [8, 1], order = [1, 0]>>
gpu.module @moves attributes {nv_tileaa.target_spec = "sm_90a", nv_tileaa.num_warps = 8 : i32} {
  // The warp that copies needs few.
  // CHECK-LABEL: func kernel @shared
  // CHECK: } {nv_tileas.agent = {max_regs = 24 : i32, num_warps = 1 : i32}}
  // CHECK: } {nv_tileas.agent = {max_regs = 240 : i32, num_warps = 8 : i32}}
  nv_tileaa.func kernel @shared(%n: i32, %x: f32) {
    %p = ub.poison : i1
    scf.if %p {
    } {nv_tileas.agent = {num_warps = 1 : i32}}
    scf.if %p {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %s = nv_tileas.splat %x : f32 -> tensor<256x128xf32, #l>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (tensor<256x128xf32, #l>) : i32 {
        %u = math.exp %t : tensor<256x128xf32, #l>
        scf.yield %u : tensor<256x128xf32, #l>
      }
      %e = math.exp %r : tensor<256x128xf32, #l>
    } {nv_tileas.agent = {num_warps = 8 : i32}}
    nv_tileaa.return
  }

  // CHECK-LABEL: func kernel @exceeded
  // CHECK: } {nv_tileas.agent = {max_regs = 240 : i32, num_warps = 8 : i32}}
  nv_tileaa.func kernel @exceeded(%n: i32, %x: f32) {
    %p = ub.poison : i1
    scf.if %p {
    } {nv_tileas.agent = {num_warps = 1 : i32}}
    // expected-warning @below {{register budget exceeded: an agent of 8 warps needs 255 registers, budget is 240}}
    scf.if %p {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %s = nv_tileas.splat %x : f32 -> tensor<256x256xf32, #m>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (tensor<256x256xf32, #m>) : i32 {
        %u = math.exp %t : tensor<256x256xf32, #m>
        scf.yield %u : tensor<256x256xf32, #m>
      }
      %e = math.exp %r : tensor<256x256xf32, #m>
    } {nv_tileas.agent = {num_warps = 8 : i32}}
    nv_tileaa.return
  }

  // An equal share suffices.
  // CHECK-LABEL: func kernel @equal
  // CHECK: } {nv_tileas.agent = {num_warps = 1 : i32}}
  // CHECK: } {nv_tileas.agent = {num_warps = 8 : i32}}
  nv_tileaa.func kernel @equal(%x: f32) {
    %p = ub.poison : i1
    scf.if %p {
    } {nv_tileas.agent = {num_warps = 1 : i32}}
    scf.if %p {
      %s = nv_tileas.splat %x : f32 -> tensor<256x128xf32, #l>
    } {nv_tileas.agent = {num_warps = 8 : i32}}
    nv_tileaa.return
  }
}
