// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --split-input-file --verify-diagnostics
// RUN: not %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --split-input-file --canonicalize 2>&1 | FileCheck %s

// Assumptions about themselves, which end in an error wherever they stand: names are given to them before they are
// verified.
// CHECK: error: 'cuda_tile.assume' op operand #0 does not dominate this use

cuda_tile.module @m {
  entry @k() {
    // expected-error @below {{'cuda_tile.assume' op operand #0 does not dominate this use}}
    %0 = assume div_by<16>, %0 : tile<ptr<f32>>
    return
  }
}

// -----

// A region without order.
// expected-error @below {{'cuda_tile.assume' op operand #0 does not dominate this use}}
%0 = cuda_tile.assume div_by<16>, %0 : tile<ptr<f32>>

// -----

// expected-error @below {{'cuda_tile.assume' op operand #0 does not dominate this use}}
%0 = cuda_tile.assume div_by<16>, %1 : tile<i32>
%1 = cuda_tile.assume div_by<32>, %0 : tile<i32>
