// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-check-barriers)))' --split-input-file --verify-diagnostics
// A function that is too large is left out.
// RUN: sed /expected-/d %s | %tileir-opt --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-check-barriers{max-operations=0})))' --split-input-file -o /dev/null

// A barrier left out between the threads that write and those that read.
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!t = tensor<64x64xf16, #a>
gpu.module @left_out {
  nv_tileaa.func @f(%x: !t) -> !t {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    // expected-note @below {{is this one}}
    nv_tileas.copy %x, %p : !t, !b
    // expected-error @below {{'nv_tileas.copy' op touches bytes 0 to 8192 of shared memory that another operation may still be writing; no barrier is between them}}
    %y = nv_tileas.copy %p : !b -> !t
    nv_tileaa.return %y : !t
  }
}

// -----

// Left out around a loop: the next iteration writes what this one still reads.
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!t = tensor<64x64xf16, #a>
gpu.module @around {
  nv_tileaa.func @f(%x: !t, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    scf.for %i = %c0 to %n step %c1 : i32 {
      // expected-error @below {{'nv_tileas.copy' op touches bytes 0 to 8192 of shared memory that another operation may still be reading}}
      nv_tileas.copy %x, %p : !t, !b
      nv_tileas.barrier cta
      // expected-note @below {{is this one}}
      %y = nv_tileas.copy %p : !b -> !t
    }
    nv_tileas.dealloc %p : !b
    nv_tileaa.return
  }
}

// -----

// One side of a branch has no barrier.
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
#b = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [4, 1], lanes = [16, 2], warps = [1, 4], order = [0, 1]>>
!t = tensor<64x64xf16, #a>
!u = tensor<64x64xf16, #b>
gpu.module @one_side {
  nv_tileaa.func @f(%x: !t, %c: i1) -> (!u, !u) {
    // expected-note @below {{is this one}}
    %y = nv_tileas.convert_layout %x {nv_tileas.scratch_offset = 0 : i32} : !t -> !u
    scf.if %c {
      nv_tileas.barrier cta
    }
    // expected-error @below {{'nv_tileas.convert_layout' op touches bytes 0 to 8192 of shared memory that another operation may still be reading}}
    %z = nv_tileas.convert_layout %x {nv_tileas.scratch_offset = 0 : i32} : !t -> !u
    nv_tileaa.return %y, %z : !u, !u
  }
}

// -----

// Released too early: the bytes may belong to another buffer when they are read.
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!t = tensor<64x64xf16, #a>
gpu.module @early {
  nv_tileaa.func @f(%x: !t) -> !t {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    nv_tileas.copy %x, %p : !t, !b
    nv_tileas.barrier cta
    // expected-note @below {{is this one}}
    nv_tileas.dealloc %p : !b
    // expected-error @below {{'nv_tileas.copy' op uses a buffer after the end of its live range}}
    %y = nv_tileas.copy %p : !b -> !t
    nv_tileaa.return %y : !t
  }
}

// -----

// The end of a live range is lost: the bytes go to another buffer all the same.
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
gpu.module @lost {
  nv_tileaa.func @f() {
    // expected-note @below {{is this one}}
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    // expected-error @below {{'nv_tileas.alloc_tensor' op gets bytes 4096 to 12288 of shared memory while a buffer there is still alive}}
    %q = nv_tileas.alloc_tensor {smem_offset = 4096 : i32} : !b
    nv_tileaa.return
  }
}

// -----

// The same for what an operation needs while it runs.
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
#b = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [4, 1], lanes = [16, 2], warps = [1, 4], order = [0, 1]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!t = tensor<64x64xf16, #a>
!u = tensor<64x64xf16, #b>
gpu.module @lost_scratch {
  nv_tileaa.func @f(%x: !t) -> !u {
    // expected-note @below {{is this one}}
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    nv_tileas.copy %x, %p : !t, !b
    nv_tileas.barrier cta
    // expected-error @below {{'nv_tileas.convert_layout' op gets bytes 0 to 8192 of shared memory while a buffer there is still alive}}
    %y = nv_tileas.convert_layout %x {nv_tileas.scratch_offset = 0 : i32} : !t -> !u
    nv_tileas.dealloc %p : !b
    nv_tileaa.return %y : !u
  }
}

// -----

// The wait leaves the very group open that is read.
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!t = tensor<64x64xf16, #a>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x64xf16, strides = [64, 1]>, padding = zero>
gpu.module @open {
  nv_tileaa.func @f(%v: !v, %i: i32) -> !t {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    // expected-note @below {{is this one}}
    %t = nv_tileas.async.copy %v[%i, %i] into %p {via = #a} : !v[i32, i32] -> !b
    nv_tileas.async.commit_group
    nv_tileas.async.wait_group {pending = 1 : i32}
    nv_tileas.barrier cta
    // expected-error @below {{'nv_tileas.copy' op touches bytes 0 to 8192 of shared memory that a copy may still be writing; no wait covers it}}
    %y = nv_tileas.copy %p : !b -> !t
    nv_tileaa.return %y : !t
  }
}

// -----

// The barrier precedes the wait: the copies of other threads may still be in flight.
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!t = tensor<64x64xf16, #a>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x64xf16, strides = [64, 1]>, padding = zero>
gpu.module @swapped {
  nv_tileaa.func @f(%v: !v, %i: i32) -> !t {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    %t = nv_tileas.async.copy %v[%i, %i] into %p {via = #a} : !v[i32, i32] -> !b
    nv_tileas.async.commit_group
    nv_tileas.barrier cta
    // expected-note @below {{is this one}}
    nv_tileas.async.wait_group {pending = 0 : i32}
    // expected-error @below {{'nv_tileas.copy' op touches bytes 0 to 8192 of shared memory that another operation may still be writing}}
    %y = nv_tileas.copy %p : !b -> !t
    nv_tileaa.return %y : !t
  }
}

// -----

// A token without its barrier: other threads load what one stores.
#r = #nv_tileas.layout<reg, [256], blocked<per_thread = [2], lanes = [32], warps = [4], order = [0]>>
#q = #nv_tileas.layout<reg, [256], blocked<per_thread = [1], lanes = [32], warps = [4], order = [0]>>
!v = !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>
gpu.module @token {
  nv_tileaa.func @f(%v: !v, %x: tensor<256xf32, #r>, %i: i32) -> tensor<256xf32, #q> {
    // expected-note @below {{is this one}}
    %t0 = nv_tileas.tiled_store weak %x, %v[%i] : tensor<256xf32, #r>, !v[i32]
    %t1 = nv_tileas.join_mem_token %t0, %t0
    // expected-error @below {{'nv_tileas.tiled_load' op must come after another access; no barrier is between them}}
    %y, %t2 = nv_tileas.tiled_load weak %v[%i] token %t1 : !v[i32] -> tensor<256xf32, #q>
    nv_tileaa.return %y : tensor<256xf32, #q>
  }
}

// -----

// A token that goes around a loop: the store of the next iteration waits for the load of this one.
#r = #nv_tileas.layout<reg, [256], blocked<per_thread = [2], lanes = [32], warps = [4], order = [0]>>
!v = !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>
gpu.module @token_around {
  nv_tileaa.func @f(%v: !v, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %t = nv_tileas.create_mem_token
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t0 = %t) -> (!nv_tileaa.mem_token) : i32 {
      // expected-note @below {{is this one}}
      %x, %t1 = nv_tileas.tiled_load weak %v[%i] token %t0 : !v[i32] -> tensor<256xf32, #r>
      // expected-error @below {{'nv_tileas.tiled_store' op must come after another access}}
      %t2 = nv_tileas.tiled_store weak %x, %v[%i] token %t1 : tensor<256xf32, #r>, !v[i32]
      scf.yield %t2 : !nv_tileaa.mem_token
    }
    nv_tileaa.return
  }
}

// -----

// The engine for tensor copies would overtake what threads wrote: a barrier without a fence.
#s = #nv_tileas.layout<smem, [64, 64], swizzled<b128, major = 1, bits = 16>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xbf16, #s>
!d = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
!t = tensor<64x64xbf16, #a>
gpu.module @no_fence {
  nv_tileaa.func @f(%x: !t, %d: !d, %bar: !nv_tileas.mbarrier, %i: i32) {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    // expected-note @below {{is this one}}
    nv_tileas.copy %x, %p : !t, !b
    nv_tileas.barrier cta
    // expected-error @below {{'nv_tileas.async.tma_load' op touches shared memory by the asynchronous proxy after threads wrote there; no fence and barrier are between them}}
    %k = nv_tileas.async.tma_load %d[%i, %i] into %p signal %bar : !d -> !b
    nv_tileaa.return
  }
}

// -----

// A fence after the barrier: the others may not have executed theirs.
#s = #nv_tileas.layout<smem, [64, 64], swizzled<b128, major = 1, bits = 16>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xbf16, #s>
!d = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
!t = tensor<64x64xbf16, #a>
gpu.module @late_fence {
  nv_tileaa.func @f(%x: !t, %d: !d, %bar: !nv_tileas.mbarrier, %i: i32) {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    // expected-note @below {{is this one}}
    nv_tileas.copy %x, %p : !t, !b
    nv_tileas.barrier cta
    nv_tileas.fence proxy_async_shared
    // expected-error @below {{'nv_tileas.async.tma_load' op touches shared memory by the asynchronous proxy after threads wrote there; no fence and barrier are between them}}
    %k = nv_tileas.async.tma_load %d[%i, %i] into %p signal %bar : !d -> !b
    nv_tileaa.return
  }
}

// -----

// Memory that the kernel wrote itself.
#s = #nv_tileas.layout<smem, [64, 64], swizzled<b128, major = 1, bits = 16>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xbf16, #s>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = zero>
!d = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
!t = tensor<64x64xbf16, #a>
gpu.module @stored {
  nv_tileaa.func @f(%x: !t, %v: !v, %bar: !nv_tileas.mbarrier, %i: i32) {
    %d = nv_tileas.make_tiled_tma_desc %v : !v -> !d
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    // expected-note @below {{is this one}}
    %s = nv_tileas.tiled_store weak %x, %v[%i, %i] : !t, !v[i32, i32]
    nv_tileas.barrier cta
    // expected-error @below {{'nv_tileas.async.tma_load' op touches memory by the asynchronous proxy after threads wrote there; no fence and barrier are between them}}
    %k = nv_tileas.async.tma_load %d[%i, %i] into %p signal %bar token %s : !d -> !b
    nv_tileaa.return
  }
}
