// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=3},tileas-shift-chained-dots)))' | FileCheck %s
// The former name.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=3},tileas-skew-products)))' | FileCheck %s
// The result expands: the states of the slots are right.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=3},tileas-shift-chained-dots,tileas-expand-pipelines)))' | FileCheck %s --check-prefix=EXPAND
// Copies that run one iteration ahead do not fetch the operand of the next one.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=2},tileas-shift-chained-dots)))' | FileCheck %s --check-prefix=NEAR
// With flushed subnormals, scaling the accumulator by one changes it.
// RUN: sed 's/"sm_90a"/"sm_90a", nv_tileaa.ftz/' %s | %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=3},tileas-shift-chained-dots)))' | FileCheck %s --check-prefix=FLUSH

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
#rows = #nv_tileas.layout<reg, [64, 1], register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#wgmma = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
!acc = tensor<64x64xf32, #acc>
!row = tensor<64x1xf32, #rows>
!sum = tensor<64xf32, #nv_tileas.layout<reg, [64], register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]]>>
!a = tensor<64x64xbf16, #acc>
!ring = !nv_tileas.buffer<[3] 64x64xbf16, #s>
!slot = !nv_tileas.buffer<64x64xbf16, #s>
!p = !nv_tileas.pipeline<3, (buffer<64x64xbf16, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!map = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
!future = !nv_tileas.future<tensor<64x64xf32, #acc>>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // CHECK-LABEL: nv_tileaa.func kernel @attention
  // CHECK: %[[K:.*]] = nv_tileas.pipeline.create
  // CHECK: %[[V:.*]] = nv_tileas.pipeline.create
  // CHECK: %[[R:.*]]:2 = scf.if %{{.*}}
  // CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
  // Its operands are copied one iteration further ahead.
  // CHECK: nv_tileas.pipeline.acquire %[[K]][%[[KP:.*]]] if
  // CHECK: nv_tileas.pipeline.commit %[[K]][%[[KP]]] if
  // The prologue's first dot.
  // CHECK: %[[K0:.*]] = nv_tileas.pipeline.wait %[[K]]
  // CHECK: %[[F0:.*]] = nv_tileas.async.dot %{{.*}}, %[[K0]], %{{.*}}
  // CHECK: %[[S0:.*]] = nv_tileas.dot_wait %[[F0]] {pending = 0 : i32}
  // CHECK: nv_tileas.pipeline.release %[[K]]
  // CHECK: nv_tileas.pipeline.advance %[[KP]]
  // CHECK: %[[O0:.*]] = nv_tileas.async.to_async
  // CHECK: %[[L:.*]]:{{.*}} = scf.for %{{.*}} = %{{.*}} to %[[LAST]] {{.*}} iter_args(%[[O:.*]] = %[[O0]], {{.*}}, %[[S:[^ ]*]] = %[[S0]])
  // The next one as soon as the registers of this one are no longer read.
  // CHECK: %[[X:.*]] = arith.mulf %[[S]],
  // CHECK: %[[K1:.*]] = nv_tileas.pipeline.wait %[[K]]
  // CHECK: %[[F1:.*]] = nv_tileas.async.dot %{{.*}}, %[[K1]], %{{.*}}
  // CHECK: %[[E:.*]] = math.exp2 %[[X]]
  // The slot of the second dot, its accumulator, and then its operand.
  // CHECK: %[[V1:.*]] = nv_tileas.pipeline.wait %[[V]]
  // CHECK-NEXT: %[[SUM:.*]] = nv_tileas.dot_wait %[[O]] {pending = 0 : i32}
  // CHECK-NEXT: %[[S1:.*]] = nv_tileas.dot_wait %[[F1]] {pending = 0 : i32}
  // CHECK-NEXT: nv_tileas.pipeline.release %[[K]]{{.*}} {consumer = 0 : i32, pending = 0 : i32}
  // CHECK: %[[E1:.*]] = nv_tileas.optimization_barrier %[[E]]
  // CHECK: arith.truncf %[[E1]]
  // CHECK: arith.mulf %[[SUM]], %[[E1]]
  // Sums that the second dot does not need follow its start.
  // CHECK: %[[O1:.*]] = nv_tileas.async.dot %{{.*}}, %[[V1]],
  // CHECK-NEXT: arith.addf %{{.*}}, %[[E1]] :
  // CHECK-NEXT: nv_tileas.pipeline.release %[[V]]{{.*}} {consumer = 0 : i32, pending = 1 : i32}
  // Copies come last, those of the first dot one iteration further ahead.
  // CHECK: nv_tileas.pipeline.acquire %[[K]]
  // CHECK: nv_tileas.pipeline.acquire %[[V]]
  // CHECK: scf.yield %[[O1]], {{.*}}, %[[S1]] :
  // The last iteration starts no dot of a next one, and copies nothing.
  // CHECK: arith.mulf %[[L]]#{{[0-9]*}},
  // CHECK-NOT: nv_tileas.pipeline.acquire
  // CHECK: nv_tileas.pipeline.wait %[[V]]
  // CHECK: nv_tileas.dot_wait %[[L]]#0 {pending = 0 : i32}
  // CHECK: %[[D:.*]] = nv_tileas.async.dot
  // CHECK: nv_tileas.dot_wait %[[D]] {pending = 0 : i32}
  // CHECK-NOT: nv_tileas.async.dot
  // CHECK: } else {
  // CHECK: nv_tileaa.return

  // The copies wait for one barrier.
  // EXPAND-LABEL: nv_tileaa.func kernel @attention
  // EXPAND: scf.for
  // EXPAND: nv_tileas.async.dot
  // EXPAND-COUNT-2: nv_tileas.dot_wait {{.*}} {pending = 0 : i32}
  // EXPAND: nv_tileas.async.dot
  // EXPAND: nv_tileas.barrier agent
  // EXPAND-NEXT: nv_tileas.mbarrier.slot
  // EXPAND-COUNT-2: nv_tileas.async.tma_load
  // EXPAND-NOT: nv_tileas.barrier
  // EXPAND: scf.yield

  // NEAR-LABEL: nv_tileaa.func kernel @attention
  // NEAR-NOT: scf.if
  // NEAR: nv_tileaa.return
  nv_tileaa.func kernel @attention(%mk: !map, %mv: !map, %q: !a, %n: i32, %zero: !acc, %scale: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %bk = nv_tileas.alloc_tensor : !ring
    %pk = nv_tileas.pipeline.create %bk {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !ring -> !p
    %kp0 = nv_tileas.pipeline.iterator %pk producer : !p -> !i
    %kc0 = nv_tileas.pipeline.iterator %pk consumer : !p -> !i
    %bv = nv_tileas.alloc_tensor : !ring
    %pv = nv_tileas.pipeline.create %bv {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !ring -> !p
    %vp0 = nv_tileas.pipeline.iterator %pv producer : !p -> !i
    %vc0 = nv_tileas.pipeline.iterator %pv consumer : !p -> !i
    %r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%o = %zero, %m = %zero, %kp = %kp0, %kc = %kc0, %vp = %vp0, %vc = %vc0) -> (!acc, !acc, !i, !i, !i, !i) : i32 {
      %at = arith.muli %i, %c64 : i32
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
      %sum = arith.addf %m, %e : !acc
      %p = arith.truncf %e : !acc to !a
      %y = arith.mulf %o, %e : !acc
      %v = nv_tileas.pipeline.wait %pv[%vc] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %g = nv_tileas.async.dot %p, %v, %y {atom = #wgmma} : !a, !slot, !acc -> !future
      %d = nv_tileas.dot_wait %g {pending = 0 : i32} : !future -> !acc
      nv_tileas.pipeline.release %pv[%vc] {consumer = 0 : i32, pending = 0 : i32} : !p
      %vc1 = nv_tileas.pipeline.advance %vc : !i
      scf.yield %d, %sum, %kp1, %kc1, %vp1, %vc1 : !acc, !acc, !i, !i, !i, !i
    }
    nv_tileas.dealloc %bv : !ring
    nv_tileas.dealloc %bk : !ring
    nv_tileaa.return
  }
  // An accumulator that is scaled by a row vector is rescaled only where a factor is not one. No
  // wait covers all MMAs: the second dot is younger than the first one of the next iteration.
  // CHECK-LABEL: nv_tileaa.func kernel @rows
  // CHECK: scf.if
  // CHECK: scf.for %{{.*}} iter_args(%[[O:[^ ]*]] = %{{[^,]*}}, %[[M:[^ ]*]] =
  // CHECK: %[[F1:.*]] = nv_tileas.async.dot
  // CHECK: %[[B:.*]] = nv_tileas.broadcast
  // CHECK: %[[E0:.*]] = nv_tileas.optimization_barrier
  // CHECK: nv_tileas.pipeline.wait
  // CHECK-NEXT: %[[G:.*]] = nv_tileas.async.rescale %[[O]] by %[[B]]
  // CHECK-NEXT: %[[SUM:.*]] = nv_tileas.dot_wait %[[G]] {pending = 1 : i32}
  // CHECK: %[[E1:.*]] = nv_tileas.optimization_barrier %[[E0]]
  // CHECK: arith.truncf %[[E1]]
  // CHECK-NOT: arith.mulf
  // CHECK: %[[O1:.*]] = nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[SUM]]
  // CHECK-NEXT: %[[S1:.*]] = nv_tileas.dot_wait %[[F1]] {pending = 1 : i32}
  // CHECK-NEXT: nv_tileas.pipeline.release
  // CHECK: scf.yield %[[O1]], {{.*}}, %[[S1]] :
  // The last iteration waits for its accumulator in any case.
  // CHECK-NOT: nv_tileas.async.rescale
  // CHECK: nv_tileas.dot_wait %{{.*}} {pending = 0 : i32}
  // CHECK: arith.mulf
  // CHECK: nv_tileaa.return

  // FLUSH-LABEL: nv_tileaa.func kernel @rows
  // FLUSH-NOT: nv_tileas.async.rescale
  nv_tileaa.func kernel @rows(%mk: !map, %mv: !map, %q: !a, %n: i32, %zero: !acc, %scale: !acc, %low: !row) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %bk = nv_tileas.alloc_tensor : !ring
    %pk = nv_tileas.pipeline.create %bk {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !ring -> !p
    %kp0 = nv_tileas.pipeline.iterator %pk producer : !p -> !i
    %kc0 = nv_tileas.pipeline.iterator %pk consumer : !p -> !i
    %bv = nv_tileas.alloc_tensor : !ring
    %pv = nv_tileas.pipeline.create %bv {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !ring -> !p
    %vp0 = nv_tileas.pipeline.iterator %pv producer : !p -> !i
    %vc0 = nv_tileas.pipeline.iterator %pv consumer : !p -> !i
    %r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%o = %zero, %m = %low, %kp = %kp0, %kc = %kc0, %vp = %vp0, %vc = %vc0) -> (!acc, !row, !i, !i, !i, !i) : i32 {
      %at = arith.muli %i, %c64 : i32
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
  // The row vector comes before the tile, also if nothing starts ahead. The sum of rows waits for the second dot.
  // CHECK-LABEL: nv_tileaa.func kernel @order
  // CHECK: scf.for
  // CHECK: %[[SC:.*]] = arith.mulf {{.*}} : tensor<64x64xf32
  // CHECK: %[[FEW:.*]] = math.exp2 %{{.*}} : tensor<64x1xf32
  // CHECK: %[[MANY:.*]] = math.exp2 %[[SC]]
  // CHECK-NOT: nv_tileas.reduce
  // CHECK: nv_tileas.async.dot
  // CHECK-NEXT: nv_tileas.reduce
  // CHECK: scf.yield
  // NEAR-LABEL: nv_tileaa.func kernel @order
  // NEAR-NOT: scf.if
  // NEAR: %[[FEW:.*]] = math.exp2 %{{.*}} : tensor<64x1xf32
  // NEAR: %[[MANY:.*]] = math.exp2 %{{.*}} : tensor<64x64xf32
  // NEAR-NOT: nv_tileas.reduce
  // NEAR: %[[G:.*]] = nv_tileas.async.dot
  // NEAR-NEXT: nv_tileas.reduce %[[MANY]]
  // NEAR: nv_tileas.dot_wait %[[G]]
  nv_tileaa.func kernel @order(%mk: !map, %mv: !map, %q: !a, %n: i32, %zero: !acc, %scale: !acc, %low: !row) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %bk = nv_tileas.alloc_tensor : !ring
    %pk = nv_tileas.pipeline.create %bk {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !ring -> !p
    %kp0 = nv_tileas.pipeline.iterator %pk producer : !p -> !i
    %kc0 = nv_tileas.pipeline.iterator %pk consumer : !p -> !i
    %bv = nv_tileas.alloc_tensor : !ring
    %pv = nv_tileas.pipeline.create %bv {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !ring -> !p
    %vp0 = nv_tileas.pipeline.iterator %pv producer : !p -> !i
    %vc0 = nv_tileas.pipeline.iterator %pv consumer : !p -> !i
    %r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%o = %zero, %m = %low, %kp = %kp0, %kc = %kc0, %vp = %vp0, %vc = %vc0) -> (!acc, !row, !i, !i, !i, !i) : i32 {
      %at = arith.muli %i, %c64 : i32
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
      %moved = arith.mulf %m, %m : !row
      %e = math.exp2 %x : !acc
      %few = math.exp2 %moved : !row
      %rows = nv_tileas.reduce %e axis = 1 identities = [0.000000e+00 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : !acc -> !sum {
      ^bb0(%left: f32, %right: f32):
        %both = arith.addf %left, %right : f32
        nv_tileas.yield %both : f32
      }
      %column = nv_tileas.expand_dims %rows {axis = 1 : i32} : !sum -> !row
      %sum = math.fma %m, %few, %column : !row
      %p = arith.truncf %e : !acc to !a
      %b = nv_tileas.broadcast %few : !row -> !acc
      %y = arith.mulf %o, %b : !acc
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
}
