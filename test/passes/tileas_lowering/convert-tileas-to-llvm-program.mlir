// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts that a program knows of itself: its number, sizes, globals, what it asserts.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#a = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 1 : i32} {
  // CHECK-DAG: llvm.mlir.global internal constant @tile_string("negative size\00")
  // CHECK-DAG: llvm.mlir.global internal @lut(dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>) {addr_space = 1 : i32}
  nv_tileaa.global @lut = dense<[1.0, 2.0]> : tensor<2xf32>

  // One call for all elements of a thread.
  // CHECK-LABEL: llvm.func @assert(
  //  CHECK-SAME:   %[[A:.*]]: i1, %[[B:.*]]: i1)
  //       CHECK:   %[[ALL:.*]] = llvm.and %[[A]], %[[B]] : i1
  //       CHECK:   %[[NOT:.*]] = llvm.xor %[[ALL]],
  //       CHECK:   llvm.cond_br %[[NOT]], ^[[FAIL:bb.]], ^[[NEXT:bb.]]
  //       CHECK: ^[[FAIL]]:
  //       CHECK:   llvm.mlir.addressof @tile_string :
  //       CHECK:   llvm.call @__assertfail(
  //       CHECK:   llvm.intr.trap
  //       CHECK:   llvm.br ^[[NEXT]]
  nv_tileaa.func @assert(%c: tensor<64xi1, #a>) {
    nv_tileas.assert %c, "negative size" : tensor<64xi1, #a>
    nv_tileaa.return
  }

  // Without a message there is no call, which would serialize wgmma.
  // CHECK-LABEL: llvm.func @stop(
  //   CHECK-NOT:   llvm.call
  //       CHECK:   llvm.intr.trap
  nv_tileaa.func @stop(%c: i1) {
    nv_tileas.assert %c, "" : i1
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @program(
  //       CHECK:   %[[I:.*]] = nvvm.read.ptx.sreg.ctaid.y : i32
  //       CHECK:   %[[N:.*]] = nvvm.read.ptx.sreg.nctaid.x : i32
  //       CHECK:   llvm.insertvalue %[[I]], %{{.*}}[0]
  //       CHECK:   llvm.insertvalue %[[N]], %{{.*}}[1]
  nv_tileaa.func @program() -> (i32, i32) {
    %i = nv_tileas.get_program_id y
    %n = nv_tileas.get_num_programs x
    nv_tileaa.return %i, %n : i32, i32
  }

  // CHECK-LABEL: llvm.func @size(
  //  CHECK-SAME:   %{{.*}}: !llvm.ptr<1>, %[[N:.*]]: i64) -> i64
  //       CHECK:   llvm.return %[[N]] : i64
  nv_tileaa.func @size(%p: !nv_tileaa.ptr<f16>, %n: i64) -> i64 {
    %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?xf16, strides = [1]>
    %0 = nv_tileas.get_dim_size %m dim = 0 : !nv_tileaa.memref<?xf16, strides = [1]>
    nv_tileaa.return %0 : i64
  }

  // CHECK-LABEL: llvm.func @global(
  //       CHECK:   %[[G:.*]] = llvm.mlir.addressof @lut : !llvm.ptr<1>
  //       CHECK:   llvm.return %[[G]]
  nv_tileaa.func @global() -> !nv_tileaa.ptr<f32> {
    %g = nv_tileas.get_global @lut : !nv_tileaa.ptr<f32>
    nv_tileaa.return %g : !nv_tileaa.ptr<f32>
  }

  // CHECK-LABEL: llvm.func @pointer(
  //       CHECK:   llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<1>
  nv_tileaa.func @pointer(%i: i64) -> !nv_tileaa.ptr<f32> {
    %p = nv_tileas.int_to_ptr %i : i64 -> !nv_tileaa.ptr<f32>
    nv_tileaa.return %p : !nv_tileaa.ptr<f32>
  }
}
