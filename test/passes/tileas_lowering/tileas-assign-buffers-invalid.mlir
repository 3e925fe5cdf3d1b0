// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-buffers)))' --split-input-file --verify-diagnostics
// RUN: not %tileir-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-buffers{share=some})))' 2>&1 | FileCheck %s
// RUN: not %tileir-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm{prepare=none}))' 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: error: share must be 'always', 'never' or 'auto', is 'some'
// NONE: error: 'nv_tileaa.func' op has no storage; run tileas-legalize-layouts, tileas-assign-buffers and tileas-insert-barriers

#w = #nv_tileas.layout<smem, [128, 128], linear<order = [1, 0]>>
!w = !nv_tileas.buffer<128x128xf32, #w>
gpu.module @large attributes {nv_tileaa.target_spec = "sm_86"} {
  // expected-note @below {{Entry function 'f' uses too much shared data (0x20000 bytes, 0x18c00 max)}}
  // expected-note @below {{the kernel needs 131072 bytes of shared memory, 'sm_86' has 101376; use smaller tiles}}
  // expected-error @below {{fails to assign smem buffer}}
  nv_tileaa.func @f() {
    // expected-note @below {{65536 bytes for this operation}}
    %p = nv_tileas.alloc_tensor : !w
    // expected-note @below {{65536 bytes for this operation}}
    %q = nv_tileas.alloc_tensor : !w
    nv_tileas.dealloc %p : !w
    nv_tileas.dealloc %q : !w
    nv_tileaa.return
  }
}

// -----

gpu.module @no_target {
  // expected-error @below {{Failed to get ComputeCapability}}
  nv_tileaa.func @f() {
    nv_tileaa.return
  }
}

// -----

gpu.module @heap attributes {nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func @f(%i: i32, %x: i8) {
    // expected-error @below {{local arrays of a tile block take 1200000000 bytes beside the 116224 of shared memory they may have, the most is 1073741824; make them smaller, or pass a buffer}}
    %p = nv_tileas.alloca 1200000000 align 4 : !nv_tileaa.ptr<i8>
    nv_tileaa.return
  }
}

// -----

gpu.module @limit attributes {nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func @f(%i: i32, %x: i8) {
    // expected-warning @below {{local arrays of a tile block take 9000000 bytes of the device's heap, which holds 8388608 for all blocks; raise cudaLimitMallocHeapSize}}
    %p = nv_tileas.alloca 9000000 align 4 : !nv_tileaa.ptr<i8>
    nv_tileaa.return
  }
}
