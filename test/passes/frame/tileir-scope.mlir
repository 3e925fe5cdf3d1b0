// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libFramePasses.so --load-pass-plugin=%libFramePasses.so
// RUN: %{opt} %s --log-actions-to=%t.log \
// RUN:   --pass-pipeline='builtin.module(tileir-scope{name=CompileNVVM phase=begin},canonicalize,tileir-scope{name=CompileNVVM phase=end})' | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t.log
// RUN: not %{opt} %s --pass-pipeline='builtin.module(tileir-scope{phase=middle})' 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: phase is 'middle'; expected 'begin' or 'end'

// LOG: tileir-scope` begin 'CompileNVVM'
// LOG: tileir-scope` end 'CompileNVVM'
// CHECK: func.func @unchanged()
func.func @unchanged() {
  return
}
