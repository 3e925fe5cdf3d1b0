// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm{index-bitwidth=16}))' 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm{smem-mode=stack}))' 2>&1 | FileCheck %s --check-prefix=SMEM

// WIDTH: error: index-bitwidth must be 32 or 64, is 16
// SMEM: error: smem-mode must be 'static' or 'dynamic', is 'stack'
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
}
