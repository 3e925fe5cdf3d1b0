// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(test-tileas-wrap-agent)))' | FileCheck %s
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(test-tileas-wrap-agent,tileas-legalize-layouts,tileas-assign-buffers,tileas-insert-barriers,tileas-check-barriers)))' | FileCheck %s --check-prefix=STORED
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(test-tileas-wrap-agent),convert-tileas-to-llvm,convert-tileas-to-nvgpu))' | FileCheck %s --check-prefix=LLVM

#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
#b = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [4, 1], lanes = [16, 2], warps = [1, 4], order = [0, 1]>>
#one = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [1, 1], order = [1, 0]>>
#turned = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [4, 1], lanes = [16, 2], warps = [1, 1], order = [0, 1]>>
#wide = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [8, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x64xf16, strides = [64, 1]>, padding = zero>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // CHECK-LABEL: nv_tileaa.func kernel @four
  // CHECK: %[[WARP:.*]] = gpu.subgroup_id : index
  // CHECK: %[[FIRST:.*]] = arith.constant 4 : index
  // CHECK: %[[INSIDE:.*]] = arith.subi %[[WARP]], %[[FIRST]] : index
  // CHECK: %[[COUNT:.*]] = arith.constant 4 : index
  // CHECK: %[[MINE:.*]] = arith.cmpi ult, %[[INSIDE]], %[[COUNT]] : index
  // CHECK-NEXT: scf.if %[[MINE]] {
  // CHECK-NEXT: nv_tileas.tiled_load
  // CHECK-NEXT: nv_tileas.convert_layout
  // CHECK-NEXT: nv_tileas.barrier agent
  // CHECK-NEXT: nv_tileas.convert_layout
  // CHECK-NEXT: nv_tileas.tiled_store
  // CHECK-NEXT: } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 4 : i32}}
  // CHECK-NEXT: nv_tileaa.return
  // The agent has a hardware barrier, and synchronizes on it between its exchanges.
  // STORED-LABEL: nv_tileaa.func kernel @four
  // STORED-NOT: nv_tileas.barrier cta
  // STORED: nv_tileas.barrier agent
  // STORED: } {nv_tileas.agent = {barrier_id = 1 : i32, num_warps = 4 : i32, warp_id = 4 : i32}}
  // Threads count from the first one of the agent; 256 are launched.
  // LLVM-LABEL: llvm.func @four
  // LLVM-SAME: nvvm.reqntid = array<i32: 256, 1, 1>
  // LLVM: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x range <i32, 0, 256>
  // LLVM: %[[MASK:.*]] = llvm.mlir.constant(127 : i32)
  // LLVM-NEXT: llvm.and %[[TID]], %[[MASK]]
  // LLVM-NOT: nvvm.barrier0
  // LLVM: %[[THREADS:.*]] = llvm.mlir.constant(128 : i32) : i32
  // LLVM-NEXT: nvvm.barrier id = %{{.*}} number_of_threads = %[[THREADS]]
  // LLVM-NOT: nv_tile
  // LLVM-NOT: scope_value
  nv_tileaa.func kernel @four(%v: !v, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %x, %t0 = nv_tileas.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<64x64xf16, #a>
    %y = nv_tileas.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #b>
    nv_tileas.barrier cta
    %z = nv_tileas.convert_layout %y : tensor<64x64xf16, #b> -> tensor<64x64xf16, #a>
    %t = nv_tileas.tiled_store weak %z, %v[%i, %i] : tensor<64x64xf16, #a>, !v[i32, i32]
    nv_tileaa.return
  }

  // A warp synchronizes alone; the launch has five.
  // CHECK-LABEL: nv_tileaa.func kernel @one
  // CHECK: arith.cmpi eq, %{{.*}}, %{{.*}} : index
  // CHECK: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 4 : i32}}
  // STORED-LABEL: nv_tileaa.func kernel @one
  // STORED: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 4 : i32}}
  // LLVM-LABEL: llvm.func @one
  // LLVM-SAME: nvvm.reqntid = array<i32: 160, 1, 1>
  // LLVM: llvm.mlir.constant(31 : i32)
  // LLVM: nvvm.bar.warp.sync
  // LLVM-NOT: nvvm.barrier
  nv_tileaa.func kernel @one(%v: !v, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %x, %t0 = nv_tileas.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<64x64xf16, #one>
    %y = nv_tileas.convert_layout %x : tensor<64x64xf16, #one> -> tensor<64x64xf16, #turned>
    %z = nv_tileas.convert_layout %y : tensor<64x64xf16, #turned> -> tensor<64x64xf16, #one>
    %t = nv_tileas.tiled_store weak %z, %v[%i, %i] : tensor<64x64xf16, #one>, !v[i32, i32]
    nv_tileaa.return
  }

  // Eight warps start at a multiple of eight.
  // CHECK-LABEL: nv_tileaa.func kernel @eight
  // CHECK: } {nv_tileas.agent = {num_warps = 8 : i32, warp_id = 8 : i32}}
  nv_tileaa.func kernel @eight(%v: !v, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %x, %t0 = nv_tileas.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<64x64xf16, #wide>
    nv_tileaa.return
  }

  // A function that is no kernel has no launch.
  // CHECK-LABEL: nv_tileaa.func @helper
  // CHECK-NOT: nv_tileas.agent
  nv_tileaa.func @helper() {
    nv_tileaa.return
  }
}
