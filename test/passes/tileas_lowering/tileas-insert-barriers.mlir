// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-insert-barriers)))' | FileCheck %s
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-insert-barriers,tileas-check-barriers)))' -o /dev/null
// A second run finds the mark and leaves the function alone.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-insert-barriers)))' -o %t
// RUN: %tileir-opt %t --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-insert-barriers)))' | diff %t -

#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
#b = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [4, 1], lanes = [16, 2], warps = [1, 4], order = [0, 1]>>
#r = #nv_tileas.layout<reg, [256], blocked<per_thread = [2], lanes = [32], warps = [4], order = [0]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!n = !nv_tileas.buffer<[2] 64x64xf16, #s>
!t = tensor<64x64xf16, #a>
!u = tensor<64x64xf16, #b>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x64xf16, strides = [64, 1]>, padding = zero>
!p = tensor<256x!nv_tileaa.ptr<f32>, #r>
!x = tensor<256xf32, #r>
#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#f16, acc, warps = [2, 2]>>
!acc = tensor<64x64xf32, #acc>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 4 : i32} {
  // Copies through a buffer: what threads wrote others read, and what they read others overwrite.
  // CHECK-LABEL: nv_tileaa.func @through_buffer(
  // CHECK-SAME: nv_tileas.ordered
  // CHECK: nv_tileas.copy %{{.*}}, %
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.copy
  nv_tileaa.func @through_buffer(%x: !t) -> (!u, !u) attributes {nv_tileas.smem_bytes = 8192 : i32} {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    nv_tileas.copy %x, %p : !t, !b
    %y = nv_tileas.copy %p : !b -> !u
    %z = nv_tileas.copy %p : !b -> !u
    nv_tileas.copy %x, %p : !t, !b
    nv_tileas.dealloc %p : !b
    nv_tileaa.return %y, %z : !u, !u
  }

  // The operands of a dot: all of them are written before it reads, and read before the next iteration writes.
  // CHECK-LABEL: nv_tileaa.func @product(
  // CHECK: scf.for
  // CHECK: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.dot
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileaa.return
  nv_tileaa.func @product(%x: !t, %c: !acc, %n: i32) -> !acc attributes {nv_tileas.smem_bytes = 16384 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%d = %c) -> (!acc) : i32 {
      %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
      %q = nv_tileas.alloc_tensor {smem_offset = 8192 : i32} : !b
      nv_tileas.copy %x, %p : !t, !b
      nv_tileas.copy %x, %q : !t, !b
      %e = nv_tileas.dot %p, %q, %d {atom = #f16} : !b, !b, !acc -> !acc
      nv_tileas.dealloc %p : !b
      nv_tileas.dealloc %q : !b
      scf.yield %e : !acc
    }
    nv_tileaa.return %r : !acc
  }

  // Bytes decide, not buffers: the second one reuses those of the first, the third has its own.
  // CHECK-LABEL: nv_tileaa.func @reused(
  // CHECK: nv_tileas.copy %{{.*}} : !nv_tileas.buffer
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.copy %{{.*}}, %[[R:[a-z0-9]*]] :
  // CHECK-NEXT: alloc_tensor {smem_offset = 0 : i32}
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileaa.return
  nv_tileaa.func @reused(%x: !t) -> !u attributes {nv_tileas.smem_bytes = 16384 : i32} {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    %y = nv_tileas.copy %p : !b -> !u
    nv_tileas.dealloc %p : !b
    %r = nv_tileas.alloc_tensor {smem_offset = 8192 : i32} : !b
    nv_tileas.copy %x, %r : !t, !b
    %q = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    nv_tileas.copy %x, %q : !t, !b
    nv_tileaa.return %y : !u
  }

  // Stages with constant numbers are bytes of their own; an unknown stage may be any.
  // CHECK-LABEL: nv_tileaa.func @stages(
  // CHECK: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.copy
  nv_tileaa.func @stages(%x: !t, %i: i32) -> (!u, !u) attributes {nv_tileas.smem_bytes = 16384 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !n
    %p0 = nv_tileas.view %p[%c0] : !n -> !b
    %p1 = nv_tileas.view %p[%c1] : !n -> !b
    %pi = nv_tileas.view %p[%i] : !n -> !b
    nv_tileas.copy %x, %p0 : !t, !b
    %y = nv_tileas.copy %p1 : !b -> !u
    %z = nv_tileas.copy %pi : !b -> !u
    nv_tileaa.return %y, %z : !u, !u
  }

  // The accesses of a pipeline have its barriers; what reuses its bytes has one.
  // CHECK-LABEL: nv_tileaa.func @ring(
  // CHECK: scf.for
  // CHECK-NOT: nv_tileas.barrier cta
  // CHECK: nv_tileas.async.wait_group
  // CHECK-NEXT: nv_tileas.barrier agent
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.dealloc
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.convert_layout
  nv_tileaa.func @ring(%v: !v, %x: !t, %n: i32) -> !u attributes {nv_tileas.smem_bytes = 16384 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !n
    scf.for %i = %c0 to %n step %c1 : i32 {
      %w = nv_tileas.view %p[%i] {ring} : !n -> !b
      %t = nv_tileas.async.copy %v[%i, %c0] into %w {via = #a} : !v[i32, i32] -> !b
      nv_tileas.async.commit_group
      nv_tileas.async.wait_group {pending = 0 : i32}
      nv_tileas.barrier agent
      %r = nv_tileas.view %p[%i] {ring} : !n -> !b
      %y = nv_tileas.copy %r : !b -> !u
    }
    nv_tileas.dealloc %p : !n
    %z = nv_tileas.convert_layout %x {nv_tileas.scratch_offset = 0 : i32} : !t -> !u
    nv_tileaa.return %z : !u
  }

  // A copy in flight is visible to the others after a barrier that follows the wait, not before it.
  // CHECK-LABEL: nv_tileaa.func @copied(
  // CHECK: nv_tileas.async.commit_group
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.async.wait_group
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.copy
  nv_tileaa.func @copied(%v: !v, %i: i32) -> !u attributes {nv_tileas.smem_bytes = 8192 : i32} {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    %t = nv_tileas.async.copy %v[%i, %i] into %p {via = #a} : !v[i32, i32] -> !b
    nv_tileas.async.commit_group
    nv_tileas.barrier cta
    nv_tileas.async.wait_group {pending = 0 : i32}
    %y = nv_tileas.copy %p : !b -> !u
    nv_tileaa.return %y : !u
  }

  // Two exchanges in the same place need a barrier, two in different places do not.
  // CHECK-LABEL: nv_tileaa.func @exchanges(
  // CHECK: nv_tileas.convert_layout
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.convert_layout
  // CHECK-NEXT: nv_tileas.convert_layout
  nv_tileaa.func @exchanges(%x: !t) -> (!u, !u, !u) attributes {nv_tileas.smem_bytes = 16384 : i32} {
    %0 = nv_tileas.convert_layout %x {nv_tileas.scratch_offset = 0 : i32} : !t -> !u
    %1 = nv_tileas.convert_layout %x {nv_tileas.scratch_offset = 0 : i32} : !t -> !u
    %2 = nv_tileas.convert_layout %x {nv_tileas.scratch_offset = 8192 : i32} : !t -> !u
    nv_tileaa.return %0, %1, %2 : !u, !u, !u
  }

  // The exchange of one iteration conflicts with that of the next. The barrier is in the inner loop alone.
  // CHECK-LABEL: nv_tileaa.func @loops(
  // CHECK: scf.for
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.convert_layout
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileaa.return
  nv_tileaa.func @loops(%x: !t, %n: i32) attributes {nv_tileas.smem_bytes = 8192 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.for %j = %c0 to %n step %c1 : i32 {
        %0 = nv_tileas.convert_layout %x {nv_tileas.scratch_offset = 0 : i32} : !t -> !u
      }
    }
    nv_tileaa.return
  }

  // Either side of a branch may come before what follows.
  // CHECK-LABEL: nv_tileaa.func @branch(
  // CHECK: scf.if
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: } else {
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NEXT: }
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.copy
  nv_tileaa.func @branch(%x: !t, %c: i1) -> !u attributes {nv_tileas.smem_bytes = 8192 : i32} {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    scf.if %c {
      nv_tileas.copy %x, %p : !t, !b
      nv_tileas.barrier cta
    } else {
      nv_tileas.copy %x, %p : !t, !b
    }
    %y = nv_tileas.copy %p : !b -> !u
    nv_tileaa.return %y : !u
  }

  // Each thread loads what it stored itself: nothing between a store and a load of the same pointers.
  // CHECK-LABEL: nv_tileaa.func @own_bytes(
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileaa.return
  nv_tileaa.func @own_bytes(%p: !p, %x: !x) -> !x attributes {nv_tileas.smem_bytes = 0 : i32} {
    %t0 = nv_tileas.store weak %p, %x : !p, !x
    %y, %t1 = nv_tileas.load weak %p token %t0 : !p -> !x
    nv_tileaa.return %y : !x
  }

  // Not so across iterations, where the token of the store waits beside the one of this iteration's.
  // CHECK-LABEL: nv_tileaa.func @own_bytes_in_loop(
  // CHECK: scf.for
  // CHECK: nv_tileas.store
  // CHECK: nv_tileas.join_mem_token
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.load
  nv_tileaa.func @own_bytes_in_loop(%p: !p, %x: !x, %n: i32) attributes {nv_tileas.smem_bytes = 0 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %t = nv_tileas.create_mem_token
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t0 = %t) -> (!nv_tileaa.mem_token) : i32 {
      %o = nv_tileas.splat %i : i32 -> tensor<256xi32, #r>
      %q = nv_tileas.addptr %p, %o : !p, tensor<256xi32, #r>
      %t1 = nv_tileas.store weak %q, %x : !p, !x
      %j = nv_tileas.join_mem_token %t0, %t1
      %y, %t2 = nv_tileas.load weak %q token %j : !p -> !x
      scf.yield %t1 : !nv_tileaa.mem_token
    }
    nv_tileaa.return
  }

  // While: the condition runs once more than the body.
  // CHECK-LABEL: nv_tileaa.func @while(
  // CHECK: scf.while
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.convert_layout
  // CHECK: } do {
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileaa.return
  nv_tileaa.func @while(%x: !t, %c: i1) attributes {nv_tileas.smem_bytes = 8192 : i32} {
    scf.while : () -> () {
      %0 = nv_tileas.convert_layout %x {nv_tileas.scratch_offset = 0 : i32} : !t -> !u
      scf.condition(%c)
    } do {
      scf.yield
    }
    nv_tileaa.return
  }
}
