// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-buffers)))' | FileCheck %s --check-prefix=PLAN
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#atom = #nv_tileas.mma_atom<umma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#sync = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
// 64 x 64 of two bytes, rows of 128 bytes, swizzled.
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#d = #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#sync, acc, warps = [4, 1]>>
#rows = #nv_tileas.layout<reg, [64, 1], register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!buffer = !nv_tileas.buffer<64x64xbf16, #s>
!acc = !nv_tileas.buffer<64x64xf32, #d>
!tile = tensor<64x64xf32, #acc>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  // Two accumulators are adjacent; the barrier of the mbarriers publishes the address as well.
  // PLAN-LABEL: nv_tileaa.func kernel @products
  // PLAN: nv_tileas.mbarrier.init
  // PLAN-NOT: nv_tileas.barrier
  // PLAN: nv_tileas.tmem_alloc {columns = 128 : i32, nv_tileas.scratch_offset = {{[0-9]+}} : i32}
  // PLAN: nv_tileas.alloc_tensor {tmem_col = 0 : i32}
  // PLAN: nv_tileas.alloc_tensor {tmem_col = 64 : i32}
  // PLAN: nv_tileas.dealloc
  // PLAN: nv_tileas.dealloc
  // PLAN-NEXT: nv_tileas.fence tcgen05_before
  // PLAN-NEXT: nv_tileas.barrier cta
  // PLAN-NEXT: nv_tileas.tmem_dealloc {columns = 128 : i32}
  // CHECK-LABEL: llvm.func @products
  // CHECK: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 128;
  // CHECK: tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
  // CHECK: tcgen05.fence::before_thread_sync;
  // CHECK: nvvm.barrier
  // CHECK: tcgen05.fence::after_thread_sync;
  // 0x04110490: 64 rows, 64 columns, B with rows contiguous, bf16, f32 accumulator.
  // CHECK: %[[TYPES:.*]] = llvm.mlir.constant(68224144 : i32)
  // CHECK-COUNT-4: @$5 tcgen05.mma.cta_group::1.kind::f16 [$0], $1, $2, $3, $4;
  // CHECK: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];
  // CHECK: tcgen05.st.sync.aligned.16x256b.x8.b32 [$32], {$0, $1
  // CHECK-SAME: tcgen05.wait::st.sync.aligned;
  // CHECK: tcgen05.ld.sync.aligned.16x256b.x8.b32 {$0, $1
  // CHECK-SAME: [$32];\0Atcgen05.wait::ld.sync.aligned;
  // CHECK: tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, 128;
  nv_tileaa.func kernel @products(%more: i1, %c: !tile, %phase: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %m = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[1]>
    nv_tileas.mbarrier.init %m {count = 1 : i32} : !nv_tileas.mbarrier<[1]>
    nv_tileas.fence mbarrier_init
    nv_tileas.barrier cta
    %c0 = arith.constant 0 : i32
    %b = nv_tileas.mbarrier.slot %m[%c0] : !nv_tileas.mbarrier<[1]>
    %x = nv_tileas.alloc_tensor : !buffer
    %y = nv_tileas.alloc_tensor : !buffer
    %d = nv_tileas.alloc_tensor : !acc
    %e = nv_tileas.alloc_tensor : !acc
    nv_tileas.async.dot_into %x, %y into %d use_acc %more {atom = #atom} : !buffer, !buffer -> !acc
    nv_tileas.umma_commit %b
    nv_tileas.mbarrier.wait %b, %phase {products}
    nv_tileas.fence tcgen05_after
    nv_tileas.copy %c, %e : !tile, !acc
    %r = nv_tileas.copy %d : !acc -> !tile
    nv_tileas.dealloc %d : !acc
    nv_tileas.dealloc %e : !acc
    nv_tileaa.return
  }

  // A warp with a factor other than one multiplies its rows. A thread has factors of two rows.
  // CHECK-LABEL: llvm.func @rescale(
  // CHECK-COUNT-2: llvm.fcmp "une" %{{.*}}, %{{.*}} : f32
  //     CHECK-NOT: llvm.fcmp
  //         CHECK:   %[[ANY:.*]] = nvvm.vote.sync any %{{.*}}, %{{.*}} -> i1
  //         CHECK:   llvm.cond_br %[[ANY]], ^[[RARE:.*]], ^[[OTHERS:bb[0-9]+]]
  //         CHECK:   ^[[RARE]]:
  //         CHECK:   tcgen05.ld.sync.aligned.16x256b.x8.b32
  //    CHECK-SAME:   tcgen05.wait::ld.sync.aligned;
  // CHECK-COUNT-16: llvm.fmul %{{.*}}, %{{.*}} : vector<2xf32>
  //     CHECK-NOT: llvm.fmul
  //         CHECK:   tcgen05.st.sync.aligned.16x256b.x8.b32
  //         CHECK:   tcgen05.wait::st.sync.aligned;
  //         CHECK:   ^[[OTHERS]]:
  nv_tileaa.func kernel @rescale(%x: tensor<64x1xf32, #rows>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %f = nv_tileas.broadcast %x : tensor<64x1xf32, #rows> -> !tile
    %e = nv_tileas.alloc_tensor : !acc
    nv_tileas.tensor_rescale %e by %f : !acc, !tile
    nv_tileas.dealloc %e : !acc
    nv_tileaa.return
  }

  // The copies of 16 rows lie below them.
  // CHECK-LABEL: llvm.func @twice(
  //       CHECK: tcgen05.st.sync.aligned.16x256b.x8.b32 [$32], {$0
  //  CHECK-SAME: tcgen05.wait::st.sync.aligned;
  //       CHECK: tcgen05.st.sync.aligned.16x256b.x8.b32 [$32 + 1048576], {$0
  //  CHECK-SAME: tcgen05.wait::st.sync.aligned;
  nv_tileaa.func kernel @twice(%x: !tile) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %e = nv_tileas.alloc_tensor : !acc
    nv_tileas.copy %x, %e {nv_tileas.twice} : !tile, !acc
    nv_tileas.dealloc %e : !acc
    nv_tileaa.return
  }
}
