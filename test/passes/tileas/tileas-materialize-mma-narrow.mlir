// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' | FileCheck %s
// wgmma with elements of other than 16 bits, which needs K contiguous.

#bytes = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = i8, b = i8, c = i32>
#float8 = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = f8E4M3FN, b = f8E5M2, c = f32>
#half = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f16>
#tf32 = #nv_tileas.mma_atom<mma_sync, [16, 8, 8], a = tf32, b = tf32, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 16], lanes = [8, 4], warps = [4, 1], order = [1, 0]>>
#w = #nv_tileas.layout<reg, [64, 256], blocked<per_thread = [1, 16], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
#wb = #nv_tileas.layout<reg, [256, 64], blocked<per_thread = [1, 16], lanes = [8, 4], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#bytes, acc, warps = [4, 1]>>
#a8 = #nv_tileas.layout<reg, [64, 64], mma<#bytes, a, warps = [4, 1]>>
#b8 = #nv_tileas.layout<reg, [64, 64], mma<#bytes, b, warps = [4, 1]>>
#wa8 = #nv_tileas.layout<reg, [64, 256], mma<#bytes, a, warps = [4, 1]>>
#wb8 = #nv_tileas.layout<reg, [256, 64], mma<#bytes, b, warps = [4, 1]>>
#a32 = #nv_tileas.layout<reg, [64, 64], mma<#tf32, a, warps = [4, 1]>>
#b32 = #nv_tileas.layout<reg, [64, 64], mma<#tf32, b, warps = [4, 1]>>
#lt = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [16, 1], lanes = [4, 8], warps = [1, 4], order = [0, 1]>>
!v8 = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xi8, strides = [?, 1]>, padding = zero>
!va = !nv_tileaa.tiled_view<64x256 of !nv_tileaa.memref<?x?xf8E4M3FN, strides = [?, 1]>, padding = zero>
!vb = !nv_tileaa.tiled_view<256x64 of !nv_tileaa.memref<?x?xf8E5M2, strides = [?, 1]>, padding = zero>
!vh = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xf8E4M3FN, strides = [?, 1]>, padding = zero>
!m32 = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!v32 = !nv_tileaa.tiled_view<64x64 of !m32, padding = zero>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // B has N contiguous: it is restaged through registers into a buffer with K contiguous.
  // Two buffers alternate, because the previous MMA may still read the other one.
  // CHECK-LABEL: nv_tileaa.func kernel @bytes
  // CHECK: %[[BOTH:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<[2] 64x64xi8,
  // CHECK: scf.for {{.*}}, %[[TURN:[a-z0-9]+]] = %c0_i32{{[_0-9]*}})
  // CHECK: %[[S:.*]]:2 = nv_tileas.pipeline.wait
  // CHECK-NEXT: %[[T:.*]] = nv_tileas.copy %[[S]]#1 : {{.*}} -> tensor<64x64xi8,
  // CHECK-NEXT: %[[B:.*]] = nv_tileas.view %[[BOTH]][%[[TURN]]] {ring}
  // CHECK-NEXT: nv_tileas.copy %[[T]], %[[B]]
  // CHECK-NEXT: nv_tileas.fence proxy_async_shared
  // CHECK-NEXT: nv_tileas.barrier agent
  // CHECK-NEXT: %[[F:.*]] = nv_tileas.async.dot %[[S]]#0, %[[B]], %{{.*}} {atom = #nv_tileas.mma_atom<wgmma, [64, 64, 32], a = i8, b = i8, c = i32>, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<unsigned>}
  // CHECK-NEXT: nv_tileas.dot_wait %[[F]] {pending = 1 : i32}
  // CHECK-NEXT: nv_tileas.pipeline.release {{.*}} {consumer = 0 : i32, pending = 1 : i32}
  // CHECK: arith.xori %[[TURN]],
  // CHECK: nv_tileas.dealloc %[[BOTH]]
  nv_tileaa.func kernel @bytes(%va: !v8, %vb: !v8, %n: i32, %zero: tensor<64x64xi32, #acc>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xi32, #acc>) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v8[i32, i32] -> tensor<64x64xi8, #l>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v8[i32, i32] -> tensor<64x64xi8, #l>
      %a = nv_tileas.convert_layout %x : tensor<64x64xi8, #l> -> tensor<64x64xi8, #a8>
      %b = nv_tileas.convert_layout %y : tensor<64x64xi8, #l> -> tensor<64x64xi8, #b8>
      %d = nv_tileas.dot %a, %b, %acc {atom = #bytes, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<unsigned>} : tensor<64x64xi8, #a8>, tensor<64x64xi8, #b8>, tensor<64x64xi32, #acc> -> tensor<64x64xi32, #acc>
      scf.yield %d : tensor<64x64xi32, #acc>
    }
    nv_tileaa.return
  }

  // Every 128 steps of K are a separate dot, added to the accumulator in f32.
  // CHECK-LABEL: nv_tileaa.func kernel @promoted
  // CHECK: scf.for {{.*}} iter_args(%[[ACC:[a-z0-9]+]] =
  // CHECK: %[[S:.*]]:2 = nv_tileas.pipeline.wait
  // CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32
  // CHECK: %[[X:.*]] = nv_tileas.subview %[[S]]#0 [0, 0] : {{.*}} -> !nv_tileas.buffer<64x128xf8E4M3FN,
  // CHECK: %[[Y:.*]] = nv_tileas.subview %[[B:.*]] [0, 0] : {{.*}} -> !nv_tileas.buffer<128x64xf8E5M2,
  // CHECK: %[[F:.*]] = nv_tileas.async.dot %[[X]], %[[Y]], %[[Z]] {atom = #nv_tileas.mma_atom<wgmma, [64, 64, 32], a = f8E4M3FN, b = f8E5M2, c = f32>}
  // CHECK: %[[P:.*]] = nv_tileas.dot_wait %[[F]] {pending = 0 : i32}
  // CHECK: %[[SUM:.*]] = arith.addf %[[ACC]], %[[P]]
  // CHECK: nv_tileas.subview %[[S]]#0 [0, 128]
  // CHECK: nv_tileas.subview %[[B]] [128, 0]
  // CHECK: %[[F1:.*]] = nv_tileas.async.dot
  // CHECK: %[[P1:.*]] = nv_tileas.dot_wait %[[F1]] {pending = 0 : i32}
  // CHECK: %[[SUM1:.*]] = arith.addf %[[SUM]], %[[P1]]
  // CHECK: scf.yield %[[SUM1]],
  nv_tileaa.func kernel @promoted(%va: !va, %vb: !vb, %n: i32, %zero: tensor<64x64xf32, #acc>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #acc>) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !va[i32, i32] -> tensor<64x256xf8E4M3FN, #w>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !vb[i32, i32] -> tensor<256x64xf8E5M2, #wb>
      %a = nv_tileas.convert_layout %x : tensor<64x256xf8E4M3FN, #w> -> tensor<64x256xf8E4M3FN, #wa8>
      %b = nv_tileas.convert_layout %y : tensor<256x64xf8E5M2, #wb> -> tensor<256x64xf8E5M2, #wb8>
      %d = nv_tileas.dot %a, %b, %acc {atom = #float8} : tensor<64x256xf8E4M3FN, #wa8>, tensor<256x64xf8E5M2, #wb8>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
      scf.yield %d : tensor<64x64xf32, #acc>
    }
    nv_tileaa.return
  }

  // Not if the program does not request it.
  // CHECK-LABEL: nv_tileaa.func kernel @fast
  // CHECK: scf.for {{.*}} iter_args(%[[ACC:[a-z0-9]+]] =
  // CHECK: nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[ACC]] {
  // CHECK-NOT: arith.addf
  // CHECK: scf.yield
  nv_tileaa.func kernel @fast(%va: !va, %vb: !vb, %n: i32, %zero: tensor<64x64xf32, #acc>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #acc>) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !va[i32, i32] -> tensor<64x256xf8E4M3FN, #w>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !vb[i32, i32] -> tensor<256x64xf8E5M2, #wb>
      %a = nv_tileas.convert_layout %x : tensor<64x256xf8E4M3FN, #w> -> tensor<64x256xf8E4M3FN, #wa8>
      %b = nv_tileas.convert_layout %y : tensor<256x64xf8E5M2, #wb> -> tensor<256x64xf8E5M2, #wb8>
      %d = nv_tileas.dot %a, %b, %acc {atom = #float8, fast_acc} : tensor<64x256xf8E4M3FN, #wa8>, tensor<256x64xf8E5M2, #wb8>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
      scf.yield %d : tensor<64x64xf32, #acc>
    }
    nv_tileaa.return
  }

  // B with K contiguous is read from its slot, and the MMA stays in flight in the next iteration.
  // CHECK-LABEL: nv_tileaa.func kernel @transposed
  // CHECK: scf.for
  // CHECK: %[[S:.*]]:2 = nv_tileas.pipeline.wait
  // CHECK-NEXT: %[[B:.*]] = nv_tileas.permute %[[S]]#1 [1, 0]
  // CHECK-NEXT: nv_tileas.async.dot %[[S]]#0, %[[B]],
  // CHECK-NEXT: nv_tileas.dot_wait {{.*}} {pending = 1 : i32}
  nv_tileaa.func kernel @transposed(%va: !v8, %vb: !v8, %n: i32, %zero: tensor<64x64xi32, #acc>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xi32, #acc>) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v8[i32, i32] -> tensor<64x64xi8, #l>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v8[i32, i32] -> tensor<64x64xi8, #l>
      %z = nv_tileas.permute %y [1, 0] : tensor<64x64xi8, #l> -> tensor<64x64xi8, #lt>
      %a = nv_tileas.convert_layout %x : tensor<64x64xi8, #l> -> tensor<64x64xi8, #a8>
      %b = nv_tileas.convert_layout %z : tensor<64x64xi8, #lt> -> tensor<64x64xi8, #b8>
      %d = nv_tileas.dot %a, %b, %acc {atom = #bytes, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<unsigned>} : tensor<64x64xi8, #a8>, tensor<64x64xi8, #b8>, tensor<64x64xi32, #acc> -> tensor<64x64xi32, #acc>
      scf.yield %d : tensor<64x64xi32, #acc>
    }
    nv_tileaa.return
  }

  // The MMA accumulates in f16.
  // CHECK-LABEL: nv_tileaa.func kernel @half
  // CHECK: nv_tileas.async.dot {{.*}} {atom = #nv_tileas.mma_atom<wgmma, [64, 64, 32], a = f8E4M3FN, b = f8E4M3FN, c = f16>}
  // CHECK-NOT: arith.addf
  // CHECK: scf.yield
  nv_tileaa.func kernel @half(%va: !vh, %vb: !vh, %n: i32, %zero: tensor<64x64xf16, #acc>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf16, #acc>) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !vh[i32, i32] -> tensor<64x64xf8E4M3FN, #l>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !vh[i32, i32] -> tensor<64x64xf8E4M3FN, #l>
      %a = nv_tileas.convert_layout %x : tensor<64x64xf8E4M3FN, #l> -> tensor<64x64xf8E4M3FN, #a8>
      %b = nv_tileas.convert_layout %y : tensor<64x64xf8E4M3FN, #l> -> tensor<64x64xf8E4M3FN, #b8>
      %d = nv_tileas.dot %a, %b, %acc {atom = #half} : tensor<64x64xf8E4M3FN, #a8>, tensor<64x64xf8E4M3FN, #b8>, tensor<64x64xf16, #acc> -> tensor<64x64xf16, #acc>
      scf.yield %d : tensor<64x64xf16, #acc>
    }
    nv_tileaa.return
  }

  // TMA copies round f32 to tf32 if there is no other reader.
  // CHECK-LABEL: nv_tileaa.func kernel @rounded
  // CHECK: nv_tileas.make_tiled_tma_desc %{{.*}} : {{.*}} of !nv_tileaa.memref<?x?xf32, {{.*}} -> !nv_tileas.tma_desc<64x32xtf32,
  // CHECK: nv_tileas.pipeline.create {{.*}} : !nv_tileas.buffer<[{{.*}}] 64x64xtf32,
  // CHECK: scf.for
  // CHECK-NOT: fp_to_fp
  // CHECK: nv_tileas.async.dot {{.*}} {atom = #nv_tileas.mma_atom<wgmma, [64, 64, 8], a = tf32, b = tf32, c = f32>}
  // A reader of the unrounded numbers gets them, and rounds itself.
  // CHECK-LABEL: nv_tileaa.func kernel @read_twice
  // CHECK-NOT: tma_desc<{{.*}}xtf32,
  // CHECK: scf.for
  // CHECK: nv_tileas.fp_to_fp
  // CHECK: nv_tileas.fp_to_fp
  nv_tileaa.func kernel @rounded(%p: !nv_tileaa.ptr<f32>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %zero: tensor<64x64xf32, #acc>, %other: tensor<64x64xf32, #l>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i64
    %r32 = nv_tileas.assume %rows [#nv_tileaa.bounded<0, ?>] : i32
    %k32 = nv_tileas.assume %cols [#nv_tileaa.bounded<0, ?>] : i32
    %r = arith.extui %r32 : i32 to i64
    %k = arith.extui %k32 : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%r, %k] strides[%ld] : !nv_tileaa.ptr<f32> -> !m32
    %v = nv_tileas.block_tile %m : !m32 -> !v32
    %trips = arith.ceildivui %k, %c64 : i64
    %n = arith.trunci %trips : i64 to i32
    %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %all = %other) -> (tensor<64x64xf32, #acc>, tensor<64x64xf32, #l>) : i32 {
      %e, %te = nv_tileas.tiled_load weak %v[%x, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v32[i32, i32] -> tensor<64x64xf32, #l>
      %g, %tg = nv_tileas.tiled_load weak %v[%i, %x] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v32[i32, i32] -> tensor<64x64xf32, #l>
      %er = nv_tileas.fp_to_fp %e : tensor<64x64xf32, #l> -> tensor<64x64xtf32, #l>
      %gr = nv_tileas.fp_to_fp %g : tensor<64x64xf32, #l> -> tensor<64x64xtf32, #l>
      %a = nv_tileas.convert_layout %er : tensor<64x64xtf32, #l> -> tensor<64x64xtf32, #a32>
      %b = nv_tileas.convert_layout %gr : tensor<64x64xtf32, #l> -> tensor<64x64xtf32, #b32>
      %d = nv_tileas.dot %a, %b, %acc {atom = #tf32} : tensor<64x64xtf32, #a32>, tensor<64x64xtf32, #b32>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
      scf.yield %d, %all : tensor<64x64xf32, #acc>, tensor<64x64xf32, #l>
    }
    nv_tileaa.return
  }

  nv_tileaa.func kernel @read_twice(%p: !nv_tileaa.ptr<f32>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %zero: tensor<64x64xf32, #acc>, %other: tensor<64x64xf32, #l>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i64
    %r32 = nv_tileas.assume %rows [#nv_tileaa.bounded<0, ?>] : i32
    %k32 = nv_tileas.assume %cols [#nv_tileaa.bounded<0, ?>] : i32
    %r = arith.extui %r32 : i32 to i64
    %k = arith.extui %k32 : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%r, %k] strides[%ld] : !nv_tileaa.ptr<f32> -> !m32
    %v = nv_tileas.block_tile %m : !m32 -> !v32
    %trips = arith.ceildivui %k, %c64 : i64
    %n = arith.trunci %trips : i64 to i32
    %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %all = %other) -> (tensor<64x64xf32, #acc>, tensor<64x64xf32, #l>) : i32 {
      %e, %te = nv_tileas.tiled_load weak %v[%x, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v32[i32, i32] -> tensor<64x64xf32, #l>
      %g, %tg = nv_tileas.tiled_load weak %v[%i, %x] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v32[i32, i32] -> tensor<64x64xf32, #l>
      %er = nv_tileas.fp_to_fp %e : tensor<64x64xf32, #l> -> tensor<64x64xtf32, #l>
      %gr = nv_tileas.fp_to_fp %g : tensor<64x64xf32, #l> -> tensor<64x64xtf32, #l>
      %a = nv_tileas.convert_layout %er : tensor<64x64xtf32, #l> -> tensor<64x64xtf32, #a32>
      %b = nv_tileas.convert_layout %gr : tensor<64x64xtf32, #l> -> tensor<64x64xtf32, #b32>
      %d = nv_tileas.dot %a, %b, %acc {atom = #tf32} : tensor<64x64xtf32, #a32>, tensor<64x64xtf32, #b32>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
      %h = arith.addf %e, %g : tensor<64x64xf32, #l>
      %more = arith.addf %all, %h : tensor<64x64xf32, #l>
      scf.yield %d, %more : tensor<64x64xf32, #acc>, tensor<64x64xf32, #l>
    }
    nv_tileaa.return
  }
}
