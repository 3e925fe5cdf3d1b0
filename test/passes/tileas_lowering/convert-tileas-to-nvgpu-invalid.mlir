// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-nvgpu))' --verify-diagnostics

gpu.module @m {
  llvm.func @too_early() {
    // expected-error @below {{failed to convert nv_tileas atoms: 'nv_tileas.create_mem_token' is not one; run convert-tileas-to-llvm first}}
    %0 = nv_tileas.create_mem_token
    llvm.return
  }
}
