// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so | FileCheck %s
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --mlir-print-op-generic \
// RUN:   | %mlir-opt --load-dialect-plugin=%libCudaTileDialect.so --verify-roundtrip | FileCheck %s

// CHECK-LABEL: cuda_tile.testing$func @branches(
cuda_tile.testing$func @branches(%c: tile<i1>, %a: tile<i32>, %b: tile<i32>) {
  // CHECK: %{{.*}} = if %{{.*}} -> (tile<i32>) {
  %r = if %c -> (tile<i32>) {
    // CHECK: yield %{{.*}} : tile<i32>
    yield %a : tile<i32>
  } else {
    // CHECK: yield %{{.*}} : tile<i32>
    yield %b : tile<i32>
  }
  // CHECK: if %{{.*}} {
  if %c {
    // CHECK: %{{.*}} = addi %{{.*}}, %{{.*}} : tile<i32>
    %s = addi %a, %b : tile<i32>
  }
  // CHECK: if %{{.*}} {
  if %c {
  } else {
    return
  }
  // CHECK: if %{{.*}} {
  if %c {
  } else {
  } {x.y}
  return
}

// CHECK-LABEL: cuda_tile.testing$func @for_loops(
cuda_tile.testing$func @for_loops(%lo: tile<i32>, %hi: tile<i32>, %x: tile<f32>, %t: token) {
  // CHECK: for %{{.*}} in (%{{.*}} to %{{.*}}, step %{{.*}}) : tile<i32> {
  for %i in (%lo to %hi, step %lo) : tile<i32> {
    // CHECK: %{{.*}} = addi %{{.*}}, %{{.*}} : tile<i32>
    %s = addi %i, %i : tile<i32>
  }
  // CHECK: %{{.*}} = for unsigned %{{.*}} in (%{{.*}} to %{{.*}}, step %{{.*}}) : tile<i32> iter_values(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tile<f32>, token) {
  %f, %g = for unsigned %iv in (%lo to %hi, step %lo) : tile<i32> iter_values(%acc = %x, %tok = %t) -> (tile<f32>, token) {
    // CHECK: %{{.*}} = addf %{{.*}}, %{{.*}} : tile<f32>
    %n = addf %acc, %x : tile<f32>
    // CHECK: continue %{{.*}}, %{{.*}} : tile<f32>, token
    continue %n, %tok : tile<f32>, token
  }
  // CHECK: for %{{.*}} in (%{{.*}} to %{{.*}}, step %{{.*}}) : tile<i32> {
  for %i in (%lo to %hi, step %lo) : tile<i32> {
    // CHECK: %{{.*}} = cmpi equal %{{.*}}, %{{.*}}, signed : tile<i32> -> tile<i1>
    %c = cmpi equal %i, %hi, signed : tile<i32> -> tile<i1>
    // CHECK: if %{{.*}} {
    if %c {
      // CHECK: continue
      continue
    }
  } {cuda_tile.loop_split = 1 : i64}
  return
}

// CHECK-LABEL: cuda_tile.testing$func @loops(
cuda_tile.testing$func @loops(%lo: tile<i32>, %hi: tile<i32>, %x: tile<f32>, %c: tile<i1>) {
  // CHECK: loop {
  loop {
    // CHECK: if %{{.*}} {
    if %c {
      // CHECK: break
      break
    }
  }
  // CHECK: %{{.*}} = loop : tile<i32> {
  %v = loop : tile<i32> {
    // CHECK: break %{{.*}} : tile<i32>
    break %lo : tile<i32>
  }
  // CHECK: loop iter_values(%{{.*}} = %{{.*}}) : tile<i32> {
  loop iter_values(%i = %lo) : tile<i32> {
    // CHECK: continue %{{.*}} : tile<i32>
    continue %i : tile<i32>
  }
  // CHECK: %{{.*}} = loop iter_values(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tile<i32>, tile<f32> -> tile<f32> {
  %w = loop iter_values(%i = %lo, %j = %x) : tile<i32>, tile<f32> -> tile<f32> {
    // CHECK: %{{.*}} = cmpi greater_than %{{.*}}, %{{.*}}, signed : tile<i32> -> tile<i1>
    %done = cmpi greater_than %i, %hi, signed : tile<i32> -> tile<i1>
    // CHECK: if %{{.*}} {
    if %done {
      // CHECK: break %{{.*}} : tile<f32>
      break %x : tile<f32>
    }
    // CHECK: %{{.*}} = addi %{{.*}}, %{{.*}} : tile<i32>
    %nx = addi %i, %lo : tile<i32>
    // CHECK: continue %{{.*}}, %{{.*}} : tile<i32>, tile<f32>
    continue %nx, %j : tile<i32>, tile<f32>
  }
  return
}

// CHECK-LABEL: cuda_tile.testing$func @asserts(
cuda_tile.testing$func @asserts(%m: tile<8xi1>) {
  // CHECK: assert %{{.*}}, "negative extent" : tile<8xi1>
  assert %m, "negative extent" : tile<8xi1>
  return
}
