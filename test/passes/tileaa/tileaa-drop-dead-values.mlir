// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so \
// RUN:   --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileaa-drop-dead-values)))' | FileCheck %s

!view = !nv_tileaa.tiled_view<8 of !nv_tileaa.memref<?xf32, strides = [1]>>
gpu.module @m {
  // nvcc's code: an iter-arg token per array, each joined with the previous one, and no access waits for one.
  // CHECK-LABEL: nv_tileaa.func @tokens_of_loads(
  nv_tileaa.func @tokens_of_loads(%n: i32, %v: !view, %w: !view) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %t = nv_tileaa.create_mem_token
    // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
    %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t)
        -> (!nv_tileaa.mem_token, !nv_tileaa.mem_token) : i32 {
      // CHECK-NEXT: nv_tileaa.tiled_load
      %x, %u = nv_tileaa.tiled_load weak %v[%i] : !view[i32] -> tensor<8xf32>
      // CHECK-NEXT: nv_tileaa.tiled_store
      %s = nv_tileaa.tiled_store weak %x, %w[%i] : tensor<8xf32>, !view[i32]
      %j = nv_tileaa.join_mem_token %a, %b, %u
      %k = nv_tileaa.join_mem_token %j, %s
      // CHECK-NEXT: }
      scf.yield %j, %k : !nv_tileaa.mem_token, !nv_tileaa.mem_token
    }
    nv_tileaa.return
  }

  // The store waits for the loads of all iterations: this token stays, the other one goes.
  // CHECK-LABEL: nv_tileaa.func @keeps_order(
  nv_tileaa.func @keeps_order(%n: i32, %v: !view, %w: !view) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %t = nv_tileaa.create_mem_token
    %z = arith.constant dense<0.0> : tensor<8xf32>
    // CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (tensor<8xf32>, !nv_tileaa.mem_token)
    %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %z, %a = %t, %b = %t)
        -> (tensor<8xf32>, !nv_tileaa.mem_token, !nv_tileaa.mem_token) : i32 {
      %x, %u = nv_tileaa.tiled_load weak %v[%i] : !view[i32] -> tensor<8xf32>
      %y = arith.addf %sum, %x : tensor<8xf32>
      %j = nv_tileaa.join_mem_token %a, %u
      // CHECK: %[[K:.*]] = nv_tileaa.join_mem_token %[[B]], %{{.*}}
      %k = nv_tileaa.join_mem_token %b, %u
      // CHECK-NEXT: scf.yield %{{.*}}, %[[K]] :
      scf.yield %y, %j, %k : tensor<8xf32>, !nv_tileaa.mem_token, !nv_tileaa.mem_token
    }
    // CHECK: nv_tileaa.tiled_store {{.*}} token %[[LOOP]]#1
    %s = nv_tileaa.tiled_store weak %0#0, %w[%c0] token %0#2 : tensor<8xf32>, !view[i32]
    nv_tileaa.return
  }

  // Loops pass tokens that no access waits for to each other and to nested loops.
  // CHECK-LABEL: nv_tileaa.func @chain(
  nv_tileaa.func @chain(%n: i32, %v: !view, %w: !view) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %t = nv_tileaa.create_mem_token
    // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (!nv_tileaa.mem_token) : i32 {
      %x, %u = nv_tileaa.tiled_load weak %v[%i] : !view[i32] -> tensor<8xf32>
      %s = nv_tileaa.tiled_store weak %x, %w[%i] : tensor<8xf32>, !view[i32]
      %j = nv_tileaa.join_mem_token %a, %s
      scf.yield %j : !nv_tileaa.mem_token
    }
    // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (!nv_tileaa.mem_token) : i32 {
      // CHECK-NEXT: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
      %2 = scf.for %k = %c0 to %n step %c1 iter_args(%b = %a) -> (!nv_tileaa.mem_token) : i32 {
        %x, %u = nv_tileaa.tiled_load weak %v[%k] : !view[i32] -> tensor<8xf32>
        %s = nv_tileaa.tiled_store weak %x, %w[%i] : tensor<8xf32>, !view[i32]
        %j = nv_tileaa.join_mem_token %b, %s
        scf.yield %j : !nv_tileaa.mem_token
      }
      scf.yield %2 : !nv_tileaa.mem_token
    }
    nv_tileaa.return
  }

  // A branch loses the result that a dead value takes, also in a loop with a condition.
  // CHECK-LABEL: nv_tileaa.func @branches(
  nv_tileaa.func @branches(%n: i32, %c: i1, %v: !view, %w: !view) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %t = nv_tileaa.create_mem_token
    // CHECK: scf.while (%[[I:.*]] = %{{.*}}) : (i32) -> i32 {
    %0:2 = scf.while (%i = %c0, %a = %t) : (i32, !nv_tileaa.mem_token) -> (i32, !nv_tileaa.mem_token) {
      %less = arith.cmpi slt, %i, %n : i32
      // CHECK: scf.condition(%{{.*}}) %[[I]] : i32
      scf.condition(%less) %i, %a : i32, !nv_tileaa.mem_token
    } do {
    // CHECK: ^bb0(%[[J:.*]]: i32):
    ^bb0(%i: i32, %a: !nv_tileaa.mem_token):
      // CHECK-NEXT: scf.if %{{.*}} {
      %b = scf.if %c -> !nv_tileaa.mem_token {
        %x, %u = nv_tileaa.tiled_load weak %v[%i] : !view[i32] -> tensor<8xf32>
        %s = nv_tileaa.tiled_store weak %x, %w[%i] : tensor<8xf32>, !view[i32]
        %j = nv_tileaa.join_mem_token %a, %s
        scf.yield %j : !nv_tileaa.mem_token
      } else {
        scf.yield %a : !nv_tileaa.mem_token
      }
      %next = arith.addi %i, %c1 : i32
      // CHECK: scf.yield %{{.*}} : i32
      scf.yield %next, %b : i32, !nv_tileaa.mem_token
    }
    nv_tileaa.return
  }
}
