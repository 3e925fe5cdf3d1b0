// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=3},tileas-shift-chained-dots)))' --remark-format=emitRemark --remarks-filter-missed=tileas 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
// The result expands: warps release slots, after the wait for the half.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=3},tileas-shift-chained-dots,tileas-expand-pipelines)))' | FileCheck %s --check-prefix=EXPAND

// Two results of the first dot exceed the registers of a thread.

#acc = #nv_tileas.layout<reg, [128, 128], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#rows = #nv_tileas.layout<reg, [128, 1], register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#s = #nv_tileas.layout<smem, [128, 128], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0], [0, 64]]>
#wgmma = #nv_tileas.mma_atom<wgmma, [64, 128, 16], a = bf16, b = bf16, c = f32>
!acc = tensor<128x128xf32, #acc>
!row = tensor<128x1xf32, #rows>
!a = tensor<128x128xbf16, #acc>
!ring = !nv_tileas.buffer<[3] 128x128xbf16, #s>
!slot = !nv_tileas.buffer<128x128xbf16, #s>
!p = !nv_tileas.pipeline<3, (buffer<128x128xbf16, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!map = !nv_tileas.tma_desc<128x64xbf16, order = [1, 0], swizzle = b128>
!future = !nv_tileas.future<tensor<128x128xf32, #acc>>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // CHECK-LABEL: nv_tileaa.func kernel @late
  // CHECK: %[[K:.*]] = nv_tileas.pipeline.create
  // CHECK: %[[V:.*]] = nv_tileas.pipeline.create
  // CHECK: scf.if
  // CHECK: %[[L:.*]]:{{.*}} = scf.for %[[I:.*]] = %{{.*}} iter_args(%[[O:[^ ]*]] = %{{.*}}, %[[S:[^ ]*]] = %{{[^ ]*}}, %{{[^ ]*}} = %{{[^ ]*}}) ->
  // Nothing starts before the weights are ready.
  // CHECK-NOT: nv_tileas.async.dot
  // CHECK: %[[X:.*]] = arith.mulf %[[S]],
  // CHECK: %[[E:.*]] = math.exp2 %[[X]]
  // CHECK: %[[E0:.*]] = nv_tileas.optimization_barrier %[[E]]
  // CHECK: %[[V1:.*]] = nv_tileas.pipeline.wait %[[V]]
  // CHECK: %[[K1:.*]] = nv_tileas.pipeline.wait %[[K]]
  // CHECK: %[[G:.*]] = nv_tileas.async.rescale %[[O]] by
  // The first half accumulates further; its last MMA may be in flight and is waited for.
  // CHECK: %[[LEFT:.*]] = nv_tileas.extract_slice %[[E0]][
  // CHECK: %[[LEFT0:.*]] = nv_tileas.optimization_barrier %[[LEFT]]
  // CHECK: %[[P0:.*]] = arith.truncf %[[LEFT0]] : tensor<128x64xf32
  // CHECK: %[[W0:.*]] = nv_tileas.subview %[[V1]] [0, 0]
  // CHECK: %[[H:.*]] = nv_tileas.async.dot %[[P0]], %[[W0]], %[[G]]
  // CHECK: %[[H0:.*]] = nv_tileas.dot_wait %[[H]] {pending = 1 : i32}
  // CHECK: %[[RIGHT:.*]] = nv_tileas.extract_slice %[[E0]][
  // CHECK: %[[RIGHT0:.*]] = nv_tileas.optimization_barrier %[[RIGHT]]
  // CHECK: %[[P1:.*]] = arith.truncf %[[RIGHT0]] : tensor<128x64xf32
  // The next first dot, and the other half, which alone stays in flight in the next iteration.
  // CHECK: %[[F1:.*]] = nv_tileas.async.dot %{{.*}}, %[[K1]], %{{.*}}
  // CHECK: %[[W1:.*]] = nv_tileas.subview %[[V1]] [64, 0]
  // CHECK: %[[O1:.*]] = nv_tileas.async.dot %[[P1]], %[[W1]], %[[H0]]
  // CHECK-NEXT: %[[S1:.*]] = nv_tileas.dot_wait %[[F1]] {pending = 1 : i32}
  // CHECK-NEXT: nv_tileas.pipeline.release %[[K]]
  // CHECK: nv_tileas.pipeline.release %[[V]]{{.*}} {consumer = 0 : i32, pending = 1 : i32}
  // CHECK-NOT: nv_tileas.async.dot
  // CHECK: %[[NEXT:.*]] = nv_tileas.optimization_barrier %{{.*}} : i32
  // CHECK: scf.yield %[[O1]], {{.*}}, %[[S1]], %[[NEXT]] :
  // The last iteration has both dots in the original order.
  // CHECK: nv_tileas.dot_wait %[[L]]#0 {pending = 0 : i32}
  // CHECK: nv_tileas.async.dot %{{.*}} : tensor<128x128xbf16
  // CHECK-NOT: nv_tileas.async.dot
  // CHECK: nv_tileaa.return

  // EXPAND-LABEL: nv_tileaa.func kernel @late
  // EXPAND: scf.for
  // EXPAND: nv_tileas.async.rescale
  // EXPAND: nv_tileas.async.dot
  // EXPAND: nv_tileas.dot_wait
  // EXPAND-NEXT: nv_tileas.mbarrier.slot
  // EXPAND: nv_tileas.mbarrier.arrive
  // EXPAND-COUNT-2: nv_tileas.async.dot
  // EXPAND-NOT: nv_tileas.barrier
  // EXPAND: nv_tileas.async.tma_load
  // EXPAND-NOT: nv_tileas.barrier
  // EXPAND: scf.yield
  nv_tileaa.func kernel @late(%mk: !map, %mv: !map, %q: !a, %n: i32, %zero: !acc, %scale: !acc, %low: !row) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c128 = arith.constant 128 : i32
    %bk = nv_tileas.alloc_tensor : !ring
    %pk = nv_tileas.pipeline.create %bk {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !ring -> !p
    %kp0 = nv_tileas.pipeline.iterator %pk producer : !p -> !i
    %kc0 = nv_tileas.pipeline.iterator %pk consumer : !p -> !i
    %bv = nv_tileas.alloc_tensor : !ring
    %pv = nv_tileas.pipeline.create %bv {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !ring -> !p
    %vp0 = nv_tileas.pipeline.iterator %pv producer : !p -> !i
    %vc0 = nv_tileas.pipeline.iterator %pv consumer : !p -> !i
    %r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%o = %zero, %m = %low, %kp = %kp0, %kc = %kc0, %vp = %vp0, %vc = %vc0) -> (!acc, !row, !i, !i, !i, !i) : i32 {
      %at = arith.muli %i, %c128 : i32
      %wk = nv_tileas.pipeline.acquire %pk[%kp] : !p -> !slot
      %tk = nv_tileas.async.tma_load %mk[%c0, %at] into %wk : !map -> !slot
      nv_tileas.pipeline.commit %pk[%kp] : !p
      %kp1 = nv_tileas.pipeline.advance %kp : !i
      %wv = nv_tileas.pipeline.acquire %pv[%vp] : !p -> !slot
      %tv = nv_tileas.async.tma_load %mv[%c0, %at] into %wv : !map -> !slot
      nv_tileas.pipeline.commit %pv[%vp] : !p
      %vp1 = nv_tileas.pipeline.advance %vp : !i
      %k = nv_tileas.pipeline.wait %pk[%kc] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %f = nv_tileas.async.dot %q, %k, %zero {atom = #wgmma} : !a, !slot, !acc -> !future
      %s = nv_tileas.dot_wait %f {pending = 0 : i32} : !future -> !acc
      nv_tileas.pipeline.release %pk[%kc] {consumer = 0 : i32, pending = 0 : i32} : !p
      %kc1 = nv_tileas.pipeline.advance %kc : !i
      %x = arith.mulf %s, %scale : !acc
      %e = math.exp2 %x : !acc
      %p = arith.truncf %e : !acc to !a
      // After the stores of the second dot's operand.
      %sum = arith.mulf %m, %m : !row
      %b = nv_tileas.broadcast %sum : !row -> !acc
      %y = arith.mulf %b, %o : !acc
      %v = nv_tileas.pipeline.wait %pv[%vc] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %g = nv_tileas.async.dot %p, %v, %y {atom = #wgmma} : !a, !slot, !acc -> !future
      %d = nv_tileas.dot_wait %g {pending = 0 : i32} : !future -> !acc
      nv_tileas.pipeline.release %pv[%vc] {consumer = 0 : i32, pending = 0 : i32} : !p
      %vc1 = nv_tileas.pipeline.advance %vc : !i
      scf.yield %d, %sum, %kp1, %kc1, %vp1, %vc1 : !acc, !row, !i, !i, !i, !i
    }
    nv_tileas.dealloc %bv : !ring
    nv_tileas.dealloc %bk : !ring
    nv_tileaa.return
  }

  // Threads that rescale the accumulator in any case would wait for all of it.
  // CHECK-LABEL: nv_tileaa.func kernel @each
  // CHECK-NOT: scf.if
  // CHECK: nv_tileaa.return
  // WHY: too few registers, and threads rescale the accumulator in every iteration
  nv_tileaa.func kernel @each(%mk: !map, %mv: !map, %q: !a, %n: i32, %zero: !acc, %scale: !acc, %low: !row) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c128 = arith.constant 128 : i32
    %bk = nv_tileas.alloc_tensor : !ring
    %pk = nv_tileas.pipeline.create %bk {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !ring -> !p
    %kp0 = nv_tileas.pipeline.iterator %pk producer : !p -> !i
    %kc0 = nv_tileas.pipeline.iterator %pk consumer : !p -> !i
    %bv = nv_tileas.alloc_tensor : !ring
    %pv = nv_tileas.pipeline.create %bv {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !ring -> !p
    %vp0 = nv_tileas.pipeline.iterator %pv producer : !p -> !i
    %vc0 = nv_tileas.pipeline.iterator %pv consumer : !p -> !i
    %r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%o = %zero, %m = %low, %kp = %kp0, %kc = %kc0, %vp = %vp0, %vc = %vc0) -> (!acc, !row, !i, !i, !i, !i) : i32 {
      %at = arith.muli %i, %c128 : i32
      %wk = nv_tileas.pipeline.acquire %pk[%kp] : !p -> !slot
      %tk = nv_tileas.async.tma_load %mk[%c0, %at] into %wk : !map -> !slot
      nv_tileas.pipeline.commit %pk[%kp] : !p
      %kp1 = nv_tileas.pipeline.advance %kp : !i
      %wv = nv_tileas.pipeline.acquire %pv[%vp] : !p -> !slot
      %tv = nv_tileas.async.tma_load %mv[%c0, %at] into %wv : !map -> !slot
      nv_tileas.pipeline.commit %pv[%vp] : !p
      %vp1 = nv_tileas.pipeline.advance %vp : !i
      %k = nv_tileas.pipeline.wait %pk[%kc] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %f = nv_tileas.async.dot %q, %k, %zero {atom = #wgmma} : !a, !slot, !acc -> !future
      %s = nv_tileas.dot_wait %f {pending = 0 : i32} : !future -> !acc
      nv_tileas.pipeline.release %pk[%kc] {consumer = 0 : i32, pending = 0 : i32} : !p
      %kc1 = nv_tileas.pipeline.advance %kc : !i
      %x = arith.mulf %s, %scale : !acc
      %e = math.exp2 %x : !acc
      %p = arith.truncf %e : !acc to !a
      // After the stores of the second dot's operand.
      %sum = arith.mulf %m, %m : !row
      %y = arith.mulf %e, %o : !acc
      %v = nv_tileas.pipeline.wait %pv[%vc] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %g = nv_tileas.async.dot %p, %v, %y {atom = #wgmma} : !a, !slot, !acc -> !future
      %d = nv_tileas.dot_wait %g {pending = 0 : i32} : !future -> !acc
      nv_tileas.pipeline.release %pv[%vc] {consumer = 0 : i32, pending = 0 : i32} : !p
      %vc1 = nv_tileas.pipeline.advance %vc : !i
      scf.yield %d, %sum, %kp1, %kc1, %vp1, %vc1 : !acc, !row, !i, !i, !i, !i
    }
    nv_tileas.dealloc %bv : !ring
    nv_tileas.dealloc %bk : !ring
    nv_tileaa.return
  }

  // A tile that is read after the second dot has registers of its own.
  // CHECK-LABEL: nv_tileaa.func kernel @kept
  // CHECK-NOT: scf.if
  // CHECK: nv_tileaa.return
  // WHY: a thread would hold 256 registers of dots
  nv_tileaa.func kernel @kept(%mk: !map, %mv: !map, %q: !a, %n: i32, %zero: !acc, %scale: !acc, %low: !row) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c128 = arith.constant 128 : i32
    %bk = nv_tileas.alloc_tensor : !ring
    %pk = nv_tileas.pipeline.create %bk {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !ring -> !p
    %kp0 = nv_tileas.pipeline.iterator %pk producer : !p -> !i
    %kc0 = nv_tileas.pipeline.iterator %pk consumer : !p -> !i
    %bv = nv_tileas.alloc_tensor : !ring
    %pv = nv_tileas.pipeline.create %bv {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !ring -> !p
    %vp0 = nv_tileas.pipeline.iterator %pv producer : !p -> !i
    %vc0 = nv_tileas.pipeline.iterator %pv consumer : !p -> !i
    %r:7 = scf.for %i = %c0 to %n step %c1 iter_args(%o = %zero, %m = %low, %all = %zero, %kp = %kp0, %kc = %kc0, %vp = %vp0, %vc = %vc0) -> (!acc, !row, !acc, !i, !i, !i, !i) : i32 {
      %at = arith.muli %i, %c128 : i32
      %wk = nv_tileas.pipeline.acquire %pk[%kp] : !p -> !slot
      %tk = nv_tileas.async.tma_load %mk[%c0, %at] into %wk : !map -> !slot
      nv_tileas.pipeline.commit %pk[%kp] : !p
      %kp1 = nv_tileas.pipeline.advance %kp : !i
      %wv = nv_tileas.pipeline.acquire %pv[%vp] : !p -> !slot
      %tv = nv_tileas.async.tma_load %mv[%c0, %at] into %wv : !map -> !slot
      nv_tileas.pipeline.commit %pv[%vp] : !p
      %vp1 = nv_tileas.pipeline.advance %vp : !i
      %k = nv_tileas.pipeline.wait %pk[%kc] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %f = nv_tileas.async.dot %q, %k, %zero {atom = #wgmma} : !a, !slot, !acc -> !future
      %s = nv_tileas.dot_wait %f {pending = 0 : i32} : !future -> !acc
      nv_tileas.pipeline.release %pk[%kc] {consumer = 0 : i32, pending = 0 : i32} : !p
      %kc1 = nv_tileas.pipeline.advance %kc : !i
      %x = arith.mulf %s, %scale : !acc
      %e = math.exp2 %x : !acc
      %p = arith.truncf %e : !acc to !a
      // After the stores of the second dot's operand.
      %sum = arith.mulf %m, %m : !row
      %b = nv_tileas.broadcast %sum : !row -> !acc
      %y = arith.mulf %b, %o : !acc
      %v = nv_tileas.pipeline.wait %pv[%vc] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %g = nv_tileas.async.dot %p, %v, %y {atom = #wgmma} : !a, !slot, !acc -> !future
      %old = arith.addf %all, %e : !acc
      %d = nv_tileas.dot_wait %g {pending = 0 : i32} : !future -> !acc
      nv_tileas.pipeline.release %pv[%vc] {consumer = 0 : i32, pending = 0 : i32} : !p
      %vc1 = nv_tileas.pipeline.advance %vc : !i
      scf.yield %d, %sum, %old, %kp1, %kc1, %vp1, %vc1 : !acc, !row, !acc, !i, !i, !i, !i
    }
    nv_tileas.dealloc %bv : !ring
    nv_tileas.dealloc %bk : !ring
    nv_tileaa.return
  }
}
