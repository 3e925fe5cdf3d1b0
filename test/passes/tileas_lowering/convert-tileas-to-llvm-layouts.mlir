// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#vec = #nv_tileas.layout<reg, [256], blocked<per_thread = [4], lanes = [32], warps = [2], order = [0]>>
#swapped = #nv_tileas.layout<reg, [256], register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = [[128]]>
#crossed = #nv_tileas.layout<reg, [256], register = [[4], [2]], lane = [[1], [8], [16], [32], [64]], warp = [[128]]>
#strided = #nv_tileas.layout<reg, [256], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>
#rows = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [2, 1], order = [1, 0]>>
#columns = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [8, 1], lanes = [8, 4], warps = [1, 2], order = [0, 1]>>
#byte_rows = #nv_tileas.layout<reg, [64, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [32, 0]], lane = [[0, 16], [0, 32], [2, 0], [4, 0], [8, 0]], warp = [[16, 0]]>
#byte_columns = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [16, 1], lanes = [4, 8], warps = [1, 2], order = [0, 1]>>
#opA = #nv_tileas.layout<reg, [64, 64], mma<#nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>, a, warps = [2, 1]>>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 2 : i32} {
  // Two registers change places: nothing is computed.
  // CHECK-LABEL: llvm.func @renames_registers(
  //  CHECK-SAME:   %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %[[D:.*]]: f32)
  //       CHECK:   %[[S0:.*]] = llvm.insertvalue %[[A]], %{{.*}}[0]
  //  CHECK-NEXT:   %[[S1:.*]] = llvm.insertvalue %[[C]], %[[S0]][1]
  //  CHECK-NEXT:   %[[S2:.*]] = llvm.insertvalue %[[B]], %[[S1]][2]
  //  CHECK-NEXT:   llvm.insertvalue %[[D]], %[[S2]][3]
  nv_tileaa.func @renames_registers(%x: tensor<256xf32, #vec>) -> tensor<256xf32, #swapped> {
    %0 = nv_tileas.convert_layout %x : tensor<256xf32, #vec> -> tensor<256xf32, #swapped>
    nv_tileaa.return %0 : tensor<256xf32, #swapped>
  }

  // A register bit changes places with a lane bit: each thread keeps half of what
  // it has.
  // CHECK-LABEL: llvm.func @shuffles(
  //   CHECK-NOT:   nvvm.barrier0
  // CHECK-COUNT-2: nvvm.shfl.sync bfly
  //   CHECK-NOT:   nvvm.shfl.sync
  //       CHECK:   llvm.return
  nv_tileaa.func @shuffles(%x: tensor<256xf32, #vec>) -> tensor<256xf32, #crossed> {
    %0 = nv_tileas.convert_layout %x : tensor<256xf32, #vec> -> tensor<256xf32, #crossed>
    nv_tileaa.return %0 : tensor<256xf32, #crossed>
  }

  // Data leaves the warp: stores, one barrier, loads. No thread
  // read the storage before, so no barrier precedes the stores.
  // CHECK-LABEL: llvm.func @exchanges(
  //   CHECK-NOT:   nvvm.barrier0
  // CHECK-COUNT-4: llvm.store %{{.*}} : i32, !llvm.ptr<3>
  //       CHECK:   nvvm.barrier0
  // CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
  //       CHECK:   llvm.return
  nv_tileaa.func @exchanges(%x: tensor<256xf32, #vec>) -> tensor<256xf32, #strided> {
    %0 = nv_tileas.convert_layout %x : tensor<256xf32, #vec> -> tensor<256xf32, #strided>
    nv_tileaa.return %0 : tensor<256xf32, #strided>
  }

  // The second exchange has bytes of its own, so that it need not wait until
  // the first has been read.
  // CHECK-LABEL: llvm.func @exchanges_twice(
  //       CHECK:   llvm.store
  //       CHECK:   nvvm.barrier0
  //   CHECK-NOT:   nvvm.barrier0
  //       CHECK:   llvm.load
  //   CHECK-NOT:   nvvm.barrier0
  //       CHECK:   llvm.store
  //       CHECK:   nvvm.barrier0
  //   CHECK-NOT:   nvvm.barrier0
  //       CHECK:   nv_tileas.atom.ldmatrix
  nv_tileaa.func @exchanges_twice(%x: tensor<256xf32, #vec>) -> tensor<256xf32, #vec> {
    %0 = nv_tileas.convert_layout %x : tensor<256xf32, #vec> -> tensor<256xf32, #strided>
    %1 = arith.addf %0, %0 : tensor<256xf32, #strided>
    %2 = nv_tileas.convert_layout %1 : tensor<256xf32, #strided> -> tensor<256xf32, #vec>
    nv_tileaa.return %2 : tensor<256xf32, #vec>
  }

  // Rows of 16 bytes go in, ldmatrix takes them out: 16 KiB are 8 KiB of halves.
  // CHECK-LABEL: llvm.func @feeds_the_tensor_core(
  // CHECK-COUNT-8: llvm.store %{{.*}} : vector<4xi32>, !llvm.ptr<3>
  //       CHECK:   nvvm.barrier0
  // CHECK-COUNT-8: nv_tileas.atom.ldmatrix %{{.*}} {num = 4 : i32} : !llvm.ptr<3> -> (i32, i32, i32, i32)
  //   CHECK-NOT:   nv_tileas.atom.ldmatrix
  //       CHECK:   llvm.return
  nv_tileaa.func @feeds_the_tensor_core(%x: tensor<64x64xf16, #rows>) -> tensor<64x64xf16, #opA> {
    %0 = nv_tileas.convert_layout %x : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #opA>
    nv_tileaa.return %0 : tensor<64x64xf16, #opA>
  }

  // A thread writes what lanes take apart, from whichever rows it has loaded:
  // 16 bytes at once each way.
  // CHECK-LABEL: llvm.func @turns_halves(
  //   CHECK-NOT:   llvm.store %{{.*}} : i16
  // CHECK-COUNT-8: llvm.store %{{.*}} : vector<4xi32>, !llvm.ptr<3>
  //       CHECK:   nvvm.barrier0
  // CHECK-COUNT-8: nv_tileas.atom.ldmatrix %{{.*}} {num = 4 : i32, trans} : !llvm.ptr<3> -> (i32, i32, i32, i32)
  //   CHECK-NOT:   nv_tileas.atom.ldmatrix
  //       CHECK:   llvm.return
  nv_tileaa.func @turns_halves(%x: tensor<64x64xf16, #rows>) -> tensor<64x64xf16, #columns> {
    %0 = nv_tileas.convert_layout %x : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #columns>
    nv_tileaa.return %0 : tensor<64x64xf16, #columns>
  }

  // Bytes move in pairs of two rows, which byte permutations assemble.
  // CHECK-LABEL: llvm.func @turns_bytes(
  //   CHECK-NOT:   llvm.store %{{.*}} : i8
  // CHECK-COUNT-4: "llvm.nvvm.prmt"
  //       CHECK:   llvm.store %{{.*}} : vector<4xi32>, !llvm.ptr<3>
  //       CHECK:   nvvm.barrier0
  // CHECK-COUNT-4: nv_tileas.atom.ldmatrix %{{.*}} {num = 4 : i32, trans} : !llvm.ptr<3> -> (i32, i32, i32, i32)
  //   CHECK-NOT:   nv_tileas.atom.ldmatrix
  //       CHECK:   llvm.return
  nv_tileaa.func @turns_bytes(%x: tensor<64x64xi8, #byte_rows>) -> tensor<64x64xi8, #byte_columns> {
    %0 = nv_tileas.convert_layout %x : tensor<64x64xi8, #byte_rows> -> tensor<64x64xi8, #byte_columns>
    nv_tileaa.return %0 : tensor<64x64xi8, #byte_columns>
  }
}
