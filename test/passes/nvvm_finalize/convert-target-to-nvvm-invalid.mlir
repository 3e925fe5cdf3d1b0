// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(convert-target-to-nvvm))'
// RUN: not %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-target-to-nvvm{arch-suffix=some}))' 2>&1 | FileCheck %s --check-prefix=SUFFIX
// RUN: not %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-target-to-nvvm{opt-level=4}))' 2>&1 | FileCheck %s --check-prefix=LEVEL
// SUFFIX: error: invalid value 'some' for option 'arch-suffix'; expected one of 'accelerated', 'minimal'
// LEVEL: error: invalid value '4' for option 'opt-level'; expected 0 to 3

// expected-error @below {{missing compute capability for NVVM target}}
gpu.module @none {}

// -----

// expected-error @below {{unknown target 'sm_90f'; expected one of sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_103, sm_107, sm_110, sm_120, sm_121}}
gpu.module @no_family attributes {nv_tileaa.target_spec = "sm_90f"} {}
