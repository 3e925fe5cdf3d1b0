// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose CTAs take over tile blocks, and those that stay as they are.
// DEFINE: %{load} = --load-dialect-plugin=%libTileASSchedulePasses.so --load-pass-plugin=%libTileASSchedulePasses.so
// DEFINE: %{pass} = --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-dynamic-persistent)))'
// RUN: %mlir-opt %{load} %s %{pass} --split-input-file --allow-unregistered-dialect 2>/dev/null | FileCheck %s
// RUN: %mlir-opt %{load} %s %{pass} --split-input-file --allow-unregistered-dialect --verify-diagnostics \
// RUN:   --remark-format=emitRemark --remarks-filter=tileas_schedule -o /dev/null

#kernel = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_120a", nv_tileaa.dynamic_persistent, tileir.launch_abi = "plain"} {
  // Coordinates are those of the block that the loop carries, wherever they are asked for; what is the same for all blocks
  // stays in front.
  // CHECK-LABEL: func kernel @nested(
  //       CHECK:   nv_tileas.get_num_programs x
  //       CHECK:   scf.while (%[[BLOCK:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
  //       CHECK:     %[[VALID:.*]] = nv_tileas.is_valid_program_id %[[BLOCK]]
  //       CHECK:     scf.condition(%[[VALID]])
  //       CHECK:   ^bb0(%[[BLOCK:.*]]: !nv_tileaa.program_id, %[[PARITY:.*]]: i32):
  //  CHECK-NEXT:     nv_tileas.mbarrier.arrive_expect_tx %[[OBJECT:.*]], 16
  //  CHECK-NEXT:     nv_tileas.clc_try_cancel %[[ANSWER:.*]] signal %[[OBJECT]]
  //       CHECK:     scf.if
  //       CHECK:       nv_tileas.get_program_id z of %[[BLOCK]]
  //       CHECK:     nv_tileas.mbarrier.wait %[[OBJECT]], %[[PARITY]]
  //  CHECK-NEXT:     %[[NEXT:.*]] = nv_tileas.clc_query %[[ANSWER]]
  //  CHECK-NEXT:     nv_tileas.fence proxy_async_shared
  //  CHECK-NEXT:     nv_tileas.barrier cta
  //       CHECK:     scf.yield %[[NEXT]]
  //       CHECK:   nv_tileaa.return
  // expected-remark @below {{a CTA takes over tile blocks that were not launched yet}}
  nv_tileaa.func kernel @nested(%c: i1) attributes {kernel_spec = #kernel} {
    %n = nv_tileas.get_num_programs x
    scf.if %c {
      %z = nv_tileas.get_program_id z
      "test.work"(%z, %n) : (i32, i32) -> ()
    }
    nv_tileaa.return
  }

  // Functions that are no kernels have no launch queue.
  // CHECK-LABEL: func @helper(
  //   CHECK-NOT:   scf.while
  //       CHECK:   nv_tileaa.return
  nv_tileaa.func @helper() {
    %x = nv_tileas.get_program_id x
    "test.work"(%x) : (i32) -> ()
    nv_tileaa.return
  }

  // CHECK-LABEL: func kernel @several(
  //   CHECK-NOT:   scf.while
  //       CHECK:   nv_tileaa.return
  // expected-remark @below {{dynamic persistent transformation is not there for tile blocks of several CTAs}}
  nv_tileaa.func kernel @several() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2, cluster_dim = [2, 1, 1]>} {
    %x = nv_tileas.get_program_id x
    "test.work"(%x) : (i32) -> ()
    nv_tileaa.return
  }

  // Loops over tile blocks by the extent of the grid are left to themselves.
  // CHECK-LABEL: func kernel @strided(
  //   CHECK-NOT:   scf.while
  //       CHECK:   nv_tileaa.return
  // expected-remark @below {{a loop over tile blocks by the extent of the grid stays as it is}}
  nv_tileaa.func kernel @strided(%n: i32) attributes {kernel_spec = #kernel} {
    %x = nv_tileas.get_program_id x
    %step = nv_tileas.get_num_programs x
    scf.for %i = %x to %n step %step : i32 {
      "test.work"(%i) : (i32) -> ()
    }
    nv_tileaa.return
  }

  // CHECK-LABEL: func kernel @twice(
  //       CHECK:   scf.while
  //   CHECK-NOT:   clc_try_cancel
  //       CHECK:   nv_tileaa.return
  // expected-warning @below {{Kernel is already dynamic persistent}}
  nv_tileaa.func kernel @twice() attributes {kernel_spec = #kernel} {
    %first = nv_tileas.initial_program_id
    %r = scf.while (%p = %first) : (!nv_tileaa.program_id) -> !nv_tileaa.program_id {
      %v = nv_tileas.is_valid_program_id %p
      scf.condition(%v) %p : !nv_tileaa.program_id
    } do {
    ^bb0(%p: !nv_tileaa.program_id):
      %q = "test.next"(%p) : (!nv_tileaa.program_id) -> !nv_tileaa.program_id
      scf.yield %q : !nv_tileaa.program_id
    }
    nv_tileaa.return
  }
}

// -----

// Without the option nothing happens.
gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  // CHECK-LABEL: func kernel @plain(
  //   CHECK-NOT:   scf.while
  //       CHECK:   nv_tileaa.return
  nv_tileaa.func kernel @plain() {
    %x = nv_tileas.get_program_id x
    "test.work"(%x) : (i32) -> ()
    nv_tileaa.return
  }
}

// -----

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a", nv_tileaa.dynamic_persistent, tileir.launch_abi = "tile"} {
  // CHECK-LABEL: func kernel @older(
  //   CHECK-NOT:   scf.while
  //       CHECK:   nv_tileaa.return
  // expected-remark @below {{dynamic persistent transformation needs host launch support on sm_90}}
  nv_tileaa.func kernel @older() {
    %x = nv_tileas.get_program_id x
    "test.work"(%x) : (i32) -> ()
    nv_tileaa.return
  }
}

// -----

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.dynamic_persistent, tileir.launch_abi = "plain"} {
  // CHECK-LABEL: func kernel @static(
  //   CHECK-NOT:   scf.while
  //       CHECK:   nv_tileaa.return
  // expected-remark @below {{dynamic persistent transformation is not there for launch-abi=plain on sm_80}}
  nv_tileaa.func kernel @static() {
    %x = nv_tileas.get_program_id x
    "test.work"(%x) : (i32) -> ()
    nv_tileaa.return
  }
}
