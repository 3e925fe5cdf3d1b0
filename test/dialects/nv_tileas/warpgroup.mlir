// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVTileASDialect.so
// RUN: %{opt} %s | %{opt} | FileCheck %s
// RUN: %{opt} %s --mlir-print-op-generic | %{opt} | FileCheck %s
// RUN: %{opt} %s --cse --canonicalize | FileCheck %s --check-prefix=APART

#atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#bytes = #nv_tileas.mma_atom<wgmma, [64, 64, 32], a = i8, b = i8, c = i32>
#sync = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
// 64 x 64 of two bytes, rows of 128 bytes, swizzled.
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#sync, a, warps = [4, 1]>>
!buffer = !nv_tileas.buffer<64x64xbf16, #s>
!acc = tensor<64x64xf32, #acc>
!future = !nv_tileas.future<!acc>

// CHECK-LABEL: func.func @products(
func.func @products(%x: !buffer, %y: !buffer, %t: tensor<64x64xbf16, #a>, %c: !acc) -> !acc {
  // CHECK: %[[F:.*]] = nv_tileas.async.dot %{{.*}}, %{{.*}}, %{{.*}} {atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>} : !nv_tileas.buffer<64x64xbf16, #[[S:.*]]>, !nv_tileas.buffer<64x64xbf16, #[[S]]>, tensor<64x64xf32, #[[C:.*]]> -> !nv_tileas.future<tensor<64x64xf32, #[[C]]>>
  %f = nv_tileas.async.dot %x, %y, %c {atom = #atom} : !buffer, !buffer, !acc -> !future
  // CHECK: %[[G:.*]] = nv_tileas.dot_wait %[[F]] {pending = 1 : i32} : !nv_tileas.future<tensor<64x64xf32, #[[C]]>> -> !nv_tileas.future<tensor<64x64xf32, #[[C]]>>
  %g = nv_tileas.dot_wait %f {pending = 1 : i32} : !future -> !future
  // CHECK: %[[H:.*]] = nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[G]] {{.*}} : tensor<64x64xbf16, #{{.*}}>, !nv_tileas.buffer<64x64xbf16, #[[S]]>, !nv_tileas.future<
  %h = nv_tileas.async.dot %t, %y, %g {atom = #atom} : tensor<64x64xbf16, #a>, !buffer, !future -> !future
  // CHECK: nv_tileas.dot_wait %[[H]] {pending = 0 : i32} : !nv_tileas.future<tensor<64x64xf32, #[[C]]>> -> tensor<64x64xf32, #[[C]]>
  %d = nv_tileas.dot_wait %h {pending = 0 : i32} : !future -> !acc
  // CHECK: nv_tileas.async.to_async %{{.*}} : tensor<64x64xf32, #[[C]]> -> !nv_tileas.future<tensor<64x64xf32, #[[C]]>>
  %u = nv_tileas.async.to_async %c : !acc -> !future
  return %d : !acc
}

// CHECK-LABEL: func.func @rescale(
func.func @rescale(%f: !future, %x: !acc) -> !future {
  // CHECK: nv_tileas.async.rescale %{{.*}} by %{{.*}} : !nv_tileas.future<tensor<64x64xf32, #[[C:.*]]>>, tensor<64x64xf32, #[[C]]>
  %g = nv_tileas.async.rescale %f by %x : !future, !acc
  return %g : !future
}

// Each initial accumulator has registers of its own; an unused one has none.
// APART-LABEL: func.func @sums(
// APART-COUNT-2: nv_tileas.async.to_async
// APART-NOT: nv_tileas.async.to_async
// CHECK-LABEL: func.func @sums(
func.func @sums(%c: !acc) -> (!acc, !acc) {
  %f = nv_tileas.async.to_async %c : !acc -> !future
  %g = nv_tileas.async.to_async %c : !acc -> !future
  %unread = nv_tileas.async.to_async %c : !acc -> !future
  %x = nv_tileas.dot_wait %f {pending = 0 : i32} : !future -> !acc
  %y = nv_tileas.dot_wait %g {pending = 0 : i32} : !future -> !acc
  return %x, %y : !acc, !acc
}
