// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An operation of no dialect: the last pass leaves it as it is, the one before names it.
// RUN: %tileir-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(convert-tileas-to-nvgpu)' | FileCheck %s
// RUN: %tileir-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' --verify-diagnostics

// CHECK: "foo.op"() : () -> ()
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func kernel @k() {
    // expected-error @below {{'foo.op' survived convert-tileas-to-llvm}}
    "foo.op"() : () -> ()
    nv_tileaa.return
  }
}
