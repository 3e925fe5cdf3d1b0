// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(tileir-finalize-llvm-kernel))'

gpu.module @simt attributes {nv_tileaa.target_spec = "sm_90"} {
  // expected-error @below {{nvvm.reqntid exceeds nvvm.maxntid}}
  llvm.func @axis() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 4>, nvvm.maxntid = array<i32: 128>} { llvm.return }
  // expected-error @below {{nvvm.reqntid product 2048 exceeds 1024}}
  llvm.func @product() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 32>} { llvm.return }
  // expected-error @below {{nvvm.maxntid z extent 128 exceeds 64}}
  llvm.func @depth() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 1, 1, 128>} { llvm.return }
  // expected-error @below {{'nvvm.reqntid' must be positive in every dimension, got 0}}
  llvm.func @zero() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 0>} { llvm.return }
  // expected-error @below {{'nvvm.cluster_dim' must be positive in every dimension, got -1}}
  llvm.func @negative() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: -1, 1, 1>} { llvm.return }
  // expected-error @below {{'nvvm.cluster_dim' expects 3 values, got 2}}
  llvm.func @two() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1>} { llvm.return }
  // expected-error @below {{nvvm.cluster_dim product 32 exceeds 16}}
  llvm.func @cluster() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 32, 1, 1>} { llvm.return }
  // expected-error @below {{nvvm.maxnreg 16 is outside 24 to 255}}
  llvm.func @few() attributes {nvvm.kernel, nvvm.maxnreg = 16 : i32} { llvm.return }
  // expected-error @below {{nvvm.maxnreg 256 is outside 24 to 255}}
  llvm.func @many() attributes {nvvm.kernel, nvvm.maxnreg = 256 : i32} { llvm.return }
}

// -----

gpu.module @tile attributes {nv_tileaa.target_spec = "sm_90", tileir.launch_abi = "tile"} {
  // expected-error @below {{kernel 'no_size' has no 'nvvm.reqntid'; the launch ABI of tile kernels takes the block size from it}}
  llvm.func @no_size() attributes {nvvm.kernel} { llvm.return }
  // expected-error @below {{kernel 'early' is not an llvm.func yet; run the LLVM conversions first}}
  gpu.func @early() kernel { gpu.return }
}

// -----

gpu.module @parameters attributes {nv_tileaa.target_spec = "sm_90"} {
  // expected-error @below {{Formal parameter space overflowed (32768 bytes required, max 32764 bytes allowed) in function large}}
  llvm.func @large(%n: i32, %s: !llvm.ptr {llvm.byval = !llvm.array<32764 x i8>, llvm.align = 1 : i64}) attributes {nvvm.kernel} { llvm.return }
}

// -----

gpu.module @old_ptx [#nvvm.target<chip = "sm_80", features = "+ptx80">] {
  // expected-error @below {{Formal parameter space overflowed (4353 bytes required, max 4352 bytes allowed) in function large}}
  llvm.func @large(%s: !llvm.ptr {llvm.byval = !llvm.array<4353 x i8>, llvm.align = 1 : i64}) attributes {nvvm.kernel} { llvm.return }
}

// -----

gpu.module @alignment attributes {nv_tileaa.target_spec = "sm_90"} {
  // expected-error @below {{kernel parameter 0: 'llvm.align' is 3; expected a power of two}}
  llvm.func @odd(%s: !llvm.ptr {llvm.byval = i32, llvm.align = 3 : i64}) attributes {nvvm.kernel} { llvm.return }
  // expected-error @below {{kernel parameter 0 of type '!llvm.struct<()>' is empty; leave it out}}
  llvm.func @empty(%s: !llvm.ptr {llvm.byval = !llvm.struct<()>}) attributes {nvvm.kernel} { llvm.return }
}

// -----

// LA-1, S-137: tile kernels have static shared memory only, in either form, also through calls.
gpu.module @dynamic attributes {nv_tileaa.target_spec = "sm_90", tileir.launch_abi = "plain"} {
  // expected-note @below {{declared here}}
  llvm.mlir.global external @dyn() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.func @helper() -> !llvm.ptr<3> {
    %s = llvm.mlir.addressof @dyn : !llvm.ptr<3>
    llvm.return %s : !llvm.ptr<3>
  }
  // expected-error @below {{kernel 'k' uses dynamic shared memory, which the launch ABI of tile kernels does not have; give 'dyn' a size and internal linkage}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
    %s = llvm.call @helper() : () -> !llvm.ptr<3>
    llvm.return
  }
  llvm.func @other() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} { llvm.return }
}

// -----

// Others may: their launcher says how much.
gpu.module @simt_dynamic attributes {nv_tileaa.target_spec = "sm_90"} {
  llvm.mlir.global external @dyn() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.func @k() attributes {nvvm.kernel} {
    %s = llvm.mlir.addressof @dyn : !llvm.ptr<3>
    llvm.return
  }
}
