// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction by butterflies ends in the value of lane 0 where a branch or a loop goes by it, and nowhere else.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#few = #nv_tileas.layout<reg, [8], blocked<per_thread = [1], lanes = [32], warps = [1], order = [0]>>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 1 : i32} {
  // Both halves of 64 bits; the branch takes one bit of them.
  // CHECK-LABEL: llvm.func @branch(
  // CHECK-COUNT-10: nvvm.shfl.sync bfly
  //   CHECK-NOT:   bfly
  // CHECK-COUNT-2: nvvm.shfl.sync idx
  //   CHECK-NOT:   nvvm.shfl
  //       CHECK:   llvm.cond_br
  nv_tileaa.func @branch(%x: tensor<64xi64, #row>, %p: !nv_tileaa.ptr<i64>) {
    %s = nv_tileas.reduce %x axis = 0 identities = [0 : i64] {atom = #nv_tileas.reduce_atom<add, impl = auto>} : tensor<64xi64, #row> -> i64 {
    ^bb0(%l: i64, %r: i64):
      %a = arith.addi %l, %r : i64
      nv_tileas.yield %a : i64
    }
    %bit = arith.trunci %s : i64 to i1
    scf.if %bit {
      %t = nv_tileas.store weak %p, %s : !nv_tileaa.ptr<i64>, i64
    }
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @flags(
  // CHECK-COUNT-3: nvvm.shfl.sync bfly
  //       CHECK:   nvvm.shfl.sync idx
  //   CHECK-NOT:   nvvm.shfl
  //       CHECK:   llvm.return
  nv_tileaa.func @flags(%x: tensor<8xi1, #few>, %p: !nv_tileaa.ptr<i32>, %v: i32) {
    %s = nv_tileas.reduce %x axis = 0 identities = [false] {atom = #nv_tileas.reduce_atom<xor, impl = auto>} : tensor<8xi1, #few> -> i1 {
    ^bb0(%l: i1, %r: i1):
      %a = arith.xori %l, %r : i1
      nv_tileas.yield %a : i1
    }
    scf.if %s {
      %t = nv_tileas.store weak %p, %v : !nv_tileaa.ptr<i32>, i32
    }
    nv_tileaa.return
  }

  // The number of iterations of a loop that follows, by what another one carries.
  // CHECK-LABEL: llvm.func @bound(
  //       CHECK:   nvvm.shfl.sync idx
  //       CHECK:   llvm.return
  nv_tileaa.func @bound(%x: tensor<64xi64, #row>, %p: !nv_tileaa.ptr<i64>, %n: i64) {
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i64
    %trips, %other = scf.for %i = %c0 to %n step %c1 iter_args(%b = %c0, %o = %c0) -> (i64, i64) : i64 {
      %s = nv_tileas.reduce %x axis = 0 identities = [0 : i64] {atom = #nv_tileas.reduce_atom<add, impl = auto>} : tensor<64xi64, #row> -> i64 {
      ^bb0(%l: i64, %r: i64):
        %a = arith.addi %l, %r : i64
        nv_tileas.yield %a : i64
      }
      scf.yield %s, %o : i64, i64
    }
    scf.for %i = %c0 to %trips step %c1 : i64 {
      %t = nv_tileas.store weak %p, %i : !nv_tileaa.ptr<i64>, i64
    }
    nv_tileaa.return
  }

  // A value beside it that the loop carries, and one that is stored.
  // CHECK-LABEL: llvm.func @beside(
  //   CHECK-NOT:   nvvm.shfl.sync idx
  //       CHECK:   llvm.return
  nv_tileaa.func @beside(%x: tensor<64xi64, #row>, %p: !nv_tileaa.ptr<i64>, %n: i64) {
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i64
    %trips, %other = scf.for %i = %c0 to %n step %c1 iter_args(%b = %c0, %o = %c0) -> (i64, i64) : i64 {
      %s = nv_tileas.reduce %x axis = 0 identities = [0 : i64] {atom = #nv_tileas.reduce_atom<add, impl = auto>} : tensor<64xi64, #row> -> i64 {
      ^bb0(%l: i64, %r: i64):
        %a = arith.addi %l, %r : i64
        nv_tileas.yield %a : i64
      }
      scf.yield %b, %s : i64, i64
    }
    scf.for %i = %c0 to %trips step %c1 : i64 {
      %t = nv_tileas.store weak %p, %other : !nv_tileaa.ptr<i64>, i64
    }
    nv_tileaa.return
  }

  // One instruction already gives all lanes the same.
  // CHECK-LABEL: llvm.func @instruction(
  //       CHECK:   nvvm.redux.sync
  //   CHECK-NOT:   nvvm.shfl
  //       CHECK:   llvm.return
  nv_tileaa.func @instruction(%x: tensor<64xi32, #row>, %p: !nv_tileaa.ptr<i32>) {
    %s = nv_tileas.reduce %x axis = 0 identities = [0 : i32] {atom = #nv_tileas.reduce_atom<add, impl = auto>} : tensor<64xi32, #row> -> i32 {
    ^bb0(%l: i32, %r: i32):
      %a = arith.addi %l, %r : i32
      nv_tileas.yield %a : i32
    }
    %bit = arith.trunci %s : i32 to i1
    scf.if %bit {
      %t = nv_tileas.store weak %p, %s : !nv_tileaa.ptr<i32>, i32
    }
    nv_tileaa.return
  }
}

gpu.module @n attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 4 : i32} {
  // Several warps read what they have in common from shared memory.
  // CHECK-LABEL: llvm.func @warps(
  //   CHECK-NOT:   nvvm.shfl.sync idx
  //       CHECK:   llvm.return
  nv_tileaa.func @warps(%x: tensor<256xi64, #nv_tileas.layout<reg, [256], blocked<per_thread = [2], lanes = [32], warps = [4], order = [0]>>>, %p: !nv_tileaa.ptr<i64>) {
    %s = nv_tileas.reduce %x axis = 0 identities = [0 : i64] {atom = #nv_tileas.reduce_atom<add, impl = auto>} : tensor<256xi64, #nv_tileas.layout<reg, [256], blocked<per_thread = [2], lanes = [32], warps = [4], order = [0]>>> -> i64 {
    ^bb0(%l: i64, %r: i64):
      %a = arith.addi %l, %r : i64
      nv_tileas.yield %a : i64
    }
    %bit = arith.trunci %s : i64 to i1
    scf.if %bit {
      %t = nv_tileas.store weak %p, %s : !nv_tileaa.ptr<i64>, i64
    }
    nv_tileaa.return
  }
}
