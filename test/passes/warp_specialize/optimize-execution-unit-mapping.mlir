// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(optimize-execution-unit-mapping)))' | FileCheck %s
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(optimize-execution-unit-mapping,propagate-execution-unit)))' | FileCheck %s --check-prefix=PROPAGATED

#l = #nv_tileas.layout<reg, [128], blocked<per_thread = [1], lanes = [32], warps = [4], order = [0]>>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // The agent with tiles starts at warp 0, whatever the order of the text is.
  // CHECK-LABEL: func kernel @tiles_first
  // CHECK: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 4 : i32}}
  // CHECK: } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 0 : i32}}
  // PROPAGATED-LABEL: func kernel @tiles_first
  //  PROPAGATED-NEXT: %[[WARP:.*]] = gpu.subgroup_id : index
  //  PROPAGATED-NEXT: %[[FOUR:.*]] = arith.constant 4 : index
  //  PROPAGATED-NEXT: %[[ONE:.*]] = arith.cmpi eq, %[[WARP]], %[[FOUR]] : index
  //  PROPAGATED-NEXT: scf.if %[[ONE]] {
  //  PROPAGATED-NEXT: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 4 : i32}}
  //  PROPAGATED-NEXT: %[[FIRST:.*]] = arith.constant 0 : index
  //  PROPAGATED-NEXT: %[[NUMBER:.*]] = arith.subi %[[WARP]], %[[FIRST]] : index
  //  PROPAGATED-NEXT: %[[COUNT:.*]] = arith.constant 4 : index
  //  PROPAGATED-NEXT: %[[MINE:.*]] = arith.cmpi ult, %[[NUMBER]], %[[COUNT]] : index
  //  PROPAGATED-NEXT: scf.if %[[MINE]] {
  //   PROPAGATED-NOT: ub.poison
  nv_tileaa.func kernel @tiles_first(%x: f32) {
    %p = ub.poison : i1
    scf.if %p {
    } {nv_tileas.agent = {num_warps = 1 : i32}}
    %q = ub.poison : i1
    scf.if %q {
      %t = nv_tileas.splat %x : f32 -> tensor<128xf32, #l>
    } {nv_tileas.agent = {num_warps = 4 : i32}}
    nv_tileaa.return
  }

  // Registers belong to groups of four warps.
  // CHECK-LABEL: func kernel @whole_groups
  // CHECK: scf.if
  // CHECK: scf.if
  // CHECK: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 0 : i32}}
  // CHECK: } {nv_tileas.agent = {max_regs = 24 : i32, num_warps = 4 : i32, warp_id = 4 : i32}}
  // CHECK: } {nv_tileas.agent = {max_regs = 256 : i32, num_warps = 4 : i32, warp_id = 0 : i32}}
  // PROPAGATED-LABEL: func kernel @whole_groups
  // PROPAGATED: arith.cmpi ult
  // PROPAGATED-NEXT: scf.if
  // PROPAGATED-NEXT: nvvm.setmaxregister decrease 24
  // PROPAGATED-NEXT: %[[FOUR:.*]] = arith.constant 4 : index
  // PROPAGATED-NEXT: %[[ONE:.*]] = arith.cmpi eq, %{{.*}}, %[[FOUR]] : index
  // PROPAGATED-NEXT: scf.if %[[ONE]] {
  // PROPAGATED-NEXT: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 0 : i32}}
  // PROPAGATED-NEXT: } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 4 : i32}}
  // PROPAGATED: nvvm.setmaxregister increase 256
  // PROPAGATED: } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 0 : i32}}
  nv_tileaa.func kernel @whole_groups(%x: f32) {
    %p = ub.poison : i1
    scf.if %p {
    } {nv_tileas.agent = {max_regs = 24 : i32, num_warps = 1 : i32}}
    %q = ub.poison : i1
    scf.if %q {
      %t = nv_tileas.splat %x : f32 -> tensor<128xf32, #l>
    } {nv_tileas.agent = {max_regs = 256 : i32, num_warps = 4 : i32}}
    nv_tileaa.return
  }

  // Numbers that are there stay.
  // CHECK-LABEL: func kernel @numbered
  // CHECK: } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 4 : i32}}
  // CHECK: } {nv_tileas.agent = {num_warps = 2 : i32, warp_id = 8 : i32}}
  nv_tileaa.func kernel @numbered(%c: i1) {
    scf.if %c {
    } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 4 : i32}}
    %p = ub.poison : i1
    scf.if %p {
    } {nv_tileas.agent = {num_warps = 2 : i32}}
    nv_tileaa.return
  }
}
