// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers that share bytes by default: only what gains by it.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-buffers)))' | FileCheck %s

#w = #nv_tileas.layout<smem, [128, 128], linear<order = [1, 0]>>
#v = #nv_tileas.layout<smem, [256, 128], linear<order = [1, 0]>>
!w = !nv_tileas.buffer<128x128xf32, #w>
!v = !nv_tileas.buffer<256x128xf32, #v>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 4 : i32} {
  // 64 KB and 128 KB do not fit side by side: by default they share.
  // CHECK-LABEL: nv_tileaa.func @full(
  // CHECK-SAME: nv_tileas.smem_bytes = 131072 : i32
  // CHECK: alloc_tensor {smem_offset = 0 : i32}
  // CHECK: alloc_tensor {smem_offset = 0 : i32}
  nv_tileaa.func @full() {
    %p = nv_tileas.alloc_tensor : !w
    nv_tileas.dealloc %p : !w
    %q = nv_tileas.alloc_tensor : !v
    nv_tileas.dealloc %q : !v
    nv_tileaa.return
  }

  // 64 KB alone let two CTAs run on an SM, twice as much only one.
  // CHECK-LABEL: nv_tileaa.func @two_ctas(
  // CHECK-SAME: nv_tileas.smem_bytes = 65536 : i32
  nv_tileaa.func @two_ctas() {
    %p = nv_tileas.alloc_tensor : !w
    nv_tileas.dealloc %p : !w
    %q = nv_tileas.alloc_tensor : !w
    nv_tileas.dealloc %q : !w
    nv_tileaa.return
  }

  // A few bytes more or less decide nothing: threads do.
  // CHECK-LABEL: nv_tileaa.func @many_ctas(
  // CHECK-SAME: nv_tileas.smem_bytes = 1024 : i32
  nv_tileaa.func @many_ctas() {
    %p = nv_tileas.alloc_tensor : !nv_tileas.buffer<256xi8, #nv_tileas.layout<smem, [256], linear<order = [0]>>>
    nv_tileas.dealloc %p : !nv_tileas.buffer<256xi8, #nv_tileas.layout<smem, [256], linear<order = [0]>>>
    %q = nv_tileas.alloc_tensor {alignment = 512 : i32} : !nv_tileas.buffer<512xi8, #nv_tileas.layout<smem, [512], linear<order = [0]>>>
    nv_tileas.dealloc %q : !nv_tileas.buffer<512xi8, #nv_tileas.layout<smem, [512], linear<order = [0]>>>
    nv_tileaa.return
  }

  // A fitting allocation of the block is in shared memory with an offset; any other is a pointer that one thread broadcasts.
  // CHECK-LABEL: nv_tileaa.func @block_memory(
  // CHECK-SAME: nv_tileas.smem_bytes = 272 : i32
  // CHECK: alloca 64 align 16 {nv_tileas.scratch_offset = 0 : i32} : !nv_tileaa.ptr<f32, 3>
  // CHECK: alloca 64 align 4 {nv_tileas.scratch_offset = 256 : i32} : !nv_tileaa.ptr<f32>
  nv_tileaa.func @block_memory(%c: f32) -> i64 {
    %p = nv_tileas.alloca 64 align 16 : !nv_tileaa.ptr<f32>
    %t = nv_tileas.store weak %p, %c : !nv_tileaa.ptr<f32>, f32
    %q = nv_tileas.alloca 64 align 4 : !nv_tileaa.ptr<f32>
    %n = nv_tileas.ptr_to_int %q : !nv_tileaa.ptr<f32> -> i64
    nv_tileaa.return %n : i64
  }

  // No storage is a number, too: the function has been here.
  // CHECK-LABEL: nv_tileaa.func @none(
  // CHECK-SAME: nv_tileas.smem_bytes = 0 : i32
  nv_tileaa.func @none() {
    nv_tileaa.return
  }
}
