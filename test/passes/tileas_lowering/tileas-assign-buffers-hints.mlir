// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An SM holds as many CTAs as its threads, registers and shared memory allow; hints for more become that.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-buffers)))' --remark-format=emitRemark --remarks-filter-missed=Hints -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=Function=held
// RUN: FileCheck %s --check-prefix=SPEC --input-file=%t.mlir

gpu.module @kernels attributes {nv_tileaa.target_spec = "sm_80"} {
  // CHECK: HintClamped | Category:Hints | Function=threads | Remark="OptimizationHint occupancy = 32 becomes 16: an SM holds CTAs of 128 threads with 32 registers or more each"
  // SPEC: @threads
  // SPEC-SAME: occupancy = 16>
  nv_tileaa.func kernel @threads() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1], occupancy = 32>} {
    nv_tileaa.return
  }
  // CHECK: HintClamped | Category:Hints | Function=registers | Remark="OptimizationHint max_regs = 16 becomes 32:
  // SPEC: @registers
  // SPEC-SAME: max_regs = 32>
  nv_tileaa.func kernel @registers() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1], max_regs = 16>} {
    nv_tileaa.return
  }
  // SPEC: @held
  // SPEC-SAME: occupancy = 4>
  nv_tileaa.func kernel @held() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1], occupancy = 4>} {
    nv_tileaa.return
  }
}
