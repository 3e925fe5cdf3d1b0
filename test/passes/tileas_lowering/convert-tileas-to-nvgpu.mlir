// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-nvgpu))' | FileCheck %s
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-nvgpu{use-nvgpu=false}))' | FileCheck %s --check-prefix=NVVM

gpu.module @m {
  // CHECK-LABEL: llvm.func @matrices(
  //       CHECK:   %[[W:.*]] = nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 2 : i32
  //       CHECK:   %[[W0:.*]] = llvm.extractvalue %[[W]][0]
  //       CHECK:   %[[W1:.*]] = llvm.extractvalue %[[W]][1]
  //       CHECK:   nvvm.stmatrix %{{.*}}, %[[W0]], %[[W1]] {{.*}}layout = #nvvm.mma_layout<row>
  llvm.func @matrices(%p: !llvm.ptr<3>) {
    %0:2 = nv_tileas.atom.ldmatrix %p {num = 2 : i32, trans} : !llvm.ptr<3> -> (i32, i32)
    nv_tileas.atom.stmatrix %p, %0#0, %0#1 : !llvm.ptr<3>, i32, i32
    llvm.return
  }

  // CHECK-LABEL: llvm.func @halves(
  //       CHECK:   nvgpu.mma.sync(%{{.*}}, %{{.*}}, %{{.*}}) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  // NVVM-LABEL: llvm.func @halves(
  //       NVVM:   nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[{{.*}}] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>}
  llvm.func @halves(%a: vector<2xf16>, %b: vector<2xf16>, %c: f32) -> f32 {
    %0:4 = nv_tileas.atom.mma_sync [%a, %a, %a, %a] [%b, %b] [%c, %c, %c, %c] {atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>}
      : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) (vector<2xf16>, vector<2xf16>) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
    llvm.return %0#3 : f32
  }

  // Integers wrap, which nvgpu does not say.
  // CHECK-LABEL: llvm.func @bytes(
  //       CHECK:   llvm.bitcast %{{.*}} : vector<4xi8> to i32
  //       CHECK:   nvvm.mma.sync {{.*}}intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>{{.*}}multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>
  llvm.func @bytes(%a: vector<4xi8>, %b: vector<4xi8>, %c: i32) -> i32 {
    %0:4 = nv_tileas.atom.mma_sync [%a, %a] [%b] [%c, %c, %c, %c] {atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = i8, b = i8, c = i32>, signed_a}
      : (vector<4xi8>, vector<4xi8>) (vector<4xi8>) (i32, i32, i32, i32) -> (i32, i32, i32, i32)
    llvm.return %0#0 : i32
  }

  // Scales for each block of K: one, two or four to an instruction.
  // CHECK-LABEL: llvm.func @scaled(
  //   CHECK-DAG:   %[[ONE:.*]] = llvm.mlir.constant(1 : i16)
  //   CHECK-DAG:   %[[THREE:.*]] = llvm.mlir.constant(3 : i16)
  //       CHECK:   nvvm.mma.block_scale A[{{.*}}] B[{{.*}}] C[{{.*}}] scaleA[%arg2, {{.*}}] scaleB[%arg3, {{.*}}] {blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf8f6f4>, multiplicandAPtxType = #nvvm.mma_type<e4m3>, multiplicandBPtxType = #nvvm.mma_type<e5m2>, scaleVecSize = #nvvm.scale_vec_size<x1>, shape = #nvvm.shape<m = 16, n = 8, k = 32>}
  //       CHECK:   nvvm.mma.block_scale {{.*}}<ue8m0>, kind = #nvvm.block_scale_kind<mxf4>, multiplicandAPtxType = #nvvm.mma_type<e2m1>, {{.*}}scaleVecSize = #nvvm.scale_vec_size<x2>, shape = #nvvm.shape<m = 16, n = 8, k = 64>}
  //       CHECK:   nvvm.mma.block_scale {{.*}}<ue4m3>, kind = #nvvm.block_scale_kind<mxf4nvf4>, {{.*}}scaleVecSize = #nvvm.scale_vec_size<x4>
  llvm.func @scaled(%w: i32, %c: f32, %sa: i32, %sb: i32) -> f32 {
    %0:4 = nv_tileas.atom.mma_bs [%w, %w, %w, %w] [%w, %w] [%c, %c, %c, %c] scales %sa, %sb {atom = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E5M2, c = f32, scale = f8E8M0FNU>, byte_a = 3 : i32, thread_a = 1 : i32, byte_b = 0 : i32, thread_b = 3 : i32}
      : (i32, i32, i32, i32) (i32, i32) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
    %1:4 = nv_tileas.atom.mma_bs [%w, %w, %w, %w] [%w, %w] [%0#0, %0#1, %0#2, %0#3] scales %sa, %sb {atom = #nv_tileas.mma_atom<mma_bs, [16, 8, 64], a = f4E2M1FN, b = f4E2M1FN, c = f32, scale = f8E8M0FNU>, byte_a = 2 : i32, thread_a = 0 : i32, byte_b = 0 : i32, thread_b = 1 : i32}
      : (i32, i32, i32, i32) (i32, i32) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
    %2:4 = nv_tileas.atom.mma_bs [%w, %w, %w, %w] [%w, %w] [%1#0, %1#1, %1#2, %1#3] scales %sa, %sb {atom = #nv_tileas.mma_atom<mma_bs, [16, 8, 64], a = f4E2M1FN, b = f4E2M1FN, c = f32, scale = f8E4M3FN>, byte_a = 0 : i32, thread_a = 0 : i32, byte_b = 0 : i32, thread_b = 1 : i32}
      : (i32, i32, i32, i32) (i32, i32) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
    llvm.return %2#0 : f32
  }

  // NVVM has no operation for 8-bit floats.
  // CHECK-LABEL: llvm.func @byte_floats(
  //       CHECK:   llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e5m2.f32"
  llvm.func @byte_floats(%a: vector<4xi8>, %b: vector<4xi8>, %c: f32) -> f32 {
    %0:4 = nv_tileas.atom.mma_sync [%a, %a, %a, %a] [%b, %b] [%c, %c, %c, %c] {atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = f8E4M3FN, b = f8E5M2, c = f32>}
      : (vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>) (vector<4xi8>, vector<4xi8>) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
    llvm.return %0#0 : f32
  }
}
