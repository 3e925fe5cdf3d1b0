// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile blocks that a CTA takes over: one thread asks, all read the answer, and only where there is a block its coordinates.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASLoweringPasses.so --load-pass-plugin=%libTileASLoweringPasses.so --split-input-file %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s
// RUN: sed 's/sm_100a/sm_90a/' %s | not %mlir-opt --load-dialect-plugin=%libTileASLoweringPasses.so --load-pass-plugin=%libTileASLoweringPasses.so --split-input-file --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: 'nv_tileas.clc_try_cancel' op needs sm_100 or later, target is 'sm_90a'; compile for one, or without dynamic-persistent

#answer = #nv_tileas.layout<smem, [4], linear<order = [0]>>
#kernel = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  // CHECK-LABEL: llvm.func @blocks(
  //       CHECK:   "@$1 mbarrier.init.shared.b64 [$0], 1;"
  //       CHECK:   %[[X:.*]] = nvvm.read.ptx.sreg.ctaid.x
  //       CHECK:   nvvm.read.ptx.sreg.ctaid.y
  //       CHECK:   nvvm.read.ptx.sreg.ctaid.z
  //       CHECK:   llvm.br ^{{.*}}(%{{.*}}, %[[X]], %{{.*}}, %{{.*}}, %{{.*}} : i1, i32, i32, i32, i32)
  //       CHECK:   llvm.cond_br
  //       CHECK:   mbarrier.arrive.expect_tx{{.*}}, 16;
  //       CHECK:   @{{.*}} clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128
  //       CHECK:   clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 taken, answer;
  //  CHECK-SAME:   @taken clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128
  //  CHECK-SAME:   @taken clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128
  // CHECK-COUNT-4: nvvm.shfl.sync
  nv_tileaa.func kernel @blocks(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #kernel} {
    %s = nv_tileas.alloc_tensor : !nv_tileas.buffer<4xi32, #answer>
    %m = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[1]>
    nv_tileas.mbarrier.init %m {count = 1 : i32} : !nv_tileas.mbarrier<[1]>
    nv_tileas.fence mbarrier_init
    nv_tileas.fence proxy_async_shared
    nv_tileas.barrier cta
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.mbarrier.slot %m[%c0] : !nv_tileas.mbarrier<[1]>
    %first = nv_tileas.initial_program_id
    %r:2 = scf.while (%p0 = %first, %q = %c0) : (!nv_tileaa.program_id, i32) -> (!nv_tileaa.program_id, i32) {
      %v = nv_tileas.is_valid_program_id %p0
      scf.condition(%v) %p0, %q : !nv_tileaa.program_id, i32
    } do {
    ^bb0(%block: !nv_tileaa.program_id, %q: i32):
      nv_tileas.mbarrier.arrive_expect_tx %b, 16
      nv_tileas.clc_try_cancel %s signal %b : !nv_tileas.buffer<4xi32, #answer>
      %x = nv_tileas.get_program_id x of %block
      %at = nv_tileas.addptr %p, %x : !nv_tileaa.ptr<i32>, i32
      %t = nv_tileas.store weak %at, %x : !nv_tileaa.ptr<i32>, i32
      nv_tileas.mbarrier.wait %b, %q
      %next = nv_tileas.clc_query %s : !nv_tileas.buffer<4xi32, #answer>
      nv_tileas.fence proxy_async_shared
      nv_tileas.barrier cta
      %parity = arith.xori %q, %c1 : i32
      scf.yield %next, %parity : !nv_tileaa.program_id, i32
    }
    nv_tileaa.return
  }

  // Mbarriers in use are invalidated first, by one thread each.
  // CHECK-LABEL: llvm.func @again(
  // CHECK-COUNT-3: "@$1 mbarrier.init.shared.b64 [$0], 1;"
  //       CHECK:   %[[MINE:.*]] = llvm.icmp "ult"
  //   CHECK-NOT:   llvm.cond_br
  //       CHECK:   "@$1 mbarrier.inval.shared.b64 [$0];\0A\09@$1 mbarrier.init.shared.b64 [$0], 1;", "r,b,~{memory}" %{{.*}}, %[[MINE]]
  //   CHECK-NOT:   llvm.cond_br
  nv_tileaa.func kernel @again() attributes {kernel_spec = #kernel} {
    %m = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[3]>
    nv_tileas.mbarrier.init %m {count = 1 : i32} : !nv_tileas.mbarrier<[3]>
    nv_tileas.barrier cta
    nv_tileas.mbarrier.init %m {again, count = 1 : i32} : !nv_tileas.mbarrier<[3]>
    nv_tileaa.return
  }
}
