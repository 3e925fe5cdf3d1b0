// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --split-input-file --pass-pipeline='builtin.module(gpu.module(convert-target-to-nvvm))' | FileCheck %s
// RUN: %{opt} %s --split-input-file --pass-pipeline='builtin.module(gpu.module(convert-target-to-nvvm{arch-suffix=minimal opt-level=1 debug}))' | FileCheck %s --check-prefix=MIN
// RUN: env TILEIR_DEBUG=convert-target-to-nvvm %{opt} %s --split-input-file -o /dev/null --pass-pipeline='builtin.module(gpu.module(convert-target-to-nvvm))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DEBUG
// DEBUG: {{^}}[convert-target-to-nvvm] below_sm_90: sm_89 for sm_89{{$}}
// DEBUG: {{^}}[convert-target-to-nvvm] needed: sm_90a for sm_90, instructions need a suffix

// CHECK: gpu.module @below_sm_90 [#nvvm.target<O = 3, chip = "sm_89", features = "+ptx90", flags = {"-Xopt", "-fma=0", "-pragma-unroll-threshold=9900000"}, verifyTarget = false>]
//  MIN: gpu.module @below_sm_90 [#nvvm.target<O = 1, chip = "sm_89", features = "+ptx90", flags = {"-Xopt", "-fma=0", "-g", "-pragma-unroll-threshold=9900000"}, verifyTarget = false>]
gpu.module @below_sm_90 attributes {nv_tileaa.target_spec = "sm_89"} {}

// -----

// CHECK: gpu.module @suffix [#nvvm.target<O = 3, chip = "sm_100a",
//  MIN: gpu.module @suffix [#nvvm.target<O = 1, chip = "sm_100",
gpu.module @suffix attributes {nv_tileaa.target_spec = "sm_100"} {}

// -----

// CHECK: gpu.module @needed [#nvvm.target<O = 3, chip = "sm_90a",
//  MIN: gpu.module @needed [#nvvm.target<O = 1, chip = "sm_90a",
gpu.module @needed attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileas.needs_accelerated_arch} {}

// -----

// CHECK: gpu.module @explicit [#nvvm.target<O = 3, chip = "sm_120f",
//  MIN: gpu.module @explicit [#nvvm.target<O = 1, chip = "sm_120f",
gpu.module @explicit attributes {nv_tileaa.target_spec = "sm_120f"} {}

// -----

// The chip keeps its name; LLVM generates code for another one of its family.
// CHECK: gpu.module @family [#nvvm.target<O = 3, chip = "sm_107a", features = "+ptx90",
//  MIN: gpu.module @family [#nvvm.target<O = 1, chip = "sm_107", features = "+ptx90",
gpu.module @family attributes {nv_tileaa.target_spec = "sm_107"} {}

// -----

// Two runs, or a target from elsewhere, leave one target; what belongs to the
// link and to ptxas stays.
// CHECK: gpu.module @replaced [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx90", flags = {"-Xopt", "-fma=0", "-pragma-unroll-threshold=9900000", fast, ftz, libNVVMUseNVGpuComp, "ptxas-cmd-options" = "-v"}, link = ["x.bc"], verifyTarget = false>] attributes
gpu.module @replaced [#nvvm.target<O = 2, chip = "sm_90", features = "+ptx80", flags = {"ptxas-cmd-options" = "-v", other}, link = ["x.bc"]>, #nvvm.target] attributes {nv_tileaa.approx, nv_tileaa.ftz, nv_tileaa.libnvvm_use_nvgpucomp} {}
