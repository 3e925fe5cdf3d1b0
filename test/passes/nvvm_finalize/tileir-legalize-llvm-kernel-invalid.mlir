// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(tileir-legalize-llvm-kernel))'

gpu.module @m {
  // expected-error @below {{kernel parameter 1 of type 'memref<?xf32>' has no launch ABI; pass a pointer and extents}}
  gpu.func @memref(%n: i32, %m: memref<?xf32>) kernel { gpu.return }
}

// -----

gpu.module @m {
  // expected-error @below {{kernel 'returns' must not return a value}}
  llvm.func @returns() -> i32 attributes {nvvm.kernel} {
    %0 = llvm.mlir.constant(0 : i32) : i32
    llvm.return %0 : i32
  }
  // expected-error @below {{kernel 'no_body' has no body}}
  llvm.func @no_body() attributes {nvvm.kernel}
  // expected-error @below {{kernel symbol name 'k.1' is not a valid PTX identifier}}
  llvm.func @"k.1"() attributes {nvvm.kernel} { llvm.return }
  // expected-error @below {{kernel symbol name '_' is not a valid PTX identifier}}
  llvm.func @_() attributes {nvvm.kernel} { llvm.return }
}

// -----

gpu.module @m {
  // expected-error @below {{visible parameter 1 follows a hidden one; hidden parameters come last}}
  llvm.func @order(%w: !llvm.ptr<1> {tileir.hidden = "workspace"}, %n: i32) attributes {nvvm.kernel} { llvm.return }
  // expected-error @below {{hidden parameter 1: the workspace comes first and once}}
  llvm.func @workspace(%m: !llvm.ptr {tileir.hidden = "tensormap"}, %w: !llvm.ptr<1> {tileir.hidden = "workspace"}) attributes {nvvm.kernel} { llvm.return }
}

// -----

gpu.module @m {
  // expected-error @below {{kernel 'mixed' takes an aggregate beside parameters that are no LLVM types; write it as llvm.func}}
  gpu.func @mixed(%i: index, %s: !llvm.struct<(i32)>) kernel { gpu.return }
}

// -----

// Types that ptxas has no parameter for.
gpu.module @m {
  // expected-error @below {{kernel parameter 0 of type 'i24' has no launch ABI; pass an integer of 8, 16, 32, 64 or 128 bits}}
  llvm.func @odd(%n: i24) attributes {nvvm.kernel} { llvm.return }
  // expected-error @below {{kernel parameter 0 of type 'i256' has no launch ABI; pass an integer of 8, 16, 32, 64 or 128 bits}}
  llvm.func @wide(%n: i256) attributes {nvvm.kernel} { llvm.return }
  // expected-error @below {{kernel parameter 1 of type '!llvm.struct<()>' is empty; leave it out}}
  llvm.func @empty(%n: i32, %s: !llvm.struct<()>) attributes {nvvm.kernel} { llvm.return }
  // expected-error @below {{kernel parameter 0 of type '!llvm.array<0 x i32>' is empty; leave it out}}
  llvm.func @none(%s: !llvm.array<0 x i32>) attributes {nvvm.kernel} { llvm.return }
  // expected-error @below {{kernel parameter 0 of type 'vector<[4]xi32>' has no launch ABI; pass a pointer and extents}}
  llvm.func @scalable(%s: vector<[4]xi32>) attributes {nvvm.kernel} { llvm.return }
}

// -----

// Names are printed so that they can be read.
gpu.module @m {
  // expected-error @below {{kernel symbol name 'a\x00b\x0A' is not a valid PTX identifier}}
  llvm.func @"a\00b\0A"() attributes {nvvm.kernel} { llvm.return }
}
