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

  // NVVM has no operation for 8-bit floats.
  // CHECK-LABEL: llvm.func @byte_floats(
  //       CHECK:   llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e5m2.f32"
  llvm.func @byte_floats(%a: vector<4xi8>, %b: vector<4xi8>, %c: f32) -> f32 {
    %0:4 = nv_tileas.atom.mma_sync [%a, %a, %a, %a] [%b, %b] [%c, %c, %c, %c] {atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = f8E4M3FN, b = f8E5M2, c = f32>}
      : (vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>) (vector<4xi8>, vector<4xi8>) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
    llvm.return %0#0 : f32
  }
}
