// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-buffers{share=always})))' | FileCheck %s
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-buffers{share=never})))' | FileCheck %s --check-prefix=APART
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-buffers{share=always},tileas-insert-barriers,tileas-check-barriers)))' -o /dev/null

#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
#b = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [4, 1], lanes = [16, 2], warps = [1, 4], order = [0, 1]>>
// Four warps for the rows of a column.
#w = #nv_tileas.layout<reg, [64, 128], blocked<per_thread = [16, 2], lanes = [1, 32], warps = [4, 1], order = [1, 0]>>
#wr = #nv_tileas.layout<reg, [128], slice<0, #w>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!t = tensor<64x64xf16, #a>
!f = tensor<64x64xf32, #a>
!g = tensor<64x64xf32, #b>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 4 : i32} {
  // One buffer after the other: the second and the exchange take the bytes of the first.
  // CHECK-LABEL: nv_tileaa.func @behind(
  // CHECK-SAME: nv_tileas.smem_align = 128 : i32, nv_tileas.smem_bytes = 16384 : i32
  // CHECK: alloc_tensor {smem_offset = 0 : i32}
  // CHECK: alloc_tensor {smem_offset = 0 : i32}
  // CHECK: convert_layout %{{.*}} {nv_tileas.scratch_offset = 0 : i32}
  // APART-LABEL: nv_tileaa.func @behind(
  // APART-SAME: nv_tileas.smem_bytes = 32768 : i32
  // APART: alloc_tensor {smem_offset = 0 : i32}
  // APART: alloc_tensor {smem_offset = 8192 : i32}
  // APART: convert_layout %{{.*}} {nv_tileas.scratch_offset = 16384 : i32}
  nv_tileaa.func @behind(%x: !t, %y: !f) -> !g {
    %p = nv_tileas.alloc_tensor : !b
    nv_tileas.copy %x, %p : !t, !b
    nv_tileas.dealloc %p : !b
    %q = nv_tileas.alloc_tensor : !b
    nv_tileas.copy %x, %q : !t, !b
    nv_tileas.dealloc %q : !b
    %z = nv_tileas.convert_layout %y : !f -> !g
    nv_tileaa.return %z : !g
  }

  // Sums alternate in the region that they share, so that no barrier separates one from the
  // next: the third takes the bytes of the first. Exchanges as large as these would cost CTAs.
  // APART-LABEL: nv_tileaa.func @turns(
  // APART-SAME: nv_tileas.smem_bytes = 2048 : i32
  // APART: nv_tileas.reduce {{.*}}nv_tileas.scratch_offset = 0 : i32
  // APART: nv_tileas.reduce {{.*}}nv_tileas.scratch_offset = 1024 : i32
  // APART: nv_tileas.reduce {{.*}}nv_tileas.scratch_offset = 0 : i32
  // APART-LABEL: nv_tileaa.func @no_turns(
  // APART-SAME: nv_tileas.smem_bytes = 16384 : i32
  // APART: convert_layout %{{.*}} {nv_tileas.scratch_offset = 0 : i32}
  // APART: convert_layout %{{.*}} {nv_tileas.scratch_offset = 0 : i32}
  nv_tileaa.func @turns(%x: tensor<64x128xf16, #w>) -> (tensor<128xf16, #wr>, tensor<128xf16, #wr>, tensor<128xf16, #wr>) {
    %0 = nv_tileas.reduce %x axis = 0 identities = [0.0 : f16] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<64x128xf16, #w> -> tensor<128xf16, #wr> {
    ^bb0(%e: f16, %a: f16):
      %s = arith.addf %e, %a : f16
      nv_tileas.yield %s : f16
    }
    %1 = nv_tileas.reduce %x axis = 0 identities = [0.0 : f16] {atom = #nv_tileas.reduce_atom<fmax, impl = auto>} : tensor<64x128xf16, #w> -> tensor<128xf16, #wr> {
    ^bb0(%e: f16, %a: f16):
      %s = arith.maximumf %e, %a : f16
      nv_tileas.yield %s : f16
    }
    %2 = nv_tileas.reduce %x axis = 0 identities = [0.0 : f16] {atom = #nv_tileas.reduce_atom<fmin, impl = auto>} : tensor<64x128xf16, #w> -> tensor<128xf16, #wr> {
    ^bb0(%e: f16, %a: f16):
      %s = arith.minimumf %e, %a : f16
      nv_tileas.yield %s : f16
    }
    nv_tileaa.return %0, %1, %2 : tensor<128xf16, #wr>, tensor<128xf16, #wr>, tensor<128xf16, #wr>
  }
  nv_tileaa.func @no_turns(%x: !f) -> !f {
    %0 = nv_tileas.convert_layout %x : !f -> !g
    %1 = nv_tileas.convert_layout %0 : !g -> !f
    nv_tileaa.return %1 : !f
  }

  // Both are live at once; the first exchange takes the bytes of the free one, the second those of both.
  // CHECK-LABEL: nv_tileaa.func @beside(
  // CHECK-SAME: nv_tileas.smem_bytes = 16384 : i32
  // CHECK: alloc_tensor {smem_offset = 0 : i32}
  // CHECK: alloc_tensor {smem_offset = 8192 : i32}
  // CHECK: convert_layout %{{.*}} {nv_tileas.scratch_offset = 0 : i32}
  // CHECK: convert_layout %{{.*}} {nv_tileas.scratch_offset = 0 : i32}
  nv_tileaa.func @beside(%x: !t, %y: !f) -> (!g, tensor<64x64xf16, #b>) {
    %p = nv_tileas.alloc_tensor : !b
    %q = nv_tileas.alloc_tensor : !b
    nv_tileas.copy %x, %p : !t, !b
    nv_tileas.copy %x, %q : !t, !b
    nv_tileas.dealloc %p : !b
    %h = nv_tileas.convert_layout %x : !t -> tensor<64x64xf16, #b>
    nv_tileas.dealloc %q : !b
    %z = nv_tileas.convert_layout %y : !f -> !g
    nv_tileaa.return %z, %h : !g, tensor<64x64xf16, #b>
  }

  // A buffer that is freed after the loop is live through all of it; one of an iteration is not.
  // CHECK-LABEL: nv_tileaa.func @loop(
  // CHECK-SAME: nv_tileas.smem_bytes = 24576 : i32
  // CHECK: alloc_tensor {smem_offset = 0 : i32}
  // CHECK: scf.for
  // CHECK: alloc_tensor {smem_offset = 8192 : i32}
  // CHECK: convert_layout %{{.*}} {nv_tileas.scratch_offset = 8192 : i32}
  // CHECK: convert_layout %{{.*}} {nv_tileas.scratch_offset = 0 : i32}
  nv_tileaa.func @loop(%x: !t, %y: !f, %n: i32) -> !g {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %p = nv_tileas.alloc_tensor : !b
    nv_tileas.copy %x, %p : !t, !b
    scf.for %i = %c0 to %n step %c1 : i32 {
      %q = nv_tileas.alloc_tensor : !b
      nv_tileas.copy %x, %q : !t, !b
      nv_tileas.dealloc %q : !b
      %z = nv_tileas.convert_layout %y : !f -> !g
    }
    nv_tileas.dealloc %p : !b
    %z = nv_tileas.convert_layout %y : !f -> !g
    nv_tileaa.return %z : !g
  }

  // A lost lifetime end keeps the bytes, through the loop around it, too.
  // CHECK-LABEL: nv_tileaa.func @kept(
  // CHECK-SAME: nv_tileas.smem_bytes = 24576 : i32
  // CHECK: scf.for
  // CHECK: convert_layout %{{.*}} {nv_tileas.scratch_offset = 8192 : i32}
  // CHECK: alloc_tensor {smem_offset = 0 : i32}
  nv_tileaa.func @kept(%x: !t, %y: !f, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %z = nv_tileas.convert_layout %y : !f -> !g
      %q = nv_tileas.alloc_tensor : !b
      nv_tileas.copy %x, %q : !t, !b
    }
    nv_tileaa.return
  }

  // Freed in a branch: alive until its end.
  // CHECK-LABEL: nv_tileaa.func @branch(
  // CHECK: convert_layout %{{.*}} {nv_tileas.scratch_offset = 8192 : i32}
  // CHECK: convert_layout %{{.*}} {nv_tileas.scratch_offset = 0 : i32}
  nv_tileaa.func @branch(%x: !t, %y: !f, %c: i1) -> !g {
    %p = nv_tileas.alloc_tensor : !b
    nv_tileas.copy %x, %p : !t, !b
    scf.if %c {
      nv_tileas.dealloc %p : !b
      %u = nv_tileas.convert_layout %y : !f -> !g
    } else {
      nv_tileas.dealloc %p : !b
    }
    %z = nv_tileas.convert_layout %y : !f -> !g
    nv_tileaa.return %z : !g
  }

  // Mbarriers come last, side by side.
  // CHECK-LABEL: nv_tileaa.func @objects(
  // CHECK-SAME: nv_tileas.smem_bytes = 8240 : i32
  // CHECK: mbarrier.alloc {smem_offset = 8192 : i32}
  // CHECK: mbarrier.alloc {smem_offset = 8224 : i32}
  // CHECK: alloc_tensor {smem_offset = 0 : i32}
  // APART-LABEL: nv_tileaa.func @objects(
  // APART-SAME: nv_tileas.smem_bytes = 8240 : i32
  // APART: mbarrier.alloc {smem_offset = 8192 : i32}
  // APART: mbarrier.alloc {smem_offset = 8224 : i32}
  nv_tileaa.func @objects(%x: !t) {
    %m = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[4]>
    %n = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[1]>
    %p = nv_tileas.alloc_tensor : !b
    nv_tileas.copy %x, %p : !t, !b
    nv_tileas.dealloc %p : !b
    nv_tileaa.return
  }
}
