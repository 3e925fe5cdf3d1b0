// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Made by tileir-emit-host-wrapper from axpy in the tile launch ABI; here so that these tests need no pass.
module @prog attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx90", flags = {"-Xopt"}>] attributes {tileir.launch_abi = "tile"} {
    llvm.func @axpy(%arg0: !llvm.ptr<1> {llvm.align = 1 : i64}, %arg1: !llvm.ptr<1>, %arg2: f32, %arg3: i32) attributes {nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128>} {
      %0 = nvvm.read.ptx.sreg.tid.x : i32
      %1 = nvvm.read.ptx.sreg.clusterid.x : i32
      %2 = llvm.mlir.constant(128 : i32) : i32
      %3 = llvm.mul %1, %2 : i32
      %4 = llvm.add %3, %0 : i32
      %5 = llvm.icmp "slt" %4, %arg3 : i32
      llvm.cond_br %5, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      %6 = llvm.getelementptr %arg0[%4] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %7 = llvm.getelementptr %arg1[%4] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %8 = llvm.load %6 : !llvm.ptr<1> -> f32
      %9 = llvm.load %7 : !llvm.ptr<1> -> f32
      %10 = llvm.fmul %8, %arg2 : f32
      %11 = llvm.fadd %10, %9 : f32
      llvm.store %11, %7 : f32, !llvm.ptr<1>
      llvm.br ^bb2
    ^bb2:  // 2 preds: ^bb0, ^bb1
      llvm.return
    }
  }
  module @__tileir_host attributes {llvm.target_triple = "x86_64-pc-linux-gnu", tileir.host_module} {
    llvm.mlir.global internal constant @__CUDA_TILEIR_FUNC_NAME_0("axpy\00") {addr_space = 0 : i32, alignment = 1 : i64}
    llvm.mlir.global internal constant @__CUDA_TILEIR_FUNC_CALLBACKS() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.array<1 x struct<(ptr, array<4 x i64>, ptr, i64, i64)>> {
      %0 = llvm.mlir.zero : !llvm.array<1 x struct<(ptr, array<4 x i64>, ptr, i64, i64)>>
      %1 = llvm.mlir.addressof @__CUDA_TILEIR_FUNC_NAME_0 : !llvm.ptr
      %2 = llvm.insertvalue %1, %0[0, 0] : !llvm.array<1 x struct<(ptr, array<4 x i64>, ptr, i64, i64)>>
      %3 = llvm.mlir.addressof @__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_0 : !llvm.ptr
      %4 = llvm.insertvalue %3, %2[0, 2] : !llvm.array<1 x struct<(ptr, array<4 x i64>, ptr, i64, i64)>>
      llvm.return %4 : !llvm.array<1 x struct<(ptr, array<4 x i64>, ptr, i64, i64)>>
    }
    llvm.mlir.global external constant @__CUDA_TILEIR_CALLBACKS() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)> {
      %0 = llvm.mlir.zero : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)>
      %1 = llvm.mlir.constant(2 : i64) : i64
      %2 = llvm.insertvalue %1, %0[0] : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)>
      %3 = llvm.mlir.constant(0 : i64) : i64
      %4 = llvm.insertvalue %3, %2[2] : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)>
      %5 = llvm.mlir.constant(64 : i64) : i64
      %6 = llvm.insertvalue %5, %4[4] : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)>
      %7 = llvm.mlir.addressof @__CUDA_TILEIR_FUNC_CALLBACKS : !llvm.ptr
      %8 = llvm.insertvalue %7, %6[5] : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)>
      %9 = llvm.mlir.constant(1 : i64) : i64
      %10 = llvm.insertvalue %9, %8[6] : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)>
      %11 = llvm.mlir.constant(2 : i64) : i64
      %12 = llvm.insertvalue %11, %10[7] : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)>
      %13 = llvm.mlir.addressof @__CUDA_TILEIR_ON_PRE_LOAD : !llvm.ptr
      %14 = llvm.insertvalue %13, %12[8] : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)>
      llvm.return %14 : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)>
    }
    llvm.mlir.global internal @__CUDA_TILEIR_CALLBACKS_ON_PRE_LOAD() {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)> {
      %0 = llvm.mlir.zero : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)>
      llvm.return %0 : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)>
    }
    llvm.func @__CUDA_TILEIR_ON_PRE_LOAD(%arg0: !llvm.ptr, %arg1: i64, %arg2: i32, %arg3: !llvm.ptr) -> i32 attributes {passthrough = ["noimplicitfloat", "nounwind"]} {
      %0 = llvm.mlir.constant(1 : i32) : i32
      %1 = llvm.alloca %0 x i32 {alignment = 4 : i64} : (i32) -> !llvm.ptr
      %2 = llvm.mlir.constant(0 : i32) : i32
      %3 = llvm.icmp "eq" %arg2, %2 : i32
      llvm.cond_br %3, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      %4 = llvm.mlir.constant(1 : i32) : i32
      llvm.return %4 : i32
    ^bb2:  // pred: ^bb0
      %5 = llvm.mlir.constant(2 : i32) : i32
      %6 = llvm.icmp "slt" %arg2, %5 : i32
      %7 = llvm.mlir.constant(0 : i64) : i64
      llvm.cond_br %6, ^bb3, ^bb4(%7 : i64)
    ^bb3:  // pred: ^bb2
      %8 = llvm.mlir.constant(0 : i32) : i32
      llvm.store %8, %1 {alignment = 4 : i64} : i32, !llvm.ptr
      %9 = llvm.getelementptr %arg0[48] : (!llvm.ptr) -> !llvm.ptr, i8
      %10 = llvm.load %9 {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
      %11 = llvm.mlir.constant(16 : i32) : i32
      %12 = llvm.call %10(%arg1, %11, %1) : !llvm.ptr, (i64, i32, !llvm.ptr) -> i32
      %13 = llvm.load %1 {alignment = 4 : i64} : !llvm.ptr -> i32
      %14 = llvm.sext %13 : i32 to i64
      %15 = llvm.mlir.constant(0 : i64) : i64
      %16 = llvm.mul %14, %15 : i64
      llvm.br ^bb4(%16 : i64)
    ^bb4(%17: i64):  // 2 preds: ^bb2, ^bb3
      %18 = llvm.mlir.addressof @__CUDA_TILEIR_CALLBACKS : !llvm.ptr
      %19 = llvm.mlir.addressof @__CUDA_TILEIR_CALLBACKS_ON_PRE_LOAD : !llvm.ptr
      %20 = llvm.getelementptr %18[0] : (!llvm.ptr) -> !llvm.ptr, i8
      %21 = llvm.load %20 {alignment = 8 : i64} : !llvm.ptr -> i64
      %22 = llvm.getelementptr %19[0] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %21, %22 {alignment = 8 : i64} : i64, !llvm.ptr
      %23 = llvm.getelementptr %18[8] : (!llvm.ptr) -> !llvm.ptr, i8
      %24 = llvm.load %23 {alignment = 8 : i64} : !llvm.ptr -> i64
      %25 = llvm.getelementptr %19[8] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %24, %25 {alignment = 8 : i64} : i64, !llvm.ptr
      %26 = llvm.getelementptr %19[16] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %17, %26 {alignment = 8 : i64} : i64, !llvm.ptr
      %27 = llvm.getelementptr %18[24] : (!llvm.ptr) -> !llvm.ptr, i8
      %28 = llvm.load %27 {alignment = 8 : i64} : !llvm.ptr -> i64
      %29 = llvm.getelementptr %19[24] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %28, %29 {alignment = 8 : i64} : i64, !llvm.ptr
      %30 = llvm.getelementptr %18[32] : (!llvm.ptr) -> !llvm.ptr, i8
      %31 = llvm.load %30 {alignment = 8 : i64} : !llvm.ptr -> i64
      %32 = llvm.getelementptr %19[32] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %31, %32 {alignment = 8 : i64} : i64, !llvm.ptr
      %33 = llvm.getelementptr %18[40] : (!llvm.ptr) -> !llvm.ptr, i8
      %34 = llvm.load %33 {alignment = 8 : i64} : !llvm.ptr -> i64
      %35 = llvm.getelementptr %19[40] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %34, %35 {alignment = 8 : i64} : i64, !llvm.ptr
      %36 = llvm.getelementptr %18[48] : (!llvm.ptr) -> !llvm.ptr, i8
      %37 = llvm.load %36 {alignment = 8 : i64} : !llvm.ptr -> i64
      %38 = llvm.getelementptr %19[48] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %37, %38 {alignment = 8 : i64} : i64, !llvm.ptr
      %39 = llvm.getelementptr %18[56] : (!llvm.ptr) -> !llvm.ptr, i8
      %40 = llvm.load %39 {alignment = 8 : i64} : !llvm.ptr -> i64
      %41 = llvm.getelementptr %19[56] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %40, %41 {alignment = 8 : i64} : i64, !llvm.ptr
      %42 = llvm.getelementptr %18[64] : (!llvm.ptr) -> !llvm.ptr, i8
      %43 = llvm.load %42 {alignment = 8 : i64} : !llvm.ptr -> i64
      %44 = llvm.getelementptr %19[64] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %43, %44 {alignment = 8 : i64} : i64, !llvm.ptr
      llvm.store %19, %arg3 {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
      %45 = llvm.mlir.constant(0 : i32) : i32
      llvm.return %45 : i32
    }
    llvm.func internal @__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_0(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: !llvm.ptr) -> i32 attributes {passthrough = ["noimplicitfloat", "nounwind"]} {
      %0 = llvm.mlir.constant(0 : i32) : i32
      llvm.return %0 : i32
    }
  }
}

