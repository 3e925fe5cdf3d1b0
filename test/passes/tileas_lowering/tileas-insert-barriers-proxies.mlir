// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-insert-barriers)))' | FileCheck %s
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-insert-barriers,tileas-check-barriers)))' -o /dev/null

#s = #nv_tileas.layout<smem, [64, 64], swizzled<b128, major = 1, bits = 16>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
#r = #nv_tileas.layout<reg, [256], blocked<per_thread = [2], lanes = [32], warps = [4], order = [0]>>
!b = !nv_tileas.buffer<64x64xbf16, #s>
!ring = !nv_tileas.buffer<[2] 64x64xbf16, #s>
!t = tensor<64x64xbf16, #a>
!m = !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>
!v = !nv_tileaa.tiled_view<64x64 of !m, padding = zero>
!d = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
!bar = !nv_tileas.mbarrier
!tok = !nv_tileaa.mem_token

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90", nv_tileaa.num_warps = 4 : i32} {
  // Earlier writes of threads to the bytes have to be fenced by them.
  // CHECK-LABEL: nv_tileaa.func @written_before(
  // CHECK: nv_tileas.copy %{{.*}}, %
  // CHECK-NEXT: nv_tileas.fence proxy_async_shared
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.async.tma_load
  // CHECK-NEXT: nv_tileas.mbarrier.wait
  nv_tileaa.func @written_before(%x: !t, %d: !d, %bar: !bar, %i: i32) -> !t attributes {nv_tileas.smem_bytes = 8192 : i32} {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    nv_tileas.copy %x, %p : !t, !b
    %k = nv_tileas.async.tma_load %d[%i, %i] into %p signal %bar : !d -> !b
    nv_tileas.mbarrier.wait %bar, %i
    %y = nv_tileas.copy %p : !b -> !t
    nv_tileaa.return %y : !t
  }

  // A barrier after the writes is not enough; one after a fence is.
  // CHECK-LABEL: nv_tileaa.func @barrier_alone(
  // CHECK: nv_tileas.copy %{{.*}}, %
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.fence proxy_async_shared
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.async.tma_load
  // CHECK: nv_tileas.copy %{{.*}}, %
  // CHECK-NEXT: nv_tileas.fence proxy_async_shared
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.async.tma_load
  nv_tileaa.func @barrier_alone(%x: !t, %d: !d, %bar: !bar, %i: i32) attributes {nv_tileas.smem_bytes = 16384 : i32} {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    nv_tileas.copy %x, %p : !t, !b
    nv_tileas.barrier cta
    %k = nv_tileas.async.tma_load %d[%i, %i] into %p signal %bar : !d -> !b
    %q = nv_tileas.alloc_tensor {smem_offset = 8192 : i32} : !b
    nv_tileas.copy %x, %q : !t, !b
    nv_tileas.fence proxy_async_shared
    nv_tileas.barrier cta
    %l = nv_tileas.async.tma_load %d[%i, %i] into %q signal %bar : !d -> !b
    nv_tileaa.return
  }

  // Bytes that threads read need a barrier and no fence.
  // CHECK-LABEL: nv_tileaa.func @read_before(
  // CHECK: nv_tileas.mbarrier.wait
  // CHECK-NEXT: nv_tileas.copy %
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.async.tma_load
  nv_tileaa.func @read_before(%d: !d, %bar: !bar, %i: i32) -> !t attributes {nv_tileas.smem_bytes = 8192 : i32} {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    nv_tileas.mbarrier.wait %bar, %i
    %y = nv_tileas.copy %p : !b -> !t
    %k = nv_tileas.async.tma_load %d[%i, %i] into %p signal %bar : !d -> !b
    nv_tileaa.return %y : !t
  }

  // An exchange in the bytes of the next iteration.
  // CHECK-LABEL: nv_tileaa.func @around(
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.alloc_tensor
  // CHECK-NEXT: nv_tileas.fence proxy_async_shared
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.async.tma_load
  nv_tileaa.func @around(%x: !t, %d: !d, %bar: !bar, %n: i32) attributes {nv_tileas.smem_bytes = 8192 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
      %k = nv_tileas.async.tma_load %d[%i, %i] into %p signal %bar : !d -> !b
      nv_tileas.mbarrier.wait %bar, %i
      %y = nv_tileas.copy %p : !b -> !t
      nv_tileas.barrier cta
      nv_tileas.copy %y, %p : !t, !b
    }
    nv_tileaa.return
  }

  // The pipeline orders what goes through its slots.
  // CHECK-LABEL: nv_tileaa.func @ring(
  // CHECK-NOT: nv_tileas.barrier
  // CHECK-NOT: nv_tileas.fence
  // CHECK: nv_tileaa.return
  nv_tileaa.func @ring(%d: !d, %bar: !bar, %n: i32) attributes {nv_tileas.smem_bytes = 16384 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !ring
    scf.for %i = %c0 to %n step %c1 : i32 {
      %w = nv_tileas.view %p[%i] {ring} : !ring -> !b
      %k = nv_tileas.async.tma_load %d[%i, %i] into %w signal %bar : !d -> !b
      nv_tileas.mbarrier.wait %bar, %i
      %y = nv_tileas.copy %w : !b -> !t
    }
    nv_tileaa.return
  }

  // Memory that the kernel wrote itself.
  // CHECK-LABEL: nv_tileaa.func @stored_before(
  // CHECK: nv_tileas.tiled_store
  // CHECK-NEXT: nv_tileas.fence proxy_async_global
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.async.tma_load
  nv_tileaa.func @stored_before(%x: !t, %v: !v, %bar: !bar, %i: i32) attributes {nv_tileas.smem_bytes = 8192 : i32} {
    %d = nv_tileas.make_tiled_tma_desc %v : !v -> !d
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    %t = nv_tileas.tiled_store weak %x, %v[%i, %i] : !t, !v[i32, i32]
    %k = nv_tileas.async.tma_load %d[%i, %i] into %p signal %bar token %t : !d -> !b
    nv_tileaa.return
  }
}
