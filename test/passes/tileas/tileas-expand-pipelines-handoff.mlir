// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=3},tileas-shift-chained-dots,tileas-expand-pipelines)))' | FileCheck %s
// No MMA stays in flight in the next iteration: the warps synchronize.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=2},tileas-shift-chained-dots,tileas-expand-pipelines)))' | FileCheck %s --check-prefix=NEAR

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#acc = #nv_tileas.layout<reg, [128, 64], mma<#atom, acc, warps = [8, 1]>>
#rows = #nv_tileas.layout<reg, [128, 1], register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#wgmma = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
!acc = tensor<128x64xf32, #acc>
!row = tensor<128x1xf32, #rows>
!a = tensor<128x64xbf16, #acc>
!ring = !nv_tileas.buffer<[3] 64x64xbf16, #s>
!slot = !nv_tileas.buffer<64x64xbf16, #s>
!p = !nv_tileas.pipeline<3, (buffer<64x64xbf16, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!map = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
!future = !nv_tileas.future<tensor<128x64xf32, #acc>>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // Two warpgroups do not synchronize in the loop: each warp, after the MMA of the previous iteration,
  // arrives on the empty mbarrier of the slot of values, and the producer warp waits for eight arrivals.
  // CHECK-LABEL: nv_tileaa.func kernel @groups
  // CHECK: nv_tileas.mbarrier.init %[[E:.*]] {count = 8 : i32} : !nv_tileas.mbarrier<[3]>
  // CHECK: scf.for {{.*}} iter_args({{.*}}) ->
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.async.rescale
  // CHECK-NEXT: nv_tileas.dot_wait %{{.*}} {pending = 1 : i32}
  // CHECK: %[[O:.*]] = nv_tileas.mbarrier.slot %[[E]][%[[AT:.*]]] :
  // CHECK-NEXT: nv_tileas.mbarrier.arrive %[[O]] {by = warp}
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.async.dot
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.mbarrier.wait %[[O]], %{{.*}} {issuer}
  // CHECK-NOT: nv_tileas.barrier
  // CHECK-COUNT-2: nv_tileas.async.tma_load
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: scf.yield

  // NEAR-LABEL: nv_tileaa.func kernel @groups
  // NEAR-NOT: nv_tileas.mbarrier.arrive %
  // NEAR: scf.for
  // NEAR: nv_tileas.barrier agent
  // NEAR: scf.yield
  nv_tileaa.func kernel @groups(%mk: !map, %mv: !map, %q: !a, %n: i32, %zero: !acc, %scale: !acc, %low: !row) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
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
}
