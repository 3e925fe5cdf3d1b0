// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' | FileCheck %s
// Dots of multiply-adds with operands through shared memory: they read the slots of a pipeline.

#fma = #nv_tileas.mma_atom<fma, [1, 1, 1], a = f32, b = f32, c = f32>
#c = #nv_tileas.layout<reg, [32, 32], register = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
#lt = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [4, 1], lanes = [8, 4], warps = [1, 1], order = [0, 1]>>
#s = #nv_tileas.layout<smem, [32, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0]]>
#t = #nv_tileas.layout<smem, [32, 32], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [4, 1], [8, 2], [16, 4], [0, 8], [0, 16]]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>, padding = zero>
!s = !nv_tileas.buffer<32x32xf32, #s>
!t = !nv_tileas.buffer<32x32xf32, #t>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  // Three stages of both operands; the program's buffers are gone. B is N x K: the dot reads its slot through a permutation.
  // CHECK-LABEL: nv_tileaa.func kernel @both
  // CHECK-COUNT-2: nv_tileas.alloc_tensor : !nv_tileas.buffer<[3] 32x32xf32,
  // CHECK-NOT: nv_tileas.alloc_tensor
  // CHECK: scf.for
  // CHECK-COUNT-2: nv_tileas.async.copy
  // CHECK: %[[SLOTS:.*]]:2 = nv_tileas.pipeline.wait
  // CHECK-NEXT: %[[B:.*]] = nv_tileas.permute %[[SLOTS]]#1 [1, 0]
  // CHECK-NOT: nv_tileas.copy
  // CHECK: nv_tileas.dot %[[SLOTS]]#0, %[[B]],
  // CHECK-NEXT: nv_tileas.pipeline.release
  nv_tileaa.func kernel @both(%va: !v, %vb: !v, %n: i32, %zero: tensor<32x32xf32, #c>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 4>} : !v[i32, i32] -> tensor<32x32xf32, #l>
      %y, %ty = nv_tileas.tiled_load weak %vb[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 4>} : !v[i32, i32] -> tensor<32x32xf32, #l>
      %z = nv_tileas.permute %y [1, 0] : tensor<32x32xf32, #l> -> tensor<32x32xf32, #lt>
      %a = nv_tileas.alloc_tensor : !s
      nv_tileas.copy %x, %a : tensor<32x32xf32, #l>, !s
      %b = nv_tileas.alloc_tensor : !t
      nv_tileas.copy %z, %b : tensor<32x32xf32, #lt>, !t
      %d = nv_tileas.dot %a, %b, %acc {atom = #fma} : !s, !t, tensor<32x32xf32, #c> -> tensor<32x32xf32, #c>
      nv_tileas.dealloc %a : !s
      nv_tileas.dealloc %b : !t
      scf.yield %d : tensor<32x32xf32, #c>
    }
    nv_tileaa.return
  }

  // A computed operand goes to its buffer as before, beside the pipeline of the other one.
  // CHECK-LABEL: nv_tileaa.func kernel @one
  // CHECK: nv_tileas.alloc_tensor : !nv_tileas.buffer<[3] 32x32xf32,
  // CHECK: scf.for
  // CHECK: %[[SLOT:.*]] = nv_tileas.pipeline.wait
  // CHECK: %[[OWN:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<32x32xf32,
  // CHECK: nv_tileas.copy %{{.*}}, %[[OWN]]
  // CHECK: nv_tileas.dot %[[SLOT]], %[[OWN]],
  // CHECK: nv_tileas.dealloc %[[OWN]]
  nv_tileaa.func kernel @one(%va: !v, %y: tensor<32x32xf32, #l>, %n: i32, %zero: tensor<32x32xf32, #c>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32, #c>) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 4>} : !v[i32, i32] -> tensor<32x32xf32, #l>
      %a = nv_tileas.alloc_tensor : !s
      nv_tileas.copy %x, %a : tensor<32x32xf32, #l>, !s
      %b = nv_tileas.alloc_tensor : !s
      nv_tileas.copy %y, %b : tensor<32x32xf32, #l>, !s
      %d = nv_tileas.dot %a, %b, %acc {atom = #fma} : !s, !s, tensor<32x32xf32, #c> -> tensor<32x32xf32, #c>
      nv_tileas.dealloc %a : !s
      nv_tileas.dealloc %b : !s
      scf.yield %d : tensor<32x32xf32, #c>
    }
    nv_tileaa.return
  }
}
