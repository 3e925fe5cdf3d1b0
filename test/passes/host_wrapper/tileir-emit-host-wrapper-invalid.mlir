// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refusals: triples (S-242), files that cannot be written (S-243), kernels without what the host needs.
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libHostWrapperPasses.so --load-pass-plugin=%libHostWrapperPasses.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tileir-emit-host-wrapper)'
// RUN: not %{opt} %S/Inputs/empty.mlir --pass-pipeline='builtin.module(tileir-emit-host-wrapper{host-triple=pdp11-unknown-unix})' 2>&1 | FileCheck %s --check-prefix=TRIPLE
// RUN: not %{opt} %S/Inputs/empty.mlir --pass-pipeline='builtin.module(tileir-emit-host-wrapper{dump-host=%t.none/host.mlir})' 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: not %{opt} %S/Inputs/empty.mlir --pass-pipeline='builtin.module(tileir-emit-host-wrapper{launcher-api=vulkan})' 2>&1 | FileCheck %s --check-prefix=API
// API: error: invalid value 'vulkan' for option 'launcher-api'; expected one of 'driver', 'runtime'
// TRIPLE: error: unknown host triple 'pdp11-unknown-unix'
// DUMP: error: cannot write host code to '{{.*}}.none/host.mlir': No such file or directory
// A device is written, not replaced.
// RUN: echo 'gpu.module @m attributes {tileir.launch_abi = "tile", nv_tileaa.target_spec = "sm_90a"} { llvm.func @k() attributes {nvvm.kernel} { llvm.return } }' > %t.mlir
// RUN: not %{opt} %t.mlir --pass-pipeline='builtin.module(tileir-emit-host-wrapper{dump-host=/dev/full})' 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: test -c /dev/full
// FULL: error: cannot write host code to '/dev/full': No space left on device

gpu.module @maps attributes {tileir.launch_abi = "tile", nv_tileaa.target_spec = "sm_90a"} {
  // expected-error @below {{kernel 'k' has a hidden tensor map without a recipe; add 'tileir.tensormap' to parameter 0}}
  llvm.func @k(%m: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant, tileir.hidden = "tensormap"}) attributes {nvvm.kernel} { llvm.return }
}

// -----

gpu.module @recipe attributes {tileir.launch_abi = "tile", nv_tileaa.target_spec = "sm_90a"} {
  // expected-error @below {{hidden tensor map 1: 'tileir.tensormap': 'extents[0]': parameter 0 is neither an integer nor a pointer}}
  llvm.func @k(%x: f32, %m: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant, tileir.hidden = "tensormap",
    tileir.tensormap = {element = "u8", base = "0", extents = ["arg0"], strides = [], box = array<i64: 16>}}) attributes {nvvm.kernel} { llvm.return }
}

// -----

gpu.module @target attributes {tileir.launch_abi = "tile", nv_tileaa.target_spec = "sm_89"} {
  // expected-error @below {{kernel 'k' has a hidden tensor map, target is 'sm_89'; compile for sm_90 or later or load without tensor maps}}
  llvm.func @k(%p: !llvm.ptr<1>, %m: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant, tileir.hidden = "tensormap",
    tileir.tensormap = {element = "u8", base = "arg0", extents = ["16"], strides = [], box = array<i64: 16>}}) attributes {nvvm.kernel} { llvm.return }
}

// -----

gpu.module @workspace attributes {tileir.launch_abi = "tile", nv_tileaa.target_spec = "sm_90a"} {
  // expected-error @below {{kernel 'k' has a workspace, but no 'tileir.device_maps' says how large it is}}
  llvm.func @k(%w: !llvm.ptr<1> {tileir.hidden = "workspace"}) attributes {nvvm.kernel} { llvm.return }
}

// -----

gpu.module @parameter attributes {tileir.launch_abi = "tile"} {
  // expected-error @below {{kernel parameter 1 of type 'memref<4xf32>' has no launch ABI; pass a pointer and extents}}
  gpu.func @k(%n: i32, %m: memref<4xf32>) kernel { gpu.return }
}
