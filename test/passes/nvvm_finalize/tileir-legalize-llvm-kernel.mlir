// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --split-input-file --pass-pipeline='builtin.module(gpu.module(tileir-legalize-llvm-kernel))' -o %t.once
// RUN: FileCheck %s --input-file=%t.once
// RUN: %{opt} %s --split-input-file --pass-pipeline='builtin.module(gpu.module(tileir-legalize-llvm-kernel,tileir-legalize-llvm-kernel))' | diff %t.once -

// CHECK-LABEL: gpu.module @aggregates
gpu.module @aggregates {
  // CHECK: llvm.func @k(%[[N:.*]]: i32, %[[S:.*]]: !llvm.ptr {llvm.align = 8 : i64, llvm.byval = !llvm.struct<(i8, i64)>},
  // CHECK-SAME: %[[A:.*]]: !llvm.ptr {llvm.align = 4 : i64, llvm.byval = !llvm.array<3 x f32>}) attributes {nvvm.kernel}
  // CHECK: %[[SV:.*]] = llvm.load %[[S]] : !llvm.ptr -> !llvm.struct<(i8, i64)>
  // CHECK: llvm.load %[[A]] : !llvm.ptr -> !llvm.array<3 x f32>
  // CHECK: llvm.extractvalue %[[SV]][1]
  llvm.func @k(%n: i32, %s: !llvm.struct<(i8, i64)>, %a: !llvm.array<3 x f32>) attributes {nvvm.kernel} {
    %0 = llvm.extractvalue %s[1] : !llvm.struct<(i8, i64)>
    llvm.return
  }
  // CHECK: llvm.func @helper(%{{.*}}: !llvm.struct<(i8, i64)>)
  llvm.func @helper(%s: !llvm.struct<(i8, i64)>) { llvm.return }
}

// -----

// CHECK-LABEL: gpu.module @other_functions
gpu.module @other_functions {
  // CHECK: llvm.func @known(%{{.*}}: f32) attributes {nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  // CHECK-NEXT: gpu.thread_id
  // CHECK-NEXT: llvm.return
  gpu.func @known(%x: f32) kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %0 = gpu.thread_id x
    gpu.return
  }
  // An index has no width yet: the conversion of gpu.func gives it one.
  // CHECK: gpu.func @index(%{{.*}}: index) kernel attributes {nvvm.reqntid = array<i32: 64, 1, 1>}
  gpu.func @index(%x: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    gpu.return
  }
  // CHECK: llvm.func ptx_kernelcc @calls(%{{.*}}: i32) attributes {nvvm.kernel}
  llvm.func ptx_kernelcc @calls(%x: i32) {
    llvm.return
  }
}

// -----

// CHECK-LABEL: gpu.module @hidden
gpu.module @hidden {
  // CHECK: llvm.func @k(%{{.*}}: i32, %{{.*}}: !llvm.ptr<1> {tileir.hidden = "workspace"},
  // CHECK-SAME: %{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant, tileir.hidden = "tensormap"})
  llvm.func @k(%n: i32, %w: !llvm.ptr<1> {tileir.hidden = "workspace"}, %m: !llvm.ptr {tileir.hidden = "tensormap"}) attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

// S-162: a parameter of less than a byte is passed as one.
// CHECK-LABEL: gpu.module @sub_byte
gpu.module @sub_byte {
  // CHECK: llvm.func @k(%[[A:.*]]: i8, %[[B:.*]]: i1, %[[C:.*]]: i8, %[[P:.*]]: !llvm.ptr<1>) attributes {nvvm.kernel}
  // CHECK-DAG: %[[C2:.*]] = llvm.trunc %[[C]] : i8 to i2
  // CHECK-DAG: %[[A4:.*]] = llvm.trunc %[[A]] : i8 to i4
  // CHECK: llvm.sext %[[A4]] : i4 to i32
  // CHECK: llvm.zext %[[C2]] : i2 to i32
  llvm.func @k(%a: i4, %b: i1, %c: i2, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %0 = llvm.sext %a : i4 to i32
    %1 = llvm.zext %c : i2 to i32
    llvm.store %0, %p : i32, !llvm.ptr<1>
    llvm.store %1, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
