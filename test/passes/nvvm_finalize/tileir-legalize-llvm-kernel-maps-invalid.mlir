// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(tileir-legalize-llvm-kernel))'

// LA-43: no map without a proof that hardware takes it.
gpu.module @unproven attributes {nv_tileaa.target_spec = "sm_90a"} {
  llvm.func @__tileir_make_tensor_map(...) -> !llvm.ptr
  llvm.func @base(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %n = llvm.mlir.constant(64 : i32) : i32
    // expected-error @below {{base 'arg0' is not known to be divisible by 16; add 'tileir.divisible_by' to a parameter or load without a tensor map}}
    %0 = llvm.call @__tileir_make_tensor_map(%p, %n) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "u8", box = array<i64: 64>}} : (!llvm.ptr<1>, i32) -> !llvm.ptr
    llvm.return
  }
  llvm.func @stride(%p: !llvm.ptr<1> {tileir.divisible_by = 32 : i64}, %s: i64 {tileir.divisible_by = 8 : i64}) attributes {nvvm.kernel} {
    %n = llvm.mlir.constant(64 : i32) : i32
    // expected-error @below {{stride 1 'arg1' is not known to be divisible by 16; add 'tileir.divisible_by' to a parameter or load without a tensor map}}
    %0 = llvm.call @__tileir_make_tensor_map(%p, %n, %n, %s) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "u8", box = array<i64: 64, 1>}} : (!llvm.ptr<1>, i32, i32, i64) -> !llvm.ptr
    llvm.return
  }
  llvm.func @loaded(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %n = llvm.mlir.constant(64 : i32) : i32
    %base = llvm.load %p : !llvm.ptr<1> -> i64
    // expected-error @below {{base and strides of a tensor map that is built on the device are not known to be divisible by 16; add 'tileir.divisible_by' to the call}}
    %0 = llvm.call @__tileir_make_tensor_map(%base, %n) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "u8", box = array<i64: 64>}} : (i64, i32) -> !llvm.ptr
    llvm.return
  }
  // expected-error @below {{hidden tensor map 1: base 'add(arg0, 4)' is not known to be divisible by 16; add 'tileir.divisible_by' to a parameter or load without a tensor map}}
  llvm.func @recipe(%p: !llvm.ptr<1> {llvm.align = 16 : i64}, %m: !llvm.ptr {tileir.hidden = "tensormap",
    tileir.tensormap = {element = "u8", base = "add(arg0, 4)", extents = ["16"], strides = [], box = array<i64: 16>}}) attributes {nvvm.kernel} { llvm.return }
}

// -----

gpu.module @calls attributes {nv_tileaa.target_spec = "sm_90a"} {
  llvm.func @__tileir_make_tensor_map(...) -> !llvm.ptr
  llvm.func @shape(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
    // expected-error @below {{call of '__tileir_make_tensor_map' needs 'tileir.tensormap', a dictionary with element, box and swizzle}}
    %0 = llvm.call @__tileir_make_tensor_map(%p, %n) vararg(!llvm.func<ptr (...)>) : (!llvm.ptr<1>, i32) -> !llvm.ptr
    llvm.return
  }
  llvm.func @field(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
    // expected-error @below {{'tileir.tensormap': unknown field 'base'}}
    %0 = llvm.call @__tileir_make_tensor_map(%p, %n) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "u8", base = "0", box = array<i64: 64>}} : (!llvm.ptr<1>, i32) -> !llvm.ptr
    llvm.return
  }
  llvm.func @count(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
    // expected-error @below {{a tensor map of rank 2 takes 4 operands (base, extents, strides), got 2}}
    %0 = llvm.call @__tileir_make_tensor_map(%p, %n) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "u8", box = array<i64: 64, 2>}} : (!llvm.ptr<1>, i32) -> !llvm.ptr
    llvm.return
  }
  llvm.func @type(%p: !llvm.ptr<1>, %n: f32) attributes {nvvm.kernel} {
    // expected-error @below {{operand 1 of a tensor map is 'f32'; expected i32 or i64}}
    %0 = llvm.call @__tileir_make_tensor_map(%p, %n) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "u8", box = array<i64: 64>}} : (!llvm.ptr<1>, f32) -> !llvm.ptr
    llvm.return
  }
}

// -----

gpu.module @target attributes {nv_tileaa.target_spec = "sm_89"} {
  llvm.func @__tileir_make_tensor_map(...) -> !llvm.ptr
  llvm.func @k(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
    // expected-error @below {{tensor maps need sm_90 or later, target is 'sm_89'; load without them}}
    %0 = llvm.call @__tileir_make_tensor_map(%p, %n) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "u8", box = array<i64: 64>}} : (!llvm.ptr<1>, i32) -> !llvm.ptr
    llvm.return
  }
}

// -----

gpu.module @helper attributes {nv_tileaa.target_spec = "sm_90a"} {
  llvm.func @__tileir_make_tensor_map(...) -> !llvm.ptr
  llvm.func @helper(%p: !llvm.ptr<1>, %n: i32) {
    // expected-error @below {{tensor maps are made by kernels; inline this function}}
    %0 = llvm.call @__tileir_make_tensor_map(%p, %n) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "u8", box = array<i64: 64>}} : (!llvm.ptr<1>, i32) -> !llvm.ptr
    llvm.return
  }
}
