// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Foreign passes that change what the constraints were built from, and problems without a schedule.
// DEFINE: %{load} = --load-dialect-plugin=%libTileASSchedulePasses.so --load-pass-plugin=%libTileASSchedulePasses.so
// RUN: split-file %s %t

// Code motion takes an operation on tiles out of the loop: an anchor.
// RUN: not %mlir-opt %{load} %t/anchor.mlir --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints,loop-invariant-code-motion,tileas-materialize-schedule)))' 2>&1 | FileCheck %s --check-prefix=E1
// RUN: not %mlir-opt %{load} %t/anchor.mlir --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints,loop-invariant-code-motion,tileas-check-schedule{after=licm},tileas-materialize-schedule)))' 2>&1 | FileCheck %s --check-prefixes=E1,AFTER
// RUN: %mlir-opt %{load} %t/anchor.mlir --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(loop-invariant-code-motion,tileas-generate-schedule-constraints,tileas-materialize-schedule)))' -o /dev/null
// The canonicalizer removes a loop of one iteration.
// RUN: not %mlir-opt %{load} %t/short.mlir --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints,canonicalize,tileas-materialize-schedule)))' 2>&1 | FileCheck %s --check-prefix=E1
// Unrolling by two: each number is there twice. Without it the same list is fine.
// RUN: %mlir-opt %{load} %t/unroll.mlir --pass-pipeline='builtin.module(tileas-generate-schedule-constraints,canonicalize,tileas-materialize-schedule)' -o /dev/null
// RUN: not %mlir-opt %{load} %t/unroll.mlir --pass-pipeline='builtin.module(tileas-generate-schedule-constraints,transform-interpreter,tileas-materialize-schedule)' 2>&1 | FileCheck %s --check-prefix=E1
// E1: error: cleanup pass invalidated ScheduleAnalysis; rerun constraint generation or remove the pass
// E1-NOT: error
// AFTER: note: after pass 'licm'

// No interval below what a loop asks for.
// RUN: not %mlir-opt %{load} %t/limit.mlir --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints,tileas-materialize-schedule)))' 2>&1 | FileCheck %s --check-prefix=E2
// E2: error: modulo scheduler returned no feasible II
// E2: note: MII = {{[0-9]+}} (resource 160, recurrence {{[0-9]+}}, fine {{[0-9]+}}, dependence 1), II cap = {{[0-9]+}}; binding: lsu

// Attributes of the wrong type.
// RUN: not %mlir-opt %{load} %t/group.mlir --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints)))' 2>&1 | FileCheck %s --check-prefix=GROUP
// GROUP: error: 'tileas.schedule.constraint.gid' must be a 32-bit integer
// RUN: not %mlir-opt %{load} %t/serial.mlir --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints)))' 2>&1 | FileCheck %s --check-prefix=SERIAL
// SERIAL: error: 'tileas.schedule.constraint.force_serial_execution' must be a unit attribute
// RUN: not %mlir-opt %{load} %t/slot.mlir --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints)))' 2>&1 | FileCheck %s --check-prefix=SLOT
// SLOT: error: 'tileas.schedule.occupancy' must map names of slots to cycles, not 'lsv' to 3
// Without a target nothing has a cost.
// RUN: sed 's/attributes {nv_tileaa.target_spec = "sm_80"}//' %t/anchor.mlir | not %mlir-opt %{load} --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints)))' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: failed to get compute capability
// RUN: not %mlir-opt %{load} %t/anchor.mlir --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints{scheduler=best})))' 2>&1 | FileCheck %s --check-prefix=GENERATOR
// GENERATOR: error: invalid value 'best' for option 'scheduler'; expected one of 'default', 'serial', 'fast', 'cost-based'

//--- anchor.mlir
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!t = tensor<32x32xf32, #l>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func kernel @k(%v: !v, %n: i32, %a: !t) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %b = arith.mulf %a, %a : !t
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] : !v[i32, i32] -> !t
      %y = arith.mulf %x, %b : !t
      %u = nv_tileas.tiled_store weak %y, %v[%i, %c0] : !t, !v[i32, i32]
    }
    nv_tileaa.return
  }
}
//--- short.mlir
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!t = tensor<32x32xf32, #l>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func kernel @k(%v: !v) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %c1 step %c1 : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] : !v[i32, i32] -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
    }
    nv_tileaa.return
  }
}
//--- unroll.mlir
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!t = tensor<32x32xf32, #l>
module attributes {transform.with_named_sequence} {
  gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
    nv_tileaa.func kernel @k(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      scf.for %i = %c0 to %n step %c1 : i32 {
        %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] : !v[i32, i32] -> !t
        %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      }
      nv_tileaa.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    transform.yield
  }
}
//--- limit.mlir
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!t = tensor<32x32xf32, #l>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func kernel @k(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] {tileas.schedule.latency = 100 : i32, tileas.schedule.occupancy = {lsu = 160 : i32}} : !v[i32, i32] -> !t
      %y = arith.mulf %x, %x : !t
      %z = arith.addf %y, %x : !t
      %a = arith.addf %z, %y : !t
      %b = arith.mulf %a, %z : !t
      %c = arith.mulf %b, %a : !t
      %d = arith.mulf %c, %b : !t
      %e = arith.mulf %d, %c : !t
      %f = arith.mulf %e, %d : !t
    } {tileas.schedule.max_ii = 100 : i32}
    nv_tileaa.return
  }
}
//--- group.mlir
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!t = tensor<32x32xf32, #l>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func kernel @k(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] {tileas.schedule.constraint.gid = 1 : i64} : !v[i32, i32] -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
    }
    nv_tileaa.return
  }
}
//--- serial.mlir
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!t = tensor<32x32xf32, #l>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func kernel @k(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] : !v[i32, i32] -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
    } {tileas.schedule.constraint.force_serial_execution = 1 : i32}
    nv_tileaa.return
  }
}
//--- slot.mlir
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!t = tensor<32x32xf32, #l>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func kernel @k(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] {tileas.schedule.occupancy = {lsv = 3 : i32}} : !v[i32, i32] -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
    }
    nv_tileaa.return
  }
}
