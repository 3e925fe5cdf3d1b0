// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-expand-pipelines)))' --split-input-file --verify-diagnostics

// A wrong stage: the producer stands still.
#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m {
  nv_tileaa.func kernel @skewed(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %h0 = arith.cmpi sgt, %n, %c0 : i32
    %h1 = arith.cmpi sgt, %n, %c1 : i32
    %w0 = nv_tileas.pipeline.acquire %p[%j0] if %h0 : !p -> !slot
    %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %h0 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j0] if %h0 : !p
    %j1 = nv_tileas.pipeline.advance %j0 : !i
    %w1 = nv_tileas.pipeline.acquire %p[%j1] if %h1 : !p -> !slot
    %t1 = nv_tileas.async.copy %v[%c1, %c0] into %w1 if %h1 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j1] if %h1 : !p
    %j2 = nv_tileas.pipeline.advance %j1 : !i
    %c2 = arith.constant 2 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j2, %k = %k0) -> (!i, !i) : i32 {
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 1 : i32} : !p -> !slot
      %q = arith.addi %i, %c2 : i32
      %h = arith.cmpi slt, %q, %n : i32
      // expected-error @below {{'nv_tileas.pipeline.acquire' op is at slot 2 of the pipeline, but slot 3 is next; advance an iterator once for each slot}}
      %w = nv_tileas.pipeline.acquire %p[%j] if %h : !p -> !slot
      %t = nv_tileas.async.copy %v[%q, %c0] into %w if %h {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] if %h : !p
      %j3 = nv_tileas.pipeline.advance %j : !i
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j, %k1 : !i, !i
    }
    nv_tileaa.return
  }
}

// -----

// A wrong stage: the consumer is one ahead.
#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m {
  nv_tileaa.func kernel @skewed(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %h0 = arith.cmpi sgt, %n, %c0 : i32
    %h1 = arith.cmpi sgt, %n, %c1 : i32
    %w0 = nv_tileas.pipeline.acquire %p[%j0] if %h0 : !p -> !slot
    %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %h0 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j0] if %h0 : !p
    %j1 = nv_tileas.pipeline.advance %j0 : !i
    %w1 = nv_tileas.pipeline.acquire %p[%j1] if %h1 : !p -> !slot
    %t1 = nv_tileas.async.copy %v[%c1, %c0] into %w1 if %h1 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j1] if %h1 : !p
    %j2 = nv_tileas.pipeline.advance %j1 : !i
    %c2 = arith.constant 2 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j2, %k = %k0) -> (!i, !i) : i32 {
      %k9 = nv_tileas.pipeline.advance %k : !i
      // expected-error @below {{'nv_tileas.pipeline.wait' op is at slot 1 of the pipeline, but slot 0 is next; advance an iterator once for each slot}}
      %s = nv_tileas.pipeline.wait %p[%k9] {consumer = 0 : i32, pending = 1 : i32} : !p -> !slot
      %q = arith.addi %i, %c2 : i32
      %h = arith.cmpi slt, %q, %n : i32
      %w = nv_tileas.pipeline.acquire %p[%j] if %h : !p -> !slot
      %t = nv_tileas.async.copy %v[%q, %c0] into %w if %h {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] if %h : !p
      %j3 = nv_tileas.pipeline.advance %j : !i
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j3, %k1 : !i, !i
    }
    nv_tileaa.return
  }
}

// -----

// A wrong stage: the slot that the copies are filling in place of the one that was waited for.
#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m {
  nv_tileaa.func kernel @skewed(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %h0 = arith.cmpi sgt, %n, %c0 : i32
    %h1 = arith.cmpi sgt, %n, %c1 : i32
    %w0 = nv_tileas.pipeline.acquire %p[%j0] if %h0 : !p -> !slot
    %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %h0 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j0] if %h0 : !p
    %j1 = nv_tileas.pipeline.advance %j0 : !i
    %w1 = nv_tileas.pipeline.acquire %p[%j1] if %h1 : !p -> !slot
    %t1 = nv_tileas.async.copy %v[%c1, %c0] into %w1 if %h1 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j1] if %h1 : !p
    %j2 = nv_tileas.pipeline.advance %j1 : !i
    %c2 = arith.constant 2 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j2, %k = %k0) -> (!i, !i) : i32 {
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 1 : i32} : !p -> !slot
      %q = arith.addi %i, %c2 : i32
      %h = arith.cmpi slt, %q, %n : i32
      %w = nv_tileas.pipeline.acquire %p[%j] if %h : !p -> !slot
      %t = nv_tileas.async.copy %v[%q, %c0] into %w if %h {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] if %h : !p
      %j3 = nv_tileas.pipeline.advance %j : !i
      // expected-error @below {{'nv_tileas.copy' op reads a slot that is being filled; read the one that was waited for}}
      %x = nv_tileas.copy %w : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j3, %k1 : !i, !i
    }
    nv_tileaa.return
  }
}

// -----

// A wrong stage of threads that write: the slot that they wait for in place of the one that they acquired.
#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m {
  nv_tileaa.func kernel @skewed(%v: !v, %n: i32, %z: !t) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %h0 = arith.cmpi sgt, %n, %c0 : i32
    %h1 = arith.cmpi sgt, %n, %c1 : i32
    %w0 = nv_tileas.pipeline.acquire %p[%j0] if %h0 : !p -> !slot
    %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %h0 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j0] if %h0 : !p
    %j1 = nv_tileas.pipeline.advance %j0 : !i
    %w1 = nv_tileas.pipeline.acquire %p[%j1] if %h1 : !p -> !slot
    %t1 = nv_tileas.async.copy %v[%c1, %c0] into %w1 if %h1 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j1] if %h1 : !p
    %j2 = nv_tileas.pipeline.advance %j1 : !i
    %c2 = arith.constant 2 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j2, %k = %k0) -> (!i, !i) : i32 {
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 1 : i32} : !p -> !slot
      %q = arith.addi %i, %c2 : i32
      %h = arith.cmpi slt, %q, %n : i32
      %w = nv_tileas.pipeline.acquire %p[%j] if %h : !p -> !slot
      %t = nv_tileas.async.copy %v[%q, %c0] into %w if %h {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] if %h : !p
      %j3 = nv_tileas.pipeline.advance %j : !i
      // expected-error @below {{'nv_tileas.copy' op writes a slot that is being read}}
      nv_tileas.copy %z, %s : !t, !slot
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j3, %k1 : !i, !i
    }
    nv_tileaa.return
  }
}

// -----

// A release too early: an MMA that no wait covers may still read the slot.
#atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [1, 1]>>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 64x64xbf16, #s>
!slot = !nv_tileas.buffer<64x64xbf16, #s>
!p = !nv_tileas.pipeline<3, (buffer<64x64xbf16, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!acc = tensor<64x64xf32, #acc>
!f = !nv_tileas.future<tensor<64x64xf32, #acc>>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  nv_tileaa.func kernel @products(%v: !v, %n: i32, %zero: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [wgmma], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %f0 = nv_tileas.async.to_async %zero : !acc -> !f
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j0, %k = %k0, %f = %f0) -> (!i, !i, !f) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot
      %t = nv_tileas.async.copy %v[%i, %c0] into %w {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] : !p
      %j1 = nv_tileas.pipeline.advance %j : !i
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %g = nv_tileas.async.dot %s, %s, %f {atom = #atom} : !slot, !slot, !f -> !f
      %h = nv_tileas.dot_wait %g {pending = 1 : i32} : !f -> !f
      // expected-error @below {{'nv_tileas.pipeline.release' op frees a slot that an MMA may still be reading; wait for the MMA first, or count the slot as 'pending'}}
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j1, %k1, %h : !i, !i, !f
    }
    nv_tileaa.return
  }
}

// -----

// A release before the reads.
#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m {
  nv_tileaa.func kernel @skewed(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %h0 = arith.cmpi sgt, %n, %c0 : i32
    %h1 = arith.cmpi sgt, %n, %c1 : i32
    %w0 = nv_tileas.pipeline.acquire %p[%j0] if %h0 : !p -> !slot
    %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %h0 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j0] if %h0 : !p
    %j1 = nv_tileas.pipeline.advance %j0 : !i
    %w1 = nv_tileas.pipeline.acquire %p[%j1] if %h1 : !p -> !slot
    %t1 = nv_tileas.async.copy %v[%c1, %c0] into %w1 if %h1 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j1] if %h1 : !p
    %j2 = nv_tileas.pipeline.advance %j1 : !i
    %c2 = arith.constant 2 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j2, %k = %k0) -> (!i, !i) : i32 {
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 1 : i32} : !p -> !slot
      %q = arith.addi %i, %c2 : i32
      %h = arith.cmpi slt, %q, %n : i32
      %w = nv_tileas.pipeline.acquire %p[%j] if %h : !p -> !slot
      %t = nv_tileas.async.copy %v[%q, %c0] into %w if %h {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] if %h : !p
      %j3 = nv_tileas.pipeline.advance %j : !i
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      // expected-error @below {{'nv_tileas.copy' op reads a slot that is released}}
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j3, %k1 : !i, !i
    }
    nv_tileaa.return
  }
}

// -----

// No release.
#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m {
  nv_tileaa.func kernel @skewed(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %h0 = arith.cmpi sgt, %n, %c0 : i32
    %h1 = arith.cmpi sgt, %n, %c1 : i32
    %w0 = nv_tileas.pipeline.acquire %p[%j0] if %h0 : !p -> !slot
    %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %h0 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j0] if %h0 : !p
    %j1 = nv_tileas.pipeline.advance %j0 : !i
    %w1 = nv_tileas.pipeline.acquire %p[%j1] if %h1 : !p -> !slot
    %t1 = nv_tileas.async.copy %v[%c1, %c0] into %w1 if %h1 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j1] if %h1 : !p
    %j2 = nv_tileas.pipeline.advance %j1 : !i
    %c2 = arith.constant 2 : i32
    // expected-error @below {{'scf.for' op acquires 1, commits 1, waits for 1 and releases 0 slots of a pipeline in one iteration}}
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j2, %k = %k0) -> (!i, !i) : i32 {
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 1 : i32} : !p -> !slot
      %q = arith.addi %i, %c2 : i32
      %h = arith.cmpi slt, %q, %n : i32
      %w = nv_tileas.pipeline.acquire %p[%j] if %h : !p -> !slot
      %t = nv_tileas.async.copy %v[%q, %c0] into %w if %h {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] if %h : !p
      %j3 = nv_tileas.pipeline.advance %j : !i
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j3, %k1 : !i, !i
    }
    nv_tileaa.return
  }
}

// -----

// Too far ahead: the slot that is read is filled again.
#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m {
  nv_tileaa.func kernel @skewed(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %h0 = arith.cmpi sgt, %n, %c0 : i32
    %h1 = arith.cmpi sgt, %n, %c1 : i32
    %w0 = nv_tileas.pipeline.acquire %p[%j0] if %h0 : !p -> !slot
    %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %h0 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j0] if %h0 : !p
    %j1 = nv_tileas.pipeline.advance %j0 : !i
    %w1 = nv_tileas.pipeline.acquire %p[%j1] if %h1 : !p -> !slot
    %t1 = nv_tileas.async.copy %v[%c1, %c0] into %w1 if %h1 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j1] if %h1 : !p
    %j2 = nv_tileas.pipeline.advance %j1 : !i
    %c2 = arith.constant 2 : i32
    %w2 = nv_tileas.pipeline.acquire %p[%j2] if %h1 : !p -> !slot
    %t2 = nv_tileas.async.copy %v[%c2, %c0] into %w2 if %h1 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j2] if %h1 : !p
    %j9 = nv_tileas.pipeline.advance %j2 : !i
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j9, %k = %k0) -> (!i, !i) : i32 {
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 1 : i32} : !p -> !slot
      %q = arith.addi %i, %c2 : i32
      %h = arith.cmpi slt, %q, %n : i32
      // expected-error @below {{'nv_tileas.pipeline.acquire' op acquires a slot that is not released: 4 slots are in flight, the pipeline has 3}}
      %w = nv_tileas.pipeline.acquire %p[%j] if %h : !p -> !slot
      %t = nv_tileas.async.copy %v[%q, %c0] into %w if %h {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] if %h : !p
      %j3 = nv_tileas.pipeline.advance %j : !i
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j3, %k1 : !i, !i
    }
    nv_tileaa.return
  }
}

// -----

// A copy after the commit.
#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m {
  nv_tileaa.func kernel @skewed(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %h0 = arith.cmpi sgt, %n, %c0 : i32
    %h1 = arith.cmpi sgt, %n, %c1 : i32
    %w0 = nv_tileas.pipeline.acquire %p[%j0] if %h0 : !p -> !slot
    %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %h0 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j0] if %h0 : !p
    %j1 = nv_tileas.pipeline.advance %j0 : !i
    %w1 = nv_tileas.pipeline.acquire %p[%j1] if %h1 : !p -> !slot
    %t1 = nv_tileas.async.copy %v[%c1, %c0] into %w1 if %h1 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j1] if %h1 : !p
    %j2 = nv_tileas.pipeline.advance %j1 : !i
    %c2 = arith.constant 2 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j2, %k = %k0) -> (!i, !i) : i32 {
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 1 : i32} : !p -> !slot
      %q = arith.addi %i, %c2 : i32
      %h = arith.cmpi slt, %q, %n : i32
      %w = nv_tileas.pipeline.acquire %p[%j] if %h : !p -> !slot
      nv_tileas.pipeline.commit %p[%j] if %h : !p
      // expected-error @below {{'nv_tileas.async.copy' op writes a slot that is committed}}
      %t = nv_tileas.async.copy %v[%q, %c0] into %w if %h {via = #l} : !v[i32, i32] -> !slot
      %j3 = nv_tileas.pipeline.advance %j : !i
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j3, %k1 : !i, !i
    }
    nv_tileaa.return
  }
}

// -----

// Copies ahead that happen in any case are never waited for.
#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m {
  nv_tileaa.func kernel @skewed(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    // expected-error @below {{'nv_tileas.pipeline.create' op has a committed slot that nothing waits for}}
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %h0 = arith.cmpi sgt, %n, %c0 : i32
    %h1 = arith.cmpi sgt, %n, %c1 : i32
    %w0 = nv_tileas.pipeline.acquire %p[%j0] if %h0 : !p -> !slot
    %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %h0 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j0] if %h0 : !p
    %j1 = nv_tileas.pipeline.advance %j0 : !i
    %w1 = nv_tileas.pipeline.acquire %p[%j1] if %h1 : !p -> !slot
    %t1 = nv_tileas.async.copy %v[%c1, %c0] into %w1 if %h1 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j1] if %h1 : !p
    %j2 = nv_tileas.pipeline.advance %j1 : !i
    %c2 = arith.constant 2 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j2, %k = %k0) -> (!i, !i) : i32 {
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 1 : i32} : !p -> !slot
      %q = arith.addi %i, %c2 : i32
      %h = arith.cmpi slt, %q, %n : i32
      %w = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot
      %t = nv_tileas.async.copy %v[%q, %c0] into %w {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] if %h : !p
      %j3 = nv_tileas.pipeline.advance %j : !i
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j3, %k1 : !i, !i
    }
    nv_tileaa.return
  }
}

// -----

// A wait that is too shallow.
#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m {
  nv_tileaa.func kernel @skewed(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %h0 = arith.cmpi sgt, %n, %c0 : i32
    %h1 = arith.cmpi sgt, %n, %c1 : i32
    %w0 = nv_tileas.pipeline.acquire %p[%j0] if %h0 : !p -> !slot
    %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %h0 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j0] if %h0 : !p
    %j1 = nv_tileas.pipeline.advance %j0 : !i
    %w1 = nv_tileas.pipeline.acquire %p[%j1] if %h1 : !p -> !slot
    %t1 = nv_tileas.async.copy %v[%c1, %c0] into %w1 if %h1 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j1] if %h1 : !p
    %j2 = nv_tileas.pipeline.advance %j1 : !i
    %c2 = arith.constant 2 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j2, %k = %k0) -> (!i, !i) : i32 {
      // expected-error @below {{'nv_tileas.pipeline.wait' op leaves 2 groups in flight, but only 1 are younger than the slot's}}
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 2 : i32} : !p -> !slot
      %q = arith.addi %i, %c2 : i32
      %h = arith.cmpi slt, %q, %n : i32
      %w = nv_tileas.pipeline.acquire %p[%j] if %h : !p -> !slot
      %t = nv_tileas.async.copy %v[%q, %c0] into %w if %h {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] if %h : !p
      %j3 = nv_tileas.pipeline.advance %j : !i
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j3, %k1 : !i, !i
    }
    nv_tileaa.return
  }
}

// -----

// No empty mbarriers.
#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m {
  nv_tileaa.func kernel @skewed(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    // expected-error @below {{empty = mbarrier is for the producer 'tma' and the consumer 'umma'}}
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = mbarrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %h0 = arith.cmpi sgt, %n, %c0 : i32
    %h1 = arith.cmpi sgt, %n, %c1 : i32
    %w0 = nv_tileas.pipeline.acquire %p[%j0] if %h0 : !p -> !slot
    %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %h0 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j0] if %h0 : !p
    %j1 = nv_tileas.pipeline.advance %j0 : !i
    %w1 = nv_tileas.pipeline.acquire %p[%j1] if %h1 : !p -> !slot
    %t1 = nv_tileas.async.copy %v[%c1, %c0] into %w1 if %h1 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j1] if %h1 : !p
    %j2 = nv_tileas.pipeline.advance %j1 : !i
    %c2 = arith.constant 2 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j2, %k = %k0) -> (!i, !i) : i32 {
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 1 : i32} : !p -> !slot
      %q = arith.addi %i, %c2 : i32
      %h = arith.cmpi slt, %q, %n : i32
      %w = nv_tileas.pipeline.acquire %p[%j] if %h : !p -> !slot
      %t = nv_tileas.async.copy %v[%q, %c0] into %w if %h {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] if %h : !p
      %j3 = nv_tileas.pipeline.advance %j : !i
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j3, %k1 : !i, !i
    }
    nv_tileaa.return
  }
}

// -----

// The producer of a slot would wait for the MMA that reads it.
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
!ring = !nv_tileas.buffer<[1] 64x64xbf16, #s>
!slot = !nv_tileas.buffer<64x64xbf16, #s>
!p = !nv_tileas.pipeline<1, (buffer<64x64xbf16, #s>)>
!i = !nv_tileas.pipeline_iterator<1>
!map = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  nv_tileaa.func kernel @all_read(%map: !map) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %b = nv_tileas.alloc_tensor : !ring
    // expected-error @below {{MMAs may read all slots; no slot would be filled}}
    %p = nv_tileas.pipeline.create %b {producer = tma, consumers = [generic], sync = mbarrier, empty = mbarrier} : !ring -> !p
    %j = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %w = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot
    %t = nv_tileas.async.tma_load %map[%c0, %c0] into %w : !map -> !slot
    nv_tileas.pipeline.commit %p[%j] : !p
    %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
    nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32, pending = 1 : i32} : !p
    nv_tileaa.return
  }
}

// -----

#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
!ring = !nv_tileas.buffer<[2] 64x64xbf16, #s>
!p = !nv_tileas.pipeline<2, (buffer<64x64xbf16, #s>)>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  nv_tileaa.func kernel @beside_the_unit() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %b = nv_tileas.alloc_tensor : !ring
    // expected-error @below {{the consumer 'umma' excludes other consumers}}
    %p = nv_tileas.pipeline.create %b {producer = tma, consumers = [umma, generic], sync = mbarrier, empty = mbarrier} : !ring -> !p
    nv_tileaa.return
  }
}

// -----

#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
!ring = !nv_tileas.buffer<[2] 64x64xbf16, #s>
!p = !nv_tileas.pipeline<2, (buffer<64x64xbf16, #s>)>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  nv_tileaa.func kernel @kept_by_the_unit() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %b = nv_tileas.alloc_tensor : !ring
    // expected-error @below {{the consumer 'umma' releases slots by empty = mbarrier}}
    %p = nv_tileas.pipeline.create %b {producer = tma, consumers = [umma], sync = mbarrier, empty = barrier} : !ring -> !p
    nv_tileaa.return
  }
}
