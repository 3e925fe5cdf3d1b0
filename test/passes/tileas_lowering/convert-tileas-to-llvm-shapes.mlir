// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that give elements other names, or take some of them.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#a = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#half = #nv_tileas.layout<reg, [32], blocked<per_thread = [1], lanes = [32], warps = [1], order = [0]>>
#two = #nv_tileas.layout<reg, [64], blocked<per_thread = [1], lanes = [32], warps = [1], order = [0]>>
#col = #nv_tileas.layout<reg, [64, 1], blocked<per_thread = [2, 1], lanes = [32, 1], warps = [1, 1], order = [1, 0]>>
#row = #nv_tileas.layout<reg, [1, 64], blocked<per_thread = [1, 2], lanes = [1, 32], warps = [1, 1], order = [1, 0]>>
#wide = #nv_tileas.layout<reg, [64, 4], blocked<per_thread = [2, 4], lanes = [32, 1], warps = [1, 1], order = [1, 0]>>
#tall = #nv_tileas.layout<reg, [4, 64], blocked<per_thread = [4, 2], lanes = [1, 32], warps = [1, 1], order = [0, 1]>>
#part = #nv_tileas.layout<reg, [64, 2], blocked<per_thread = [2, 2], lanes = [32, 1], warps = [1, 1], order = [1, 0]>>
#some = #nv_tileas.layout<reg, [4, 2], register = [[1, 0], [2, 0], [0, 1]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]]>
#s = #nv_tileas.layout<smem, [32, 32], swizzled<none, major = 1, bits = 32>>
#r = #nv_tileas.layout<reg, [32, 16], blocked<per_thread = [1, 4], lanes = [8, 4], warps = [1, 1], order = [1, 0]>>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 1 : i32} {
  // CHECK-LABEL: llvm.func @expand_dims(
  //  CHECK-SAME:   %[[A:.*]]: f32, %[[B:.*]]: f32)
  //       CHECK:   llvm.insertvalue %[[A]], %{{.*}}[0]
  //       CHECK:   llvm.insertvalue %[[B]], %{{.*}}[1]
  //   CHECK-NOT:   shfl
  nv_tileaa.func @expand_dims(%x: tensor<64xf32, #a>) -> tensor<64x1xf32, #col> {
    %0 = nv_tileas.expand_dims %x {axis = 1 : i32} : tensor<64xf32, #a> -> tensor<64x1xf32, #col>
    nv_tileaa.return %0 : tensor<64x1xf32, #col>
  }

  // A row has one element, in four registers.
  // CHECK-LABEL: llvm.func @broadcast(
  //  CHECK-SAME:   %[[A:.*]]: f32, %[[B:.*]]: f32)
  // CHECK-COUNT-4: llvm.insertvalue %[[A]],
  // CHECK-COUNT-4: llvm.insertvalue %[[B]],
  nv_tileaa.func @broadcast(%x: tensor<64x1xf32, #col>) -> tensor<64x4xf32, #wide> {
    %0 = nv_tileas.broadcast %x : tensor<64x1xf32, #col> -> tensor<64x4xf32, #wide>
    nv_tileaa.return %0 : tensor<64x4xf32, #wide>
  }

  // Names only, where the layout is permuted, too.
  // CHECK-LABEL: llvm.func @permute(
  //  CHECK-SAME:   %[[A:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %[[B:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32, %[[C:.*]]: f32)
  //   CHECK-NOT:   shfl
  //       CHECK:   llvm.insertvalue %[[A]], %{{.*}}[0]
  //       CHECK:   llvm.insertvalue %[[B]], %{{.*}}[4]
  //       CHECK:   llvm.insertvalue %[[C]], %{{.*}}[7]
  nv_tileaa.func @permute(%x: tensor<64x4xf32, #wide>) -> tensor<4x64xf32, #tall> {
    %0 = nv_tileas.permute %x [1, 0] : tensor<64x4xf32, #wide> -> tensor<4x64xf32, #tall>
    nv_tileaa.return %0 : tensor<4x64xf32, #tall>
  }

  // CHECK-LABEL: llvm.func @view(
  //  CHECK-SAME:   %[[A:.*]]: f32, %[[B:.*]]: f32)
  //       CHECK:   llvm.insertvalue %[[A]], %{{.*}}[0]
  //       CHECK:   llvm.insertvalue %[[B]], %{{.*}}[1]
  nv_tileaa.func @view(%x: tensor<64xf32, #a>) -> tensor<1x64xf32, #row> {
    %0 = nv_tileas.view %x : tensor<64xf32, #a> -> tensor<1x64xf32, #row>
    nv_tileaa.return %0 : tensor<1x64xf32, #row>
  }

  // Each operand has registers of its own.
  // CHECK-LABEL: llvm.func @cat(
  //  CHECK-SAME:   %[[X:.*]]: f32, %[[Y:.*]]: f32)
  //       CHECK:   llvm.insertvalue %[[X]], %{{.*}}[0]
  //       CHECK:   llvm.insertvalue %[[Y]], %{{.*}}[1]
  nv_tileaa.func @cat(%x: tensor<32xf32, #half>, %y: tensor<32xf32, #half>) -> tensor<64xf32, #two> {
    %0 = nv_tileas.cat %x, %y {axis = 0 : i32} : tensor<32xf32, #half>, tensor<32xf32, #half> -> tensor<64xf32, #two>
    nv_tileaa.return %0 : tensor<64xf32, #two>
  }

  // The place is the number of the slice, and bit 1 of a column a bit of the register: no other thread is asked.
  // CHECK-LABEL: llvm.func @extract_slice(
  //  CHECK-SAME:   %[[A:.*]]: f32, %{{.*}}: f32, %[[C:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32, %[[B:.*]]: f32, %{{.*}}: f32, %[[D:.*]]: f32, %[[J:.*]]: i32)
  //       CHECK:   llvm.and %[[J]],
  //       CHECK:   %[[SECOND:.*]] = llvm.icmp "ne"
  //       CHECK:   llvm.select %[[SECOND]], %[[C]], %[[A]] : i1, f32
  //       CHECK:   llvm.select %[[SECOND]], %[[D]], %[[B]] : i1, f32
  //   CHECK-NOT:   {{shfl|barrier}}
  nv_tileaa.func @extract_slice(%x: tensor<64x4xf32, #wide>, %j: i32) -> tensor<64x2xf32, #part> {
    %z = arith.constant 0 : i32
    %0 = nv_tileas.extract_slice %x[%z, %j] : tensor<64x4xf32, #wide> -> tensor<64x2xf32, #part>
    nv_tileaa.return %0 : tensor<64x2xf32, #part>
  }

  // CHECK-LABEL: llvm.func @insert_slice(
  //  CHECK-SAME:   %[[S:[a-z0-9]*]]: f32, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[A:[a-z0-9]*]]: f32, %{{[^,]*}}, %[[C:[a-z0-9]*]]: f32,
  //       CHECK:   %[[FIRST:.*]] = llvm.icmp "eq"
  //       CHECK:   llvm.select %[[FIRST]], %[[S]], %[[A]] : i1, f32
  //       CHECK:   %[[SECOND:.*]] = llvm.icmp "eq"
  //       CHECK:   llvm.select %[[SECOND]], %[[S]], %[[C]] : i1, f32
  //   CHECK-NOT:   {{shfl|barrier}}
  nv_tileaa.func @insert_slice(%s: tensor<64x2xf32, #part>, %x: tensor<64x4xf32, #wide>, %j: i32) -> tensor<64x4xf32, #wide> {
    %z = arith.constant 0 : i32
    %0 = nv_tileas.insert_slice %s into %x[%z, %j] : tensor<64x2xf32, #part> into tensor<64x4xf32, #wide>
    nv_tileaa.return %0 : tensor<64x4xf32, #wide>
  }

  // Lanes tell slices apart: the one that holds the slice gives each of its registers to all.
  // CHECK-LABEL: llvm.func @extract_slice_of_lane(
  // CHECK-COUNT-8: nvvm.shfl.sync idx
  //   CHECK-NOT:   {{shfl|barrier}}
  nv_tileaa.func @extract_slice_of_lane(%x: tensor<4x64xf32, #tall>, %j: i32) -> tensor<4x2xf32, #some> {
    %z = arith.constant 0 : i32
    %0 = nv_tileas.extract_slice %x[%z, %j] : tensor<4x64xf32, #tall> -> tensor<4x2xf32, #some>
    nv_tileaa.return %0 : tensor<4x2xf32, #some>
  }

  // One lane takes the slice, which all have.
  // CHECK-LABEL: llvm.func @insert_slice_of_lane(
  //       CHECK:   %[[MINE:.*]] = llvm.icmp "eq"
  // CHECK-COUNT-8: llvm.select %[[MINE]], %{{.*}}, %{{.*}} : i1, f32
  //   CHECK-NOT:   {{shfl|barrier}}
  nv_tileaa.func @insert_slice_of_lane(%s: tensor<4x2xf32, #some>, %x: tensor<4x64xf32, #tall>, %j: i32) -> tensor<4x64xf32, #tall> {
    %z = arith.constant 0 : i32
    %0 = nv_tileas.insert_slice %s into %x[%z, %j] : tensor<4x2xf32, #some> into tensor<4x64xf32, #tall>
    nv_tileaa.return %0 : tensor<4x64xf32, #tall>
  }

  // The register is chosen in each lane, and the lane is asked.
  // CHECK-LABEL: llvm.func @extract(
  //  CHECK-SAME:   %[[A:.*]]: f32, %[[B:.*]]: f32, %[[I:.*]]: i32) -> f32
  //       CHECK:   llvm.select %{{.*}}, %[[B]], %[[A]] : i1, f32
  //       CHECK:   nvvm.shfl.sync idx
  //       CHECK:   %[[R:.*]] = llvm.bitcast %{{.*}} : i32 to f32
  //       CHECK:   llvm.return %[[R]] : f32
  nv_tileaa.func @extract(%x: tensor<64xf32, #a>, %i: i32) -> f32 {
    %0 = nv_tileas.extract %x[%i] : tensor<64xf32, #a> -> f32
    nv_tileaa.return %0 : f32
  }

  // CHECK-LABEL: llvm.func @bitcast(
  // CHECK-COUNT-2: llvm.bitcast %{{.*}} : f32 to i32
  nv_tileaa.func @bitcast(%x: tensor<64xf32, #a>) -> tensor<64xi32, #a> {
    %0 = nv_tileas.bitcast %x : tensor<64xf32, #a> -> tensor<64xi32, #a>
    nv_tileaa.return %0 : tensor<64xi32, #a>
  }

  // CHECK-LABEL: llvm.func @elementwise(
  //  CHECK-SAME:   %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %[[D:.*]]: f32)
  //       CHECK:   llvm.call_intrinsic "llvm.nvvm.add.rz.f"(%[[A]], %[[C]])
  //       CHECK:   llvm.call_intrinsic "llvm.nvvm.add.rz.f"(%[[B]], %[[D]])
  nv_tileaa.func @elementwise(%x: tensor<64xf32, #a>, %y: tensor<64xf32, #a>) -> tensor<64xf32, #a> {
    %0 = nv_tileas.elementwise intrinsic "llvm.nvvm.add.rz.f" (%x, %y) {pure} : (tensor<64xf32, #a>, tensor<64xf32, #a>) -> tensor<64xf32, #a>
    nv_tileaa.return %0 : tensor<64xf32, #a>
  }

  // CHECK-LABEL: llvm.func @optimization_barrier(
  // CHECK-COUNT-2: llvm.inline_asm has_side_effects "", "=&r,0"
  nv_tileaa.func @optimization_barrier(%x: tensor<64xf32, #a>) -> tensor<64xf32, #a> {
    %0 = nv_tileas.optimization_barrier %x : tensor<64xf32, #a>
    nv_tileaa.return %0 : tensor<64xf32, #a>
  }

  // Columns from 16 on begin 2048 bytes after the first ones.
  // CHECK-LABEL: llvm.func @subview(
  //       CHECK:   %[[AT:.*]] = llvm.getelementptr %{{.*}}[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  //       CHECK:   llvm.load %[[AT]] {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
  nv_tileaa.func @subview() -> tensor<32x16xf32, #r> {
    %b = nv_tileas.alloc_tensor : !nv_tileas.buffer<32x32xf32, #s>
    %h = nv_tileas.subview %b[0, 16] : !nv_tileas.buffer<32x32xf32, #s> -> !nv_tileas.buffer<32x16xf32, #s>
    %x = nv_tileas.copy %h : !nv_tileas.buffer<32x16xf32, #s> -> tensor<32x16xf32, #r>
    nv_tileaa.return %x : tensor<32x16xf32, #r>
  }
}
