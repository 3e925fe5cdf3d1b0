// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#row = #nv_tileas.layout<reg, [8], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>

// A line is one call: no other block prints within it.
//  CHECK-NOT: tile_print_lock
//      CHECK: llvm.mlir.global internal constant @tile_string("block %d: [%u, %u, %u, %u, %u, %u, %u, %u] %f\0A\00")
//  CHECK-NOT: tile_print_lock
gpu.module @whole attributes {nv_tileaa.target_spec = "sm_90a", nv_tileaa.num_warps = 2 : i32} {
  // CHECK-LABEL: llvm.func @line(
  //       CHECK:   llvm.zext %{{.*}} : i8 to i32
  //       CHECK:   llvm.inline_asm {{.*}}st.shared.b32
  //       CHECK:   nvvm.barrier0
  //       CHECK:   llvm.cond_br
  // CHECK-COUNT-8:   llvm.load %{{.*}} : !llvm.ptr<3> -> i32
  //       CHECK:   llvm.mlir.addressof @tile_string
  //       CHECK:   llvm.call @vprintf
  //   CHECK-NOT:   llvm.call @vprintf
  //       CHECK:   llvm.return
  nv_tileaa.func kernel @line(%n: i32, %f: f16, %x: i8) {
    %t = nv_tileas.splat %x : i8 -> tensor<8xi8, #row>
    %0 = nv_tileas.print "block %d: %hhu %f\0A", %n, %t, %f : i32, tensor<8xi8, #row>, f16
    nv_tileaa.return
  }
}

// -----

#long = #nv_tileas.layout<reg, [64], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>

// A tile of more values than a call prints goes in chunks, under a lock that every print of the module takes.
gpu.module @locked attributes {nv_tileaa.target_spec = "sm_90a", nv_tileaa.num_warps = 2 : i32} {
  // CHECK-DAG: llvm.mlir.global internal @tile_print_lock(0 : i32)
  // CHECK-LABEL: llvm.func @chunks(
  //       CHECK:   llvm.inline_asm {{.*}}atom.acquire.gpu.global.exch.b32
  //       CHECK:   llvm.call @vprintf
  // CHECK-COUNT-2:   nvvm.barrier0
  // CHECK-COUNT-2:   llvm.call @vprintf
  //       CHECK:   llvm.call @vprintf
  //       CHECK:   llvm.inline_asm {{.*}}st.release.gpu.global.b32
  //       CHECK:   llvm.return
  nv_tileaa.func kernel @chunks(%x: i32) {
    %t = nv_tileas.splat %x : i32 -> tensor<64xi32, #long>
    %0 = nv_tileas.print "%d\0A", %t : tensor<64xi32, #long>
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @short(
  //       CHECK:   llvm.inline_asm {{.*}}atom.acquire.gpu.global.exch.b32
  //       CHECK:   llvm.call @vprintf
  //       CHECK:   llvm.inline_asm {{.*}}st.release.gpu.global.b32
  nv_tileaa.func kernel @short() {
    %0 = nv_tileas.print "short\0A"
    nv_tileaa.return
  }
}
