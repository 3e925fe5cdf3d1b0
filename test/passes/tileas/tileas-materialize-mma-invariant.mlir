// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' | FileCheck %s

// A that all iterations of a loop read waits in shared memory, not in registers.

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [4, 1]>>
!m = !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>
!v = !nv_tileaa.tiled_view<64x64 of !m, padding = zero>
!t = tensor<64x64xbf16, #l>
!a = tensor<64x64xbf16, #a>
!b = tensor<64x64xbf16, #b>
!acc = tensor<64x64xf32, #acc>
#access = array<i32: 1, 16>
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // A TMA copy stages the loaded tile, before all other copies, in a pipeline of one
  // slot. The MMA stays in flight in the next iteration: no copy overwrites the slot.
  // CHECK-LABEL: nv_tileaa.func kernel @loaded
  // CHECK: %[[Q:.*]] = nv_tileas.pipeline.create {{.*}} {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !nv_tileas.buffer<[1] 64x64xbf16,
  // CHECK: nv_tileas.pipeline.acquire %[[Q]]
  // CHECK-NOT: tiled_load
  // CHECK: nv_tileas.async.tma_load
  // CHECK: nv_tileas.pipeline.commit %[[Q]]
  // CHECK: %[[A:.*]] = nv_tileas.pipeline.wait %[[Q]]
  // CHECK: scf.for
  // CHECK: nv_tileas.async.dot %[[A]], %{{.*}} : !nv_tileas.buffer<64x64xbf16,
  // CHECK-NEXT: nv_tileas.dot_wait {{.*}} {pending = 1 : i32}
  // CHECK: scf.yield
  // CHECK: nv_tileas.dot_wait {{.*}} {pending = 0 : i32}
  // CHECK: nv_tileas.pipeline.release %[[Q]]{{.*}} {consumer = 0 : i32, pending = 0 : i32}
  nv_tileaa.func kernel @loaded(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %n: i32, %zero: !acc) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r32 = nv_tileas.assume %rows [#nv_tileaa.bounded<0, ?>] : i32
    %k32 = nv_tileas.assume %cols [#nv_tileaa.bounded<0, ?>] : i32
    %r = arith.extui %r32 : i32 to i64
    %k = arith.extui %k32 : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%r, %k] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %e, %te = nv_tileas.tiled_load weak %v[%x, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = #access, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
    %h = nv_tileas.convert_layout %e : !t -> !a
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %f, %tf = nv_tileas.tiled_load weak %v[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = #access, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %g = nv_tileas.convert_layout %f : !t -> !b
      %d = nv_tileas.dot %h, %g, %acc {atom = #atom} : !a, !b, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }

  // Threads store what they made of it, once.
  // CHECK-LABEL: nv_tileaa.func kernel @made
  // CHECK: nv_tileas.tiled_load
  // CHECK: %[[S:.*]] = arith.addf
  // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<64x64xbf16,
  // CHECK: nv_tileas.copy %[[S]], %[[A]]
  // CHECK-NEXT: nv_tileas.fence proxy_async_shared
  // CHECK-NEXT: nv_tileas.barrier agent
  // CHECK: scf.for
  // CHECK: nv_tileas.async.dot %[[A]],
  // CHECK: scf.yield
  // CHECK: nv_tileas.dealloc %[[A]]
  nv_tileaa.func kernel @made(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %n: i32, %zero: !acc) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r32 = nv_tileas.assume %rows [#nv_tileaa.bounded<0, ?>] : i32
    %k32 = nv_tileas.assume %cols [#nv_tileaa.bounded<0, ?>] : i32
    %r = arith.extui %r32 : i32 to i64
    %k = arith.extui %k32 : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%r, %k] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %e, %te = nv_tileas.tiled_load weak %v[%x, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = #access, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
    %s = arith.addf %e, %e : !t
    %h = nv_tileas.convert_layout %s : !t -> !a
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %f, %tf = nv_tileas.tiled_load weak %v[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = #access, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %g = nv_tileas.convert_layout %f : !t -> !b
      %d = nv_tileas.dot %h, %g, %acc {atom = #atom} : !a, !b, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }

  // An operation before the loop waits for the load, which would complete too late: threads store the tile.
  // CHECK-LABEL: nv_tileaa.func kernel @waited_for
  // CHECK: nv_tileas.tiled_load
  // CHECK-NOT: <[1] 64x64xbf16
  // CHECK: nv_tileas.tiled_store
  // CHECK: nv_tileas.copy
  // CHECK: scf.for
  nv_tileaa.func kernel @waited_for(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %n: i32, %zero: !acc, %other: !t) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r32 = nv_tileas.assume %rows [#nv_tileaa.bounded<0, ?>] : i32
    %k32 = nv_tileas.assume %cols [#nv_tileaa.bounded<0, ?>] : i32
    %r = arith.extui %r32 : i32 to i64
    %k = arith.extui %k32 : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%r, %k] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %e, %te = nv_tileas.tiled_load weak %v[%x, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = #access, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
    %ts = nv_tileas.tiled_store weak %other, %v[%x, %c0] token %te : !t, !v[i32, i32]
    %h = nv_tileas.convert_layout %e : !t -> !a
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %f, %tf = nv_tileas.tiled_load weak %v[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = #access, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %g = nv_tileas.convert_layout %f : !t -> !b
      %d = nv_tileas.dot %h, %g, %acc {atom = #atom} : !a, !b, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }

  // Another reader has A in registers, and so has the MMA.
  // CHECK-LABEL: nv_tileaa.func kernel @read_twice
  // CHECK: scf.for
  // CHECK: nv_tileas.async.dot %{{.*}} : tensor<64x64xbf16,
  nv_tileaa.func kernel @read_twice(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %n: i32, %zero: !acc) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r32 = nv_tileas.assume %rows [#nv_tileaa.bounded<0, ?>] : i32
    %k32 = nv_tileas.assume %cols [#nv_tileaa.bounded<0, ?>] : i32
    %r = arith.extui %r32 : i32 to i64
    %k = arith.extui %k32 : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%r, %k] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %e, %te = nv_tileas.tiled_load weak %v[%x, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = #access, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
    %h = nv_tileas.convert_layout %e : !t -> !a
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %f, %tf = nv_tileas.tiled_load weak %v[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = #access, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %g = nv_tileas.convert_layout %f : !t -> !b
      %d = nv_tileas.dot %h, %g, %acc {atom = #atom} : !a, !b, !acc -> !acc
      scf.yield %d : !acc
    }
    %ts = nv_tileas.tiled_store weak %h, %v[%x, %c0] : !a, !v[i32, i32]
    nv_tileaa.return
  }
}
