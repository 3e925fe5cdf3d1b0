// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(tileir-verify-lowered))' | FileCheck %s

// CHECK-LABEL: gpu.module @lowered
gpu.module @lowered {
  // CHECK: llvm.func @k
  llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c = arith.constant dense<0.0> : vector<4x2xf16>
    %i = arith.constant 0 : index
    llvm.return
  }
}

// -----

gpu.module @op {
  // expected-error @below {{'nv_tileaa.func' survived the tile lowering}}
  nv_tileaa.func kernel @k() {
    nv_tileaa.return
  }
}

// -----

gpu.module @cast {
  llvm.func @k(%x: i32) {
    // expected-error @below {{'builtin.unrealized_conversion_cast' survived the tile lowering}}
    %0 = builtin.unrealized_conversion_cast %x : i32 to index
    llvm.return
  }
}

// -----

gpu.module @result {
  llvm.func @k() {
    // expected-error @below {{'arith.constant' has a value of type 'tensor<4xf32>' that no later pass converts}}
    %0 = arith.constant dense<0.0> : tensor<4xf32>
    llvm.return
  }
}

// -----

gpu.module @nested_type {
  // expected-error @below {{'func.func' has a value of type '(tensor<4xf32>) -> i32' that no later pass converts}}
  func.func @f(%x: (tensor<4xf32>) -> i32) {
    return
  }
}
