// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' | FileCheck %s
// Operands that threads convert between a slot and mma.sync.

#tf32 = #nv_tileas.mma_atom<mma_sync, [16, 8, 8], a = tf32, b = tf32, c = f32>
#half = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
#w = #nv_tileas.layout<reg, [64, 256], blocked<per_thread = [1, 16], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
#wb = #nv_tileas.layout<reg, [256, 64], blocked<per_thread = [1, 16], lanes = [8, 4], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#tf32, acc, warps = [4, 1]>>
#a32 = #nv_tileas.layout<reg, [64, 64], mma<#tf32, a, warps = [4, 1]>>
#b32 = #nv_tileas.layout<reg, [64, 64], mma<#tf32, b, warps = [4, 1]>>
#a16 = #nv_tileas.layout<reg, [64, 256], mma<#half, a, warps = [4, 1]>>
#b16 = #nv_tileas.layout<reg, [256, 64], mma<#half, b, warps = [4, 1]>>
!v32 = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>, padding = zero>
!va = !nv_tileaa.tiled_view<64x256 of !nv_tileaa.memref<?x?xf8E4M3FN, strides = [?, 1]>, padding = zero>
!vb = !nv_tileaa.tiled_view<256x64 of !nv_tileaa.memref<?x?xf8E4M3FN, strides = [?, 1]>, padding = zero>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  // An operand that threads round gets a buffer of its own. For B, whose words in
  // a fragment are one row apart, four rows of 32 bytes get banks of their own.
  // CHECK: #[[$FORM:.*]] = #nv_tileas.layout<smem, [64, 64], offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 8], [2, 16], [4, 0], [8, 0], [16, 0], [32, 0], [0, 32]]>
  // CHECK-LABEL: nv_tileaa.func kernel @rounded
  // CHECK: scf.for
  // CHECK: %[[S:.*]]:2 = nv_tileas.pipeline.wait
  // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<64x64xtf32,
  // CHECK: %[[B:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<64x64xtf32, #[[$FORM]]>
  // CHECK: %[[X:.*]] = nv_tileas.copy %[[S]]#0 : {{.*}} -> tensor<64x64xf32,
  // CHECK: %[[XR:.*]] = nv_tileas.fp_to_fp %[[X]] : {{.*}} -> tensor<64x64xtf32,
  // CHECK: nv_tileas.copy %[[XR]], %[[A]]
  // CHECK: %[[Y:.*]] = nv_tileas.copy %[[S]]#1 : {{.*}} -> tensor<64x64xf32,
  // CHECK: %[[YR:.*]] = nv_tileas.fp_to_fp %[[Y]] : {{.*}} -> tensor<64x64xtf32,
  // CHECK: nv_tileas.copy %[[YR]], %[[B]]
  // CHECK: nv_tileas.dot %[[A]], %[[B]], %{{.*}} {atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 8], a = tf32, b = tf32, c = f32>, mma = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 8], a = shared<restaged>, b = shared<restaged>, acc = registers>}
  // CHECK-DAG: nv_tileas.dealloc %[[A]]
  // CHECK-DAG: nv_tileas.dealloc %[[B]]
  // CHECK-NOT: nv_tileas.convert_layout
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @rounded(%va: !v32, %vb: !v32, %n: i32, %zero: tensor<64x64xf32, #acc>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #acc>) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 4>} : !v32[i32, i32] -> tensor<64x64xf32, #l>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 4>} : !v32[i32, i32] -> tensor<64x64xf32, #l>
      %xr = nv_tileas.fp_to_fp %x : tensor<64x64xf32, #l> -> tensor<64x64xtf32, #l>
      %yr = nv_tileas.fp_to_fp %y : tensor<64x64xf32, #l> -> tensor<64x64xtf32, #l>
      %a = nv_tileas.convert_layout %xr : tensor<64x64xtf32, #l> -> tensor<64x64xtf32, #a32>
      %b = nv_tileas.convert_layout %yr : tensor<64x64xtf32, #l> -> tensor<64x64xtf32, #b32>
      %d = nv_tileas.dot %a, %b, %acc {atom = #tf32} : tensor<64x64xtf32, #a32>, tensor<64x64xtf32, #b32>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
      scf.yield %d : tensor<64x64xf32, #acc>
    }
    nv_tileaa.return
  }

  // 64 KB of f16 would leave less for the pipeline: half of K at a time, in the same buffers.
  // CHECK-LABEL: nv_tileaa.func kernel @parts
  // CHECK: %[[S:.*]]:2 = nv_tileas.pipeline.wait
  // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<64x128xf16,
  // CHECK: %[[B:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x64xf16,
  // CHECK: nv_tileas.subview %[[S]]#0 [0, 0] : {{.*}} -> !nv_tileas.buffer<64x128xf8E4M3FN,
  // CHECK: nv_tileas.fp_to_fp {{.*}} -> tensor<64x128xf16,
  // CHECK: nv_tileas.subview %[[S]]#1 [0, 0] : {{.*}} -> !nv_tileas.buffer<128x64xf8E4M3FN,
  // CHECK: nv_tileas.fp_to_fp {{.*}} -> tensor<128x64xf16,
  // CHECK: %[[D:.*]] = nv_tileas.dot %[[A]], %[[B]],
  // CHECK: nv_tileas.subview %[[S]]#0 [0, 128]
  // CHECK: nv_tileas.subview %[[S]]#1 [128, 0]
  // CHECK: nv_tileas.dot %[[A]], %[[B]], %[[D]]
  // CHECK-NOT: nv_tileas.dot
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @parts(%va: !va, %vb: !vb, %n: i32, %zero: tensor<64x64xf32, #acc>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #acc>) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !va[i32, i32] -> tensor<64x256xf8E4M3FN, #w>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !vb[i32, i32] -> tensor<256x64xf8E4M3FN, #wb>
      %xr = nv_tileas.fp_to_fp %x : tensor<64x256xf8E4M3FN, #w> -> tensor<64x256xf16, #w>
      %yr = nv_tileas.fp_to_fp %y : tensor<256x64xf8E4M3FN, #wb> -> tensor<256x64xf16, #wb>
      %a = nv_tileas.convert_layout %xr : tensor<64x256xf16, #w> -> tensor<64x256xf16, #a16>
      %b = nv_tileas.convert_layout %yr : tensor<256x64xf16, #wb> -> tensor<256x64xf16, #b16>
      %d = nv_tileas.dot %a, %b, %acc {atom = #half} : tensor<64x256xf16, #a16>, tensor<256x64xf16, #b16>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
      scf.yield %d : tensor<64x64xf32, #acc>
    }
    nv_tileaa.return
  }
}
