// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#a = #nv_tileas.layout<reg, [256], blocked<per_thread = [4], lanes = [32], warps = [2], order = [0]>>
#few = #nv_tileas.layout<reg, [32], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>
#s = #nv_tileas.layout<reg, [128, 2], blocked<per_thread = [1, 2], lanes = [32, 1], warps = [2, 1], order = [1, 0]>>
#rows = #nv_tileas.layout<reg, [128], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>
!m = !nv_tileaa.memref<?xf32, strides = [1]>
!v = !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>
!vpad = !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>, padding = neg_inf>
!vfew = !nv_tileaa.tiled_view<32 of !nv_tileaa.memref<?xf32, strides = [1]>>
!g = !nv_tileaa.tiled_view<128x2 of !nv_tileaa.memref<?x2xf32, strides = [2, 1]>, sparse = 0>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  // A kernel has its launch attributes; a boolean parameter is a byte. What
  // threads may hand to each other is not `noalias` for LLVM.
  // CHECK-LABEL: llvm.func @launch(
  //  CHECK-SAME:   %{{.*}}: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{.*}}: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %[[B:.*]]: i8)
  //  CHECK-SAME:   gpu.kernel, nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 64, 1, 1>
  //       CHECK:   llvm.icmp "ne" %[[B]], %{{.*}} : i8
  nv_tileaa.func kernel @launch(%p: !nv_tileaa.ptr<f32> {nv_tileaa.noalias, nv_tileaa.div_by = 16 : i64}, %q: !nv_tileaa.ptr<f32> {nv_tileaa.noalias, nv_tileaa.readonly}, %b: i1)
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    scf.if %b {
      %c = arith.constant 1.0 : f32
      %t = nv_tileas.store weak %p, %c : !nv_tileaa.ptr<f32>, f32
    }
    nv_tileaa.return
  }

  // Occupancy bounds the registers: 65536 / (8 * 64) = 128.
  // CHECK-LABEL: llvm.func @occupancy(
  //  CHECK-SAME:   nvvm.maxnreg = 128 : i32
  nv_tileaa.func kernel @occupancy()
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 1, cluster_dim = [1, 1, 1], occupancy = 8>} {
    nv_tileaa.return
  }

  // Between what ptxas compiles and what a thread may have: an SM holds two CTAs of 1024 threads, and 65536 / 64 is 1024.
  // CHECK-LABEL: llvm.func @crowded(
  //  CHECK-SAME:   nvvm.maxnreg = 32 : i32
  nv_tileaa.func kernel @crowded()
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 32, num_ctas = 1, cluster_dim = [1, 1, 1], occupancy = 32>} {
    nv_tileaa.return
  }
  // CHECK-LABEL: llvm.func @alone(
  //  CHECK-SAME:   nvvm.maxnreg = 255 : i32
  nv_tileaa.func kernel @alone()
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 1, cluster_dim = [1, 1, 1], occupancy = 1>} {
    nv_tileaa.return
  }
}

gpu.module @accesses attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 2 : i32} {
  // In bounds and aligned: four elements in one access, no predicate.
  // CHECK-LABEL: llvm.func @whole_tile(
  //       CHECK:   %[[X:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
  //       CHECK:   llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  //       CHECK:   llvm.return
  nv_tileaa.func @whole_tile(%a: !v, %b: !v, %i: i32) {
    %x, %t0 = nv_tileas.tiled_load weak %a[%i] in_bounds = [true] {nv_tileas.align = 16 : i32}
      : !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<256xf32, #a>
    %t1 = nv_tileas.tiled_store weak %x, %b[%i] in_bounds = [true] {nv_tileas.align = 16 : i32}
      : tensor<256xf32, #a>, !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32]
    nv_tileaa.return
  }

  // Without facts on the size each element has its own predicate and one address
  // serves all; what lies outside is the padding value, here -inf.
  // CHECK-LABEL: llvm.func @ragged_tile(
  //       CHECK: llvm.inline_asm has_side_effects "mov.b32 $0, 4286578688;\0A\09@$2 ld.global.b32 $0, [$1];", "=&f,l,b"
  //       CHECK: llvm.inline_asm has_side_effects "mov.b32 $0, 4286578688;\0A\09@$2 ld.global.b32 $0, [$1 + 4];", "=&f,l,b"
  //       CHECK: llvm.inline_asm has_side_effects "mov.b32 $0, 4286578688;\0A\09@$2 ld.global.b32 $0, [$1 + 8];", "=&f,l,b"
  //       CHECK: llvm.inline_asm has_side_effects "mov.b32 $0, 4286578688;\0A\09@$2 ld.global.b32 $0, [$1 + 12];", "=&f,l,b"
  //   CHECK-NOT:   ld.global
  //       CHECK: llvm.inline_asm has_side_effects "@$2 st.global.b32 [$0], $1;", "l,f,b"
  //       CHECK: llvm.inline_asm has_side_effects "@$2 st.global.b32 [$0 + 4], $1;", "l,f,b"
  //       CHECK: llvm.inline_asm has_side_effects "@$2 st.global.b32 [$0 + 8], $1;", "l,f,b"
  //       CHECK: llvm.inline_asm has_side_effects "@$2 st.global.b32 [$0 + 12], $1;", "l,f,b"
  //   CHECK-NOT:   st.global
  //       CHECK:   llvm.return
  nv_tileaa.func @ragged_tile(%a: !vpad, %b: !v, %i: i32) {
    %x, %t0 = nv_tileas.tiled_load weak %a[%i]
      : !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>, padding = neg_inf>[i32] -> tensor<256xf32, #a>
    %t1 = nv_tileas.tiled_store weak %x, %b[%i]
      : tensor<256xf32, #a>, !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32]
    nv_tileaa.return
  }

  // The edge of the array falls between groups of four: one predicate serves a
  // vector.
  // CHECK-LABEL: llvm.func @ragged_in_groups(
  //       CHECK:   @$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", "=&f,=&f,=&f,=&f,l,b"
  //   CHECK-NOT:   ld.global
  //       CHECK:   llvm.return
  nv_tileaa.func @ragged_in_groups(%a: !v, %i: i32) -> tensor<256xf32, #a> {
    %x, %t0 = nv_tileas.tiled_load weak %a[%i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 4>}
      : !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<256xf32, #a>
    nv_tileaa.return %x : tensor<256xf32, #a>
  }

  // Both warps hold the tile; the first stores it.
  // CHECK-LABEL: llvm.func @one_copy_is_stored(
  //       CHECK:   %[[MASK:.*]] = llvm.mlir.constant(32 : i32) : i32
  //       CHECK:   %[[COPY:.*]] = llvm.and %{{.*}}, %[[MASK]] : i32
  //       CHECK:   %[[FIRST:.*]] = llvm.icmp "eq" %[[COPY]], %{{.*}} : i32
  //       CHECK:   llvm.inline_asm has_side_effects "@$2 st.global.b32 [$0], $1;", "l,f,b" %{{.*}}, %{{.*}}, %[[FIRST]]
  nv_tileaa.func @one_copy_is_stored(%x: tensor<32xf32, #few>, %b: !vfew, %i: i32) {
    %t1 = nv_tileas.tiled_store weak %x, %b[%i] in_bounds = [true]
      : tensor<32xf32, #few>, !nv_tileaa.tiled_view<32 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32]
    nv_tileaa.return
  }

  // Rows by index: unsigned comparison with the size, two columns at once.
  // CHECK-LABEL: llvm.func @gathers_rows(
  //       CHECK:   llvm.icmp "ult" %{{.*}}, %{{.*}} : i64
  //       CHECK:   ld.global.v2.b32
  nv_tileaa.func @gathers_rows(%v: !g, %rows: tensor<128xi32, #rows>, %j: i32) -> tensor<128x2xf32, #s> {
    %x, %t = nv_tileas.gather_load weak %v[%rows, %j] in_bounds = [false, true] {nv_tileas.align = 8 : i32}
      : !nv_tileaa.tiled_view<128x2 of !nv_tileaa.memref<?x2xf32, strides = [2, 1]>, sparse = 0>[tensor<128xi32, #rows>, i32] -> tensor<128x2xf32, #s>
    nv_tileaa.return %x : tensor<128x2xf32, #s>
  }

  // Orders and scopes are in the instruction.
  // CHECK-LABEL: llvm.func @stronger_than_weak(
  //       CHECK:   ld.acquire.gpu.global.b32
  //       CHECK:   nvvm.barrier0
  //       CHECK:   st.release.sys.global.b32
  nv_tileaa.func @stronger_than_weak(%p: tensor<256x!nv_tileaa.ptr<i32>, #a>) {
    %x, %t0 = nv_tileas.load acquire gpu %p : tensor<256x!nv_tileaa.ptr<i32>, #a> -> tensor<256xi32, #a>
    %t1 = nv_tileas.store release sys %p, %x token %t0 : tensor<256x!nv_tileaa.ptr<i32>, #a>, tensor<256xi32, #a>
    nv_tileaa.return
  }

  // A scalar that others may change is read by one thread for all.
  // CHECK-LABEL: llvm.func @relaxed_scalar(
  //       CHECK:   ld.relaxed.gpu.global.b32
  //   CHECK-NOT:   llvm.cond_br
  //       CHECK:   "@$2 st.shared.b32 [$0], $1;", "l,r,b,~{memory}"
  //   CHECK-NOT:   llvm.cond_br
  //       CHECK:   nvvm.barrier0
  //       CHECK:   llvm.load %{{.*}} : !llvm.ptr<3> -> i32
  nv_tileaa.func @relaxed_scalar(%p: !nv_tileaa.ptr<i32>) -> i32 {
    %x, %t0 = nv_tileas.load relaxed gpu %p : !nv_tileaa.ptr<i32> -> i32
    nv_tileaa.return %x : i32
  }

  // Without a use of the old value it is a reduction; `red` cannot acquire. The
  // order of a thread's accesses takes one fence on each side.
  // CHECK-LABEL: llvm.func @atomics(
  //       CHECK:   red.relaxed.gpu.global.add.u32 [$0], $1;
  //       CHECK:   "fence.acq_rel.gpu;"
  // CHECK-COUNT-2:   atom.relaxed.gpu.global.max.s32 $0, [$1], $2;
  //       CHECK:   "fence.acq_rel.gpu;"
  //       CHECK:   atom.relaxed.gpu.global.cas.b32
  nv_tileaa.func @atomics(%p: tensor<256x!nv_tileaa.ptr<i32>, #a>, %y: tensor<256xi32, #a>) -> tensor<256xi32, #a> {
    %o0, %t0 = nv_tileas.atomic_rmw add relaxed gpu %p, %y : tensor<256x!nv_tileaa.ptr<i32>, #a>, tensor<256xi32, #a>
    %o1, %t1 = nv_tileas.atomic_rmw max acq_rel gpu %p, %y token %t0 : tensor<256x!nv_tileaa.ptr<i32>, #a>, tensor<256xi32, #a>
    %o2, %t2 = nv_tileas.atomic_cas relaxed gpu %p, %y, %y token %t1 : tensor<256x!nv_tileaa.ptr<i32>, #a>, tensor<256xi32, #a>
    nv_tileaa.return %o2 : tensor<256xi32, #a>
  }

  // All elements access one address: a warp combines its lanes' operations,
  // and one lane executes them; with a mask only if some lane has it.
  // CHECK-LABEL: llvm.func @one_address(
  //       CHECK:   nvvm.redux.sync add
  //   CHECK-NOT:   nvvm.vote
  // CHECK-COUNT-1:   "@$2 red.relaxed.gpu.global.add.u32 [$0], $1;"
  //   CHECK-NOT:   "{{.*}}red.
  //       CHECK:   nvvm.redux.sync umax
  //       CHECK:   nvvm.vote.sync any
  // CHECK-COUNT-1:   "@$2 red.relaxed.gpu.global.max.u32 [$0], $1;"
  //   CHECK-NOT:   "{{.*}}red.
  //       CHECK:   llvm.return
  nv_tileaa.func @one_address(%p: !nv_tileaa.ptr<i32>, %y: tensor<256xi32, #a>, %m: tensor<256xi1, #a>) {
    %s = nv_tileas.splat %p : !nv_tileaa.ptr<i32> -> tensor<256x!nv_tileaa.ptr<i32>, #a>
    %o0, %t0 = nv_tileas.atomic_rmw add relaxed gpu %s, %y : tensor<256x!nv_tileaa.ptr<i32>, #a>, tensor<256xi32, #a>
    %o1, %t1 = nv_tileas.atomic_rmw umax relaxed gpu %s, %y mask %m token %t0 : tensor<256x!nv_tileaa.ptr<i32>, #a>, tensor<256xi32, #a>
    nv_tileaa.return
  }

  // Float adds round one by one, a release orders each thread's
  // own accesses, and an old value belongs to one element.
  // CHECK-LABEL: llvm.func @one_by_one(
  //   CHECK-NOT:   nvvm.redux
  //       CHECK:   llvm.return
  nv_tileaa.func @one_by_one(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<i32>, %x: tensor<256xf32, #a>, %y: tensor<256xi32, #a>, %ps: tensor<256x!nv_tileaa.ptr<i32>, #a>) -> tensor<256xi32, #a> {
    %s = nv_tileas.splat %p : !nv_tileaa.ptr<f32> -> tensor<256x!nv_tileaa.ptr<f32>, #a>
    %o0, %t0 = nv_tileas.atomic_rmw addf relaxed gpu %s, %x : tensor<256x!nv_tileaa.ptr<f32>, #a>, tensor<256xf32, #a>
    %r = nv_tileas.splat %q : !nv_tileaa.ptr<i32> -> tensor<256x!nv_tileaa.ptr<i32>, #a>
    %o1, %t1 = nv_tileas.atomic_rmw add release gpu %r, %y token %t0 : tensor<256x!nv_tileaa.ptr<i32>, #a>, tensor<256xi32, #a>
    %o2, %t2 = nv_tileas.atomic_rmw add relaxed gpu %ps, %y token %t1 : tensor<256x!nv_tileaa.ptr<i32>, #a>, tensor<256xi32, #a>
    %o3, %t3 = nv_tileas.atomic_rmw add relaxed gpu %r, %y token %t2 : tensor<256x!nv_tileaa.ptr<i32>, #a>, tensor<256xi32, #a>
    nv_tileaa.return %o3 : tensor<256xi32, #a>
  }
}

gpu.module @hopper attributes {nv_tileaa.target_spec = "sm_90", nv_tileaa.num_warps = 2 : i32} {
  // Adjacent elements without used old values take one instruction;
  // with separate masks, or an acquire, they take one each.
  // CHECK-LABEL: llvm.func @vectors(
  // CHECK-COUNT-1:   "red.relaxed.gpu.global.add.v4.f32 [$0], {$1, $2, $3, $4};", "l,r,r,r,r"
  //   CHECK-NOT:   red
  // CHECK-COUNT-1:   "@$3 red.release.gpu.global.add.noftz.v2.f16x2 [$0], {$1, $2};", "l,r,r,b"
  //   CHECK-NOT:   red
  // CHECK-COUNT-2:   "red.relaxed.gpu.global.add.noftz.bf16x2 [$0], $1;", "l,r"
  //   CHECK-NOT:   red
  // CHECK-COUNT-4:   @$2 red.relaxed.gpu.global.add.f32 [$0], $1;
  // CHECK-COUNT-4:   atom.relaxed.gpu.global.add.f32 $0, [$1], $2;
  nv_tileaa.func @vectors(%p: tensor<256x!nv_tileaa.ptr<f32>, #a>, %y: tensor<256xf32, #a>, %hp: tensor<256x!nv_tileaa.ptr<f16>, #a>, %h: tensor<256xf16, #a>, %gp: tensor<256x!nv_tileaa.ptr<bf16>, #a>, %g: tensor<256xbf16, #a>, %m: tensor<256xi1, #a>) {
    %o0, %t0 = nv_tileas.atomic_rmw addf relaxed gpu %p, %y {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 256>} : tensor<256x!nv_tileaa.ptr<f32>, #a>, tensor<256xf32, #a>
    %o1, %t1 = nv_tileas.atomic_rmw addf release gpu %hp, %h mask %m {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 8>} : tensor<256x!nv_tileaa.ptr<f16>, #a>, tensor<256xf16, #a>
    %o2, %t2 = nv_tileas.atomic_rmw addf relaxed gpu %gp, %g {nv_tileas.align = 4 : i32, nv_tileas.contiguous = array<i32: 256>} : tensor<256x!nv_tileaa.ptr<bf16>, #a>, tensor<256xbf16, #a>
    %o3, %t3 = nv_tileas.atomic_rmw addf relaxed gpu %p, %y mask %m {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1>} : tensor<256x!nv_tileaa.ptr<f32>, #a>, tensor<256xf32, #a>
    %o4, %t4 = nv_tileas.atomic_rmw addf acq_rel gpu %p, %y {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 256>} : tensor<256x!nv_tileaa.ptr<f32>, #a>, tensor<256xf32, #a>
    nv_tileaa.return
  }
}

gpu.module @ampere attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 2 : i32} {
  // Without vectors two halves of 16 bits take one instruction.
  // CHECK-LABEL: llvm.func @pairs(
  // CHECK-COUNT-2:   "red.relaxed.gpu.global.add.noftz.f16x2 [$0], $1;", "l,r"
  //   CHECK-NOT:   red
  // CHECK-COUNT-4:   red.relaxed.gpu.global.add.f32 [$0], $1;
  nv_tileaa.func @pairs(%p: tensor<256x!nv_tileaa.ptr<f32>, #a>, %y: tensor<256xf32, #a>, %hp: tensor<256x!nv_tileaa.ptr<f16>, #a>, %h: tensor<256xf16, #a>) {
    %o1, %t1 = nv_tileas.atomic_rmw addf relaxed gpu %hp, %h {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 256>} : tensor<256x!nv_tileaa.ptr<f16>, #a>, tensor<256xf16, #a>
    %o0, %t0 = nv_tileas.atomic_rmw addf relaxed gpu %p, %y {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 256>} : tensor<256x!nv_tileaa.ptr<f32>, #a>, tensor<256xf32, #a>
    nv_tileaa.return
  }
}
