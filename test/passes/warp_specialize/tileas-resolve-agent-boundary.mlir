// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-resolve-agent-boundary)))' --verify-diagnostics --split-input-file | FileCheck %s

#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!ring = !nv_tileas.buffer<[3] 64x64xbf16, #s>
!slot = !nv_tileas.buffer<64x64xbf16, #s>
!p = !nv_tileas.pipeline<3, (buffer<64x64xbf16, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!map = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // Mbarriers release slots, since the agents share no barrier; each advances only its own iterator.
  // CHECK-LABEL: func kernel @slots
  // CHECK: pipeline.create {{.*}}empty = mbarrier
  // CHECK: scf.for {{.*}} iter_args(%[[F:.*]] = %{{.*}}, %[[G:.*]] = %{{.*}})
  // CHECK: pipeline.acquire
  // CHECK: %[[F1:.*]] = nv_tileas.pipeline.advance %[[F]]
  // CHECK-NOT: pipeline.advance
  // CHECK: scf.yield %[[F1]], %[[G]]
  // CHECK: nv_tileas.barrier agent
  // CHECK: scf.for {{.*}} iter_args(%[[F:.*]] = %{{.*}}, %[[G:.*]] = %{{.*}})
  // CHECK-NOT: pipeline.advance %[[F]]
  // CHECK: %[[G1:.*]] = nv_tileas.pipeline.advance %[[G]]
  // CHECK: scf.yield %[[F]], %[[G1]]
  nv_tileaa.func kernel @slots(%map: !map, %n: i32, %o: !slot) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = tma, consumers = [generic], sync = mbarrier, empty = barrier} : !ring -> !p
    %j = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %c = ub.poison : i1
    scf.if %c {
      %r:2 = scf.for %x = %c0 to %n step %c1 iter_args(%f = %j, %g = %k) -> (!i, !i) : i32 {
        %w = nv_tileas.pipeline.acquire %p[%f] : !p -> !slot
        %t = nv_tileas.async.tma_load %map[%x, %c0] into %w : !map -> !slot
        nv_tileas.pipeline.commit %p[%f] : !p
        %f1 = nv_tileas.pipeline.advance %f : !i
        %g1 = nv_tileas.pipeline.advance %g : !i
        scf.yield %f1, %g1 : !i, !i
      }
    } {nv_tileas.agent = {num_warps = 1 : i32}}
    scf.if %c {
      nv_tileas.barrier cta
      %r:2 = scf.for %x = %c0 to %n step %c1 iter_args(%f = %j, %g = %k) -> (!i, !i) : i32 {
        %s = nv_tileas.pipeline.wait %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
        %y = nv_tileas.copy %s : !slot -> tensor<64x64xbf16, #l>
        nv_tileas.copy %y, %o : tensor<64x64xbf16, #l>, !slot
        nv_tileas.pipeline.release %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p
        %f1 = nv_tileas.pipeline.advance %f : !i
        %g1 = nv_tileas.pipeline.advance %g : !i
        scf.yield %f1, %g1 : !i, !i
      }
    } {nv_tileas.agent = {num_warps = 4 : i32}}
    nv_tileaa.return
  }
}

// -----

#l = #nv_tileas.layout<reg, [128], blocked<per_thread = [1], lanes = [32], warps = [4], order = [0]>>
gpu.module @tile attributes {nv_tileaa.target_spec = "sm_90a"} {
  nv_tileaa.func kernel @k(%x: f32) {
    %p = ub.poison : i1
    %t = nv_tileas.splat %x : f32 -> tensor<128xf32, #l>
    scf.if %p {
      // expected-error @below {{'math.exp' op uses a tile of another agent; pass it on in shared memory, through a pipeline}}
      %e = math.exp %t : tensor<128xf32, #l>
    } {nv_tileas.agent = {num_warps = 4 : i32}}
    nv_tileaa.return
  }
}
