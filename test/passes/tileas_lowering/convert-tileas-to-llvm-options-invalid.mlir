// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm{index-bitwidth=16}))' 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm{smem-mode=stack}))' 2>&1 | FileCheck %s --check-prefix=SMEM
// A pass that replaces functions does not run on one of them.
// RUN: not %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(convert-tileas-to-llvm)))' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(any(convert-tileas-to-llvm)))' | FileCheck %s --check-prefix=KEPT

// ANCHOR: error: unable to schedule pass 'ConvertTileASToLLVM' on a PassManager intended to run on 'nv_tileaa.func'!
// KEPT: nv_tileaa.func kernel @k
// WIDTH: error: index-bitwidth must be 32 or 64, is 16
// SMEM: error: smem-mode must be 'static' or 'dynamic', is 'stack'
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func kernel @k() {
    nv_tileaa.return
  }
}
