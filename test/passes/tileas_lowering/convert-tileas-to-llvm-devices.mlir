// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that depend on the launch, on other grids and on other devices; memory that the tile block allocates; elements of 4 bits.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#a = #nv_tileas.layout<reg, [256], blocked<per_thread = [4], lanes = [32], warps = [2], order = [0]>>
#h = #nv_tileas.layout<reg, [256], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>
#n = #nv_tileas.layout<reg, [8, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [2, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>
!w = !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf16, strides = [1]>>
!f4 = !nv_tileaa.tiled_view<8x64 of !nv_tileaa.memref<?x?xf4E2M1FN, strides = [?, 1]>>

gpu.module @sm80 attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 2 : i32} {
  // A tile is inside or outside as a whole: one comparison for all its elements.
  // CHECK-LABEL: llvm.func @whole(
  //       CHECK:   %[[IN:.*]] = llvm.icmp "ult" %{{.*}}, %{{.*}} : i64
  //   CHECK-NOT:   llvm.icmp
  //       CHECK:   llvm.inline_asm {{.*}}st.global.v4.b32
  nv_tileaa.func @whole(%v: !v, %i: i32, %x: tensor<256xf32, #a>) {
    %t = nv_tileas.tiled_store weak %x, %v[%i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 256>, nv_tileas.whole = array<i1: true>} : tensor<256xf32, #a>, !v[i32]
    nv_tileaa.return
  }

  // Grids follow each other.
  // CHECK-LABEL: llvm.func @dependent(
  //   CHECK-NOT:   griddepcontrol
  //       CHECK:   llvm.return
  nv_tileaa.func @dependent() {
    %t = nv_tileas.grid_dependency wait
    nv_tileaa.return
  }

  // Two elements a byte: 8 of a thread are 4 bytes.
  // CHECK-LABEL: llvm.func @nibbles(
  //       CHECK:   llvm.inline_asm {{.*}} "@$2 ld.global.b32 $0, [$1];"
  //       CHECK:   llvm.inline_asm {{.*}} "@$2 st.global.b32 [$0], $1;"
  nv_tileaa.func @nibbles(%v: !f4, %i: i32) {
    %x, %t0 = nv_tileas.tiled_load weak %v[%i, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 64>} : !f4[i32, i32] -> tensor<8x64xf4E2M1FN, #n>
    %t1 = nv_tileas.tiled_store weak %x, %v[%i, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 64>} : tensor<8x64xf4E2M1FN, #n>, !f4[i32, i32]
    nv_tileaa.return
  }

  // All addresses are known: shared memory. In a loop the next iteration waits for the previous one.
  // CHECK-LABEL: llvm.func @shared(
  //       CHECK:   nvvm.barrier0
  //       CHECK:   llvm.mlir.addressof @global_smem : !llvm.ptr<3>
  //       CHECK:   llvm.inline_asm {{.*}}st.shared.b32
  //   CHECK-NOT:   malloc
  //       CHECK:   llvm.return
  nv_tileaa.func @shared(%c: f32, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %p = nv_tileas.alloca 64 align 16 : !nv_tileaa.ptr<f32>
      %q = nv_tileas.addptr %p, %i : !nv_tileaa.ptr<f32>, i32
      %t = nv_tileas.store weak %q, %c : !nv_tileaa.ptr<f32>, f32
    }
    nv_tileaa.return
  }

  // An address that leaves: one thread allocates for all, and frees at the end.
  // CHECK-LABEL: llvm.func @heap(
  //       CHECK:   llvm.call @malloc(%{{.*}}) : (i64) -> !llvm.ptr
  //       CHECK:   nvvm.barrier0
  //       CHECK:   llvm.intr.trap
  //       CHECK:   llvm.addrspacecast %{{.*}} : !llvm.ptr to !llvm.ptr<1>
  //       CHECK:   llvm.ptrtoint
  //       CHECK:   nvvm.barrier0
  //       CHECK:   llvm.call @free(%{{.*}}) : (!llvm.ptr) -> ()
  nv_tileaa.func @heap(%o: !nv_tileaa.ptr<i64>) {
    %p = nv_tileas.alloca 64 align 4 : !nv_tileaa.ptr<f32>
    %n = nv_tileas.ptr_to_int %p : !nv_tileaa.ptr<f32> -> i64
    %t = nv_tileas.store weak %o, %n : !nv_tileaa.ptr<i64>, i64
    nv_tileaa.return
  }
}

gpu.module @sm90 attributes {nv_tileaa.target_spec = "sm_90a", nv_tileaa.num_warps = 2 : i32} {
  // CHECK-LABEL: llvm.func @dependent(
  //       CHECK:   llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.wait;", "~{memory}"
  //       CHECK:   llvm.inline_asm has_side_effects {{.*}}"fence.proxy.alias;", "~{memory}"
  //       CHECK:   llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.launch_dependents;", "~{memory}"
  nv_tileaa.func @dependent() {
    %t = nv_tileas.grid_dependency wait
    nv_tileas.fence proxy_alias
    %u = nv_tileas.grid_dependency launch_dependents token %t
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @clustered(
  //       CHECK:   nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}
  //       CHECK:   nvvm.cluster.arrive {aligned}
  //  CHECK-NEXT:   nvvm.cluster.wait {aligned}
  //  CHECK-NEXT:   nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}
  nv_tileaa.func @clustered() {
    %t = nv_tileas.grid_dependency wait
    %u = nv_tileas.grid_dependency wait token %t {tileir.cluster_wait}
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @multicast(
  //       CHECK:   llvm.inline_asm {{.*}} "multimem.ld_reduce.relaxed.sys.global.add.f32 $0, [$1];", "=r,l"
  //       CHECK:   llvm.inline_asm {{.*}} "multimem.st.weak.global.b32 [$0], $1;", "l,r"
  //       CHECK:   llvm.inline_asm {{.*}} "multimem.red.release.sys.global.add.f32 [$0], $1;", "l,r"
  nv_tileaa.func @multicast(%v: !v, %i: i32) {
    %x, %t0 = nv_tileas.tiled_load relaxed sys %v[%i] in_bounds = [true] {nv_tileaa.multimem = #nv_tileaa.rmw_mode<add>} : !v[i32] -> tensor<256xf32, #a>
    %t1 = nv_tileas.tiled_store weak %x, %v[%i] in_bounds = [true] {nv_tileaa.multimem = #nv_tileaa.rmw_mode<xchg>} : tensor<256xf32, #a>, !v[i32]
    %t2 = nv_tileas.tiled_atomic_rmw add release sys %v[%i], %x in_bounds = [true] {nv_tileaa.multimem = #nv_tileaa.rmw_mode<add>} : !v[i32], tensor<256xf32, #a>
    nv_tileaa.return
  }

  // Halves move in pairs, which a layout of single ones is changed for.
  // CHECK-LABEL: llvm.func @multicast_halves(
  //       CHECK:   llvm.inline_asm {{.*}} "@$2 multimem.ld_reduce.acquire.gpu.global.max.f16x2 $0, [$1];", "=&r,l,b"
  nv_tileaa.func @multicast_halves(%v: !w, %i: i32) {
    %x, %t0 = nv_tileas.tiled_load acquire gpu %v[%i] {nv_tileaa.multimem = #nv_tileaa.rmw_mode<max>, nv_tileas.align = 4 : i32, nv_tileas.contiguous = array<i32: 2>} : !w[i32] -> tensor<256xf16, #h>
    %t1 = nv_tileas.print "%f", %x : tensor<256xf16, #h>
    nv_tileaa.return
  }
}
