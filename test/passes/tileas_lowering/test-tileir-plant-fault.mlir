// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(nv_tileaa.func(test-tileir-plant-fault))' | FileCheck %s --check-prefix=ADD
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(nv_tileaa.func(test-tileir-plant-fault{fault=wrong-bound}))' | FileCheck %s --check-prefix=BOUND
// RUN: not %tileir-opt %s --pass-pipeline='builtin.module(nv_tileaa.func(test-tileir-plant-fault{fault=silent-failure}))' 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// SILENT-NOT: error

// Of tiles, the first one.
// ADD-LABEL: nv_tileaa.func @add(
// ADD: arith.addi {{.*}} : i32
// ADD: arith.subf {{.*}} : tensor<8xf32>
// ADD: arith.addf {{.*}} : tensor<8xf32>
nv_tileaa.func @add(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: i32) -> (tensor<8xf32>, i32) {
  %m = arith.addi %n, %n : i32
  %s = arith.addf %a, %b : tensor<8xf32>
  %t = arith.addf %s, %b : tensor<8xf32>
  nv_tileaa.return %t, %m : tensor<8xf32>, i32
}

// BOUND-LABEL: nv_tileaa.func @loop(
// BOUND: %[[LESS:.*]] = arith.subi %arg1, %arg2 : i32
// BOUND: scf.for %{{.*}} = %arg0 to %[[LESS]] step %arg2
nv_tileaa.func @loop(%lb: i32, %ub: i32, %step: i32) -> i32 {
  %sum = scf.for %i = %lb to %ub step %step iter_args(%old = %lb) -> (i32) : i32 {
    %new = arith.addi %old, %i : i32
    scf.yield %new : i32
  }
  nv_tileaa.return %sum : i32
}
