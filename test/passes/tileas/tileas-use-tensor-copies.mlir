// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-use-tensor-copies)))'
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true %{opt} | FileCheck %s
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true TILEIR_DELAY_TMA_STORE_WAIT=1 %{opt} | FileCheck %s --check-prefix=LATER
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=1 %{opt} | FileCheck %s --check-prefix=NONE
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true %{opt} --remark-format=emitRemark --remarks-filter-missed=tileas 2>&1 | FileCheck %s --check-prefix=WHY

// NONE-NOT: async.tma
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>
!v = !nv_tileaa.tiled_view<64x64 of !m, padding = zero>
!t = tensor<64x64xbf16, #l>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // CHECK-LABEL: nv_tileaa.func kernel @copies
  // CHECK: %[[VIEW:.*]] = nv_tileas.block_tile
  // CHECK-NEXT: %[[D:.*]] = nv_tileas.make_tiled_tma_desc %[[VIEW]]
  // CHECK: nv_tileas.pipeline.create {{.*}} {producer = tma, consumers = [generic], sync = mbarrier, empty = barrier}
  // CHECK: nv_tileas.async.tma_load %[[D]][
  // CHECK-NEXT: nv_tileas.pipeline.commit
  // CHECK: %[[W:.*]] = nv_tileas.pipeline.wait
  // CHECK-NEXT: %[[X:.*]] = nv_tileas.copy %[[W]] :
  // CHECK-NEXT: nv_tileas.pipeline.release
  // CHECK-NEXT: nv_tileas.dealloc
  // CHECK: %[[B1:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<64x64xbf16,
  // CHECK-NEXT: nv_tileas.copy %[[X]], %[[B1]]
  // CHECK: nv_tileas.async.tma_store %[[B1]] to %[[D]][
  // CHECK-NEXT: nv_tileas.async.bulk_wait {pending = 0 : i32}
  // CHECK-NEXT: nv_tileas.dealloc %[[B1]]
  // CHECK: %[[B2:.*]] = nv_tileas.alloc_tensor
  // CHECK: nv_tileas.async.tma_store %[[B2]] to %[[D]][
  // CHECK-NEXT: nv_tileas.async.bulk_wait {pending = 0 : i32}
  // CHECK-NEXT: nv_tileas.dealloc %[[B2]]
  // CHECK-NEXT: nv_tileaa.return
  // LATER-LABEL: nv_tileaa.func kernel @copies
  // LATER: nv_tileas.async.tma_store %[[B1:.*]] to
  // LATER-NOT: bulk_wait
  // LATER: nv_tileas.async.tma_store %[[B2:.*]] to
  // LATER-NEXT: nv_tileas.async.bulk_wait {pending = 1 : i32}
  // LATER-NEXT: nv_tileas.dealloc %[[B1]]
  // LATER-NEXT: nv_tileas.async.bulk_wait {pending = 0 : i32}
  // LATER-NEXT: nv_tileas.dealloc %[[B2]]
  // LATER-NEXT: nv_tileaa.return
  nv_tileaa.func kernel @copies(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %x: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %r = arith.extsi %rows : i32 to i64
    %c = arith.extsi %cols : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%r, %c] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %a, %t = nv_tileas.tiled_load weak %v[%x, %x] {nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
    %u = nv_tileas.tiled_store weak %a, %v[%x, %x] {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
    %w = nv_tileas.tiled_store weak %a, %v[%x, %x] {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
    nv_tileaa.return
  }
  // An access waits for the first store; of the second nothing is known.
  // CHECK-LABEL: nv_tileaa.func kernel @stays
  // CHECK-NOT: tma_store
  // WHY: Reason="an access is ordered after it", Remark="no tensor copy"
  // WHY: Reason="nothing is known of its alignment", Remark="no tensor copy"
  nv_tileaa.func kernel @stays(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %a: !t) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %r = arith.extsi %rows : i32 to i64
    %c = arith.extsi %cols : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%r, %c] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %u = nv_tileas.tiled_store weak %a, %v[%x, %x] {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
    %w = nv_tileas.tiled_store weak %a, %v[%x, %x] token %u : !t, !v[i32, i32]
    nv_tileaa.return
  }
}
