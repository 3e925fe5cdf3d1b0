// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --split-input-file --pass-pipeline='builtin.module(gpu.module(tileir-finalize-llvm-kernel))' -o %t.once
// RUN: FileCheck %s --input-file=%t.once
// RUN: %{opt} %t.once --split-input-file --pass-pipeline='builtin.module(gpu.module(tileir-finalize-llvm-kernel))' | diff %t.once -

// CHECK-LABEL: gpu.module @simt
gpu.module @simt attributes {nv_tileaa.target_spec = "sm_90"} {
  // CHECK: llvm.func @both() attributes {nvvm.kernel, nvvm.minctasm = 2 : i32, nvvm.reqntid = array<i32: 128, 1, 1>}
  llvm.func @both() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.maxntid = array<i32: 128, 2>, nvvm.minctasm = 2 : i32} { llvm.return }
  // CHECK: llvm.func @only_max() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 4, 1>}
  llvm.func @only_max() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 4>} { llvm.return }
  // CHECK: llvm.func @lonely_minimum() attributes {nvvm.kernel} {
  llvm.func @lonely_minimum() attributes {nvvm.kernel, nvvm.minctasm = 2 : i32} { llvm.return }
  // CHECK: llvm.func @cluster() attributes {nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.kernel, nvvm.maxnreg = 24 : i32, nvvm.reqntid = array<i32: 128, 1, 1>}
  llvm.func @cluster() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.cluster_max_blocks = 4 : i32, nvvm.maxnreg = 24 : i32} { llvm.return }
  // CHECK: llvm.func ptx_kernelcc @convention() attributes {nvvm.kernel}
  llvm.func internal ptx_kernelcc @convention() { llvm.return }
  // CHECK: llvm.func internal @helper()
  llvm.func @helper() { llvm.return }
  // CHECK: llvm.func @declaration()
  llvm.func @declaration()
}

// -----

// CHECK-LABEL: gpu.module @tile
gpu.module @tile attributes {nv_tileaa.target_spec = "sm_100a", tileir.launch_abi = "tile"} {
  // CHECK: llvm.func @max_becomes_req() attributes {nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 256, 1, 1>}
  llvm.func @max_becomes_req() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256>} { llvm.return }
  // CHECK: llvm.func @one_cta() attributes {nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128, 1, 1>}
  llvm.func @one_cta() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.cluster_dim = array<i32: 1, 1, 1>, nvvm.blocksareclusters} { llvm.return }
  // CHECK: llvm.func @cluster() attributes {nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 4, 1, 1>, nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128, 1, 1>}
  llvm.func @cluster() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.cluster_dim = array<i32: 4, 1, 1>} { llvm.return }
}

// -----

// CHECK-LABEL: gpu.module @plain
gpu.module @plain attributes {nv_tileaa.target_spec = "sm_90a", tileir.launch_abi = "plain"} {
  // CHECK: llvm.func @cluster() attributes {nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128, 1, 1>}
  llvm.func @cluster() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.blocksareclusters} { llvm.return }
}

// -----

// CHECK-LABEL: gpu.module @without_clusters
gpu.module @without_clusters [#nvvm.target<chip = "sm_86">] attributes {tileir.launch_abi = "tile"} {
  // CHECK: llvm.func @cluster() attributes {nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128, 1, 1>}
  llvm.func @cluster() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.blocksareclusters, nvvm.cluster_max_blocks = 4 : i32} { llvm.return }
}

// -----

// CHECK-LABEL: gpu.module @limits
gpu.module @limits attributes {nv_tileaa.target_spec = "sm_86"} {
  llvm.mlir.global internal @smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<101376 x i8>
  // CHECK: llvm.func @just_enough
  llvm.func @just_enough(%s: !llvm.ptr {llvm.byval = !llvm.array<32764 x i8>, llvm.align = 1 : i64}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 4, 4, 64>, nvvm.maxnreg = 255 : i32} {
    %0 = llvm.mlir.addressof @smem : !llvm.ptr<3>
    llvm.return
  }
}
