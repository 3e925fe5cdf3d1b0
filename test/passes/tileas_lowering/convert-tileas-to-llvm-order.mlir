// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#a = #nv_tileas.layout<reg, [256], blocked<per_thread = [4], lanes = [32], warps = [2], order = [0]>>
#b = #nv_tileas.layout<reg, [256], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>
!m = !nv_tileaa.memref<?xf32, strides = [1]>
!v = !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 2 : i32} {
  // Another layout reads what other threads wrote.
  // CHECK-LABEL: llvm.func @write_then_read(
  //       CHECK:   llvm.store
  //       CHECK:   nvvm.barrier0
  //       CHECK:   llvm.load
  nv_tileaa.func @write_then_read(%v: !v, %x: tensor<256xf32, #a>, %i: i32) -> tensor<256xf32, #b> {
    %t0 = nv_tileas.tiled_store weak %x, %v[%i] in_bounds = [true] : tensor<256xf32, #a>, !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32]
    %y, %t1 = nv_tileas.tiled_load weak %v[%i] token %t0 in_bounds = [true] : !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<256xf32, #b>
    nv_tileaa.return %y : tensor<256xf32, #b>
  }

  // Each thread reads its own bytes again: program order is enough.
  // CHECK-LABEL: llvm.func @same_bytes(
  //   CHECK-NOT:   nvvm.barrier0
  //       CHECK:   llvm.return
  nv_tileaa.func @same_bytes(%v: !v, %x: tensor<256xf32, #a>, %i: i32) -> tensor<256xf32, #a> {
    %t0 = nv_tileas.tiled_store weak %x, %v[%i] in_bounds = [true] : tensor<256xf32, #a>, !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32]
    %y, %t1 = nv_tileas.tiled_load weak %v[%i] token %t0 in_bounds = [true] : !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<256xf32, #a>
    nv_tileaa.return %y : tensor<256xf32, #a>
  }

  // Without a token nothing is ordered.
  // CHECK-LABEL: llvm.func @no_token(
  //   CHECK-NOT:   nvvm.barrier0
  //       CHECK:   llvm.return
  nv_tileaa.func @no_token(%v: !v, %x: tensor<256xf32, #a>, %i: i32) -> tensor<256xf32, #b> {
    %t0 = nv_tileas.tiled_store weak %x, %v[%i] in_bounds = [true] : tensor<256xf32, #a>, !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32]
    %y, %t1 = nv_tileas.tiled_load weak %v[%i] in_bounds = [true] : !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<256xf32, #b>
    nv_tileaa.return %y : tensor<256xf32, #b>
  }

  // Two reads need no order, and the write waits for both through the join.
  // CHECK-LABEL: llvm.func @reads_then_write(
  //       CHECK:   llvm.load
  //   CHECK-NOT:   nvvm.barrier0
  //       CHECK:   llvm.load
  //       CHECK:   nvvm.barrier0
  //       CHECK:   llvm.store
  nv_tileaa.func @reads_then_write(%v: !v, %x: tensor<256xf32, #b>, %i: i32) -> (tensor<256xf32, #a>, tensor<256xf32, #a>) {
    %y, %t0 = nv_tileas.tiled_load weak %v[%i] in_bounds = [true] : !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<256xf32, #a>
    %z, %t1 = nv_tileas.tiled_load weak %v[%i] token %t0 in_bounds = [true] : !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<256xf32, #a>
    %t2 = nv_tileas.join_mem_token %t0, %t1
    %t3 = nv_tileas.tiled_store weak %x, %v[%i] token %t2 in_bounds = [true] : tensor<256xf32, #b>, !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32]
    nv_tileaa.return %y, %z : tensor<256xf32, #a>, tensor<256xf32, #a>
  }

  // The store of one iteration precedes the load of the next: the token goes
  // around the loop.
  // CHECK-LABEL: llvm.func @around_the_loop(
  //       CHECK:   llvm.cond_br
  //       CHECK:   nvvm.barrier0
  //       CHECK:   llvm.load
  //   CHECK-NOT:   nvvm.barrier0
  //       CHECK:   llvm.store
  //   CHECK-NOT:   nvvm.barrier0
  //       CHECK:   llvm.return
  nv_tileaa.func @around_the_loop(%v: !v, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %t = nv_tileas.create_mem_token
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t0 = %t) -> (!nv_tileaa.mem_token) : i32 {
      %x, %t1 = nv_tileas.tiled_load weak %v[%i] token %t0 in_bounds = [true] : !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<256xf32, #a>
      %t2 = nv_tileas.tiled_store weak %x, %v[%i] token %t1 in_bounds = [true] : tensor<256xf32, #a>, !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32]
      scf.yield %t2 : !nv_tileaa.mem_token
    }
    nv_tileaa.return
  }

  // An exchange between the two has a barrier already.
  // CHECK-LABEL: llvm.func @exchange_orders(
  //       CHECK:   llvm.store %{{.*}} !llvm.ptr<1>
  //       CHECK:   llvm.store %{{.*}} !llvm.ptr<3>
  //       CHECK:   nvvm.barrier0
  //   CHECK-NOT:   nvvm.barrier0
  //       CHECK:   llvm.return
  nv_tileaa.func @exchange_orders(%v: !v, %x: tensor<256xf32, #a>, %i: i32) -> (tensor<256xf32, #b>, tensor<256xf32, #b>) {
    %t0 = nv_tileas.tiled_store weak %x, %v[%i] in_bounds = [true] : tensor<256xf32, #a>, !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32]
    %c = nv_tileas.convert_layout %x : tensor<256xf32, #a> -> tensor<256xf32, #b>
    %y, %t1 = nv_tileas.tiled_load weak %v[%i] token %t0 in_bounds = [true] : !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<256xf32, #b>
    nv_tileaa.return %c, %y : tensor<256xf32, #b>, tensor<256xf32, #b>
  }
}

gpu.module @kernels attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 2 : i32} {
  // Arguments that cannot alias need no order.
  // CHECK-LABEL: llvm.func @cannot_alias(
  //   CHECK-NOT:   nvvm.barrier0
  //       CHECK:   llvm.return
  nv_tileaa.func kernel @cannot_alias(%p: !nv_tileaa.ptr<f32> {nv_tileaa.noalias}, %q: !nv_tileaa.ptr<f32>, %n: i64, %i: i32)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?xf32, strides = [1]>
    %k = nv_tileas.make_memref %q sizes[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?xf32, strides = [1]>
    %v = nv_tileas.block_tile %m : !nv_tileaa.memref<?xf32, strides = [1]> -> !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>
    %w = nv_tileas.block_tile %k : !nv_tileaa.memref<?xf32, strides = [1]> -> !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>
    %x, %t0 = nv_tileas.tiled_load weak %v[%i] in_bounds = [true] : !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<256xf32, #a>
    %t1 = nv_tileas.tiled_store weak %x, %w[%i] token %t0 in_bounds = [true] : tensor<256xf32, #a>, !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32]
    nv_tileaa.return
  }
}
