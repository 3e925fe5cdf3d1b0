// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-use-tensor-copies)))'
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true %{opt} | FileCheck %s
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true TILEIR_DELAY_TMA_STORE_WAIT=1 %{opt} | FileCheck %s --check-prefix=LATER
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=1 %{opt} | FileCheck %s
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=0 %{opt} | FileCheck %s --check-prefix=NONE
// RUN: %{opt} | FileCheck %s --check-prefix=AUTO
// RUN: %{opt} --remark-format=emitRemark --remarks-filter-missed=tileas 2>&1 | FileCheck %s --check-prefix=AUTO-WHY
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true %{opt} --remark-format=emitRemark --remarks-filter-missed=tileas 2>&1 | FileCheck %s --check-prefix=WHY

// NONE-NOT: async.tma
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>
!v = !nv_tileaa.tiled_view<64x64 of !m, padding = zero>
!t = tensor<64x64xbf16, #l>
#acc = #nv_tileas.layout<reg, [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!sum = tensor<64x64xbf16, #acc>
#tile = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>

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
  // An access waits for what the first store writes; of the second nothing is known.
  // CHECK-LABEL: nv_tileaa.func kernel @stays
  // CHECK: nv_tileas.async.tma_store
  // CHECK-NEXT: nv_tileas.async.bulk_wait complete {pending = 0 : i32}
  // CHECK: nv_tileas.tiled_store
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
  // Without the variable: what threads hold as they store it stays; what they would exchange first goes from there.
  // AUTO-LABEL: nv_tileaa.func kernel @copies
  // AUTO-NOT: async.tma
  // AUTO-WHY: Reason="outside of loops threads load as fast", Remark="no tensor copy"
  // AUTO-WHY: Reason="the threads that hold its tile store it as fast", Remark="no tensor copy"

  // AUTO-LABEL: nv_tileaa.func kernel @exchanged(
  // AUTO: %[[A:.*]] = nv_tileas.dot_wait
  // AUTO: %[[D:.*]] = nv_tileas.make_tiled_tma_desc
  // AUTO-NOT: convert_layout
  // AUTO: %[[B:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<64x64xbf16
  // AUTO-NEXT: nv_tileas.copy %[[A]], %[[B]]
  // AUTO: %[[T:.*]] = nv_tileas.async.tma_store %[[B]] to %[[D]][
  // AUTO-NEXT: nv_tileas.async.bulk_wait {pending = 0 : i32}
  // AUTO-NEXT: nv_tileas.dealloc %[[B]]
  // The load is from other memory: that it is ordered after the store means nothing.
  // AUTO: nv_tileas.tiled_load {{.*}} token %[[T]]
  // AUTO: nv_tileas.tiled_store
  // AUTO-WHY: Reason="no dot makes its tile: threads store it as fast", Remark="no tensor copy"
  nv_tileaa.func kernel @exchanged(%p: !nv_tileaa.ptr<bf16> {nv_tileaa.noalias}, %q: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %z: !sum) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %f = nv_tileas.async.to_async %z : !sum -> !nv_tileas.future<!sum>
    %a = nv_tileas.dot_wait %f {pending = 0 : i32} : !nv_tileas.future<!sum> -> !sum
    %r = arith.extsi %rows : i32 to i64
    %c = arith.extsi %cols : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%r, %c] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %n = nv_tileas.make_memref %q sizes[%r, %c] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %w = nv_tileas.block_tile %n : !m -> !v
    %e = nv_tileas.convert_layout %a : !sum -> !t
    %u = nv_tileas.tiled_store weak %e, %v[%x, %x] {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
    %y, %s = nv_tileas.tiled_load weak %w[%x, %x] token %u {nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
    %g = nv_tileas.convert_layout %z : !sum -> !t
    %h = nv_tileas.tiled_store weak %g, %w[%x, %x] {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
    nv_tileaa.return
  }

  // An iteration of the inner loop would wait. An iteration of the outer loop waits for the
  // stores of the previous one: shared memory has room for the tile beside the pipeline.
  // AUTO-LABEL: nv_tileaa.func kernel @loops
  // AUTO: nv_tileas.alloc_tensor : !nv_tileas.buffer<[14]
  // AUTO: %[[B1:.*]] = nv_tileas.alloc_tensor
  // AUTO: %[[B2:.*]] = nv_tileas.alloc_tensor
  // AUTO: scf.for
  // AUTO: scf.for
  // AUTO: nv_tileas.tiled_store
  // AUTO: nv_tileas.async.bulk_wait {pending = 1 : i32}
  // AUTO-NEXT: nv_tileas.copy %{{.*}}, %[[B1]]
  // AUTO: nv_tileas.async.tma_store %[[B1]]
  // AUTO-NEXT: nv_tileas.async.bulk_wait {pending = 1 : i32}
  // AUTO-NEXT: nv_tileas.copy %{{.*}}, %[[B2]]
  // AUTO: nv_tileas.async.tma_store %[[B2]]
  // AUTO-NEXT: }
  // AUTO-NEXT: nv_tileas.async.bulk_wait {pending = 0 : i32}
  // AUTO-NEXT: nv_tileas.dealloc %[[B1]]
  // AUTO-NEXT: nv_tileas.dealloc %[[B2]]
  // AUTO-WHY: Reason="every iteration of a loop would wait for it", Remark="no tensor copy"
  nv_tileaa.func kernel @loops(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %z: !sum) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %f = nv_tileas.async.to_async %z : !sum -> !nv_tileas.future<!sum>
    %a = nv_tileas.dot_wait %f {pending = 0 : i32} : !nv_tileas.future<!sum> -> !sum
    %r = arith.extsi %rows : i32 to i64
    %c = arith.extsi %cols : i32 to i64
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = nv_tileas.make_memref %p sizes[%r, %c] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %ring = nv_tileas.alloc_tensor : !nv_tileas.buffer<[14] 64x64xbf16, #tile>
    scf.for %i = %c0 to %x step %c1 : i32 {
      scf.for %j = %c0 to %x step %c1 : i32 {
        %e = nv_tileas.convert_layout %a : !sum -> !t
        %u = nv_tileas.tiled_store weak %e, %v[%i, %j] {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
      }
      %e = nv_tileas.convert_layout %a : !sum -> !t
      %u = nv_tileas.tiled_store weak %e, %v[%i, %x] {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
      %w = nv_tileas.tiled_store weak %e, %v[%x, %i] {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
    }
    nv_tileas.dealloc %ring : !nv_tileas.buffer<[14] 64x64xbf16, #tile>
    nv_tileaa.return
  }

  // The token orders the store of the next iteration after this one: it waits until this one has written.
  // AUTO-LABEL: nv_tileaa.func kernel @carried
  // AUTO: nv_tileas.async.bulk_wait complete {pending = 0 : i32}
  // AUTO: %[[T:.*]] = nv_tileas.async.tma_store
  // AUTO-NEXT: scf.yield %[[T]]
  nv_tileaa.func kernel @carried(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %z: !sum) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %f = nv_tileas.async.to_async %z : !sum -> !nv_tileas.future<!sum>
    %a = nv_tileas.dot_wait %f {pending = 0 : i32} : !nv_tileas.future<!sum> -> !sum
    %r = arith.extsi %rows : i32 to i64
    %c = arith.extsi %cols : i32 to i64
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = nv_tileas.make_memref %p sizes[%r, %c] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %ring = nv_tileas.alloc_tensor : !nv_tileas.buffer<[14] 64x64xbf16, #tile>
    %t0 = nv_tileas.create_mem_token
    %t2 = scf.for %i = %c0 to %x step %c1 iter_args(%t1 = %t0) -> (!nv_tileaa.mem_token) : i32 {
      scf.for %j = %c0 to %x step %c1 : i32 {
      }
      %e = nv_tileas.convert_layout %a : !sum -> !t
      %u = nv_tileas.tiled_store weak %e, %v[%i, %x] token %t1 {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
      scf.yield %u : !nv_tileaa.mem_token
    }
    nv_tileas.dealloc %ring : !nv_tileas.buffer<[14] 64x64xbf16, #tile>
    nv_tileaa.return
  }

  // An SM holds two CTAs with a pipeline of 112 KiB, one with 8 KiB more. They fit where the pipeline has ended.
  // AUTO-LABEL: nv_tileaa.func kernel @ring
  // AUTO: nv_tileas.tiled_store
  // AUTO: nv_tileas.dealloc
  // AUTO: nv_tileas.async.tma_store
  // AUTO-WHY: Reason="with a buffer for its tile fewer CTAs would fit on an SM", Remark="no tensor copy"
  nv_tileaa.func kernel @ring(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %z: !sum) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %f = nv_tileas.async.to_async %z : !sum -> !nv_tileas.future<!sum>
    %a = nv_tileas.dot_wait %f {pending = 0 : i32} : !nv_tileas.future<!sum> -> !sum
    %r = arith.extsi %rows : i32 to i64
    %c = arith.extsi %cols : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%r, %c] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %e = nv_tileas.convert_layout %a : !sum -> !t
    %ring = nv_tileas.alloc_tensor : !nv_tileas.buffer<[14] 64x64xbf16, #tile>
    %u = nv_tileas.tiled_store weak %e, %v[%x, %x] {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
    nv_tileas.dealloc %ring : !nv_tileas.buffer<[14] 64x64xbf16, #tile>
    %w = nv_tileas.tiled_store weak %e, %v[%x, %x] {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
    nv_tileaa.return
  }

  // An agent makes its view itself; the map stands at the entry. Under a branch the view may be made of promises that do not hold.
  // AUTO-LABEL: nv_tileaa.func kernel @agent
  // AUTO: %[[M:.*]] = nv_tileas.make_memref
  // AUTO-NEXT: %[[V:.*]] = nv_tileas.block_tile %[[M]]
  // AUTO-NEXT: %[[D:.*]] = nv_tileas.make_tiled_tma_desc %[[V]]
  // AUTO-NEXT: scf.if
  // AUTO: nv_tileas.async.tma_store %{{.*}} to %[[D]][
  // AUTO: nv_tileas.async.tma_store %{{.*}} to %[[D]][
  // AUTO: scf.if
  // AUTO-NOT: nv_tileas.async.tma_store
  // AUTO: nv_tileas.tiled_store
  // AUTO-WHY: Reason="base, sizes or strides of its view are not known when the kernel starts", Remark="no tensor copy"
  nv_tileaa.func kernel @agent(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %b: i1, %z: !sum) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %f = nv_tileas.async.to_async %z : !sum -> !nv_tileas.future<!sum>
    %a = nv_tileas.dot_wait %f {pending = 0 : i32} : !nv_tileas.future<!sum> -> !sum
    scf.if %b {
      %r = arith.extsi %rows : i32 to i64
      %c = arith.extsi %cols : i32 to i64
      %m = nv_tileas.make_memref %p sizes[%r, %c] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
      %v = nv_tileas.block_tile %m : !m -> !v
      %e = nv_tileas.convert_layout %a : !sum -> !t
      %u = nv_tileas.tiled_store weak %e, %v[%x, %x] {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
      %w = nv_tileas.tiled_store weak %e, %v[%rows, %x] {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
    } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 0 : i32}}
    scf.if %b {
      %r = arith.extsi %rows : i32 to i64
      %c = arith.extsi %cols : i32 to i64
      %m = nv_tileas.make_memref %p sizes[%r, %c] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
      %v = nv_tileas.block_tile %m : !m -> !v
      %e = nv_tileas.convert_layout %a : !sum -> !t
      %u = nv_tileas.tiled_store weak %e, %v[%x, %x] {nv_tileas.tma = "ok"} : !t, !v[i32, i32]
    }
    nv_tileaa.return
  }
}
