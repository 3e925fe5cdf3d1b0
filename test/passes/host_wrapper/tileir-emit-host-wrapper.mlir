// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host module beside the kernels; a second run changes nothing (S-245).
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libHostWrapperPasses.so --load-pass-plugin=%libHostWrapperPasses.so
// RUN: %{opt} %s --split-input-file --pass-pipeline='builtin.module(tileir-emit-host-wrapper{host-triple=x86_64-unknown-linux-gnu})' -o %t.once
// RUN: FileCheck %s --input-file=%t.once
// RUN: %{opt} %t.once --split-input-file --pass-pipeline='builtin.module(tileir-emit-host-wrapper{host-triple=x86_64-unknown-linux-gnu})' | diff %t.once -

// CHECK-LABEL: gpu.module @lowered
// CHECK: module @__tileir_host attributes {llvm.target_triple = "x86_64-unknown-linux-gnu", tileir.host_module} {
// CHECK-DAG: llvm.mlir.global internal constant @__CUDA_TILEIR_FUNC_NAME_0("first\00")
// CHECK-DAG: llvm.mlir.global internal constant @__CUDA_TILEIR_FUNC_NAME_1("second\00")
// CHECK: llvm.mlir.global internal constant @__CUDA_TILEIR_FUNC_CALLBACKS() {{.*}} : !llvm.array<2 x struct<(ptr, array<4 x i64>, ptr, i64, i64)>> {
// CHECK: addressof @__CUDA_TILEIR_FUNC_NAME_0
// CHECK-NEXT: insertvalue {{.*}}[0, 0]
// CHECK: addressof @__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_0
// CHECK-NEXT: insertvalue {{.*}}[0, 2]
// CHECK: addressof @__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_1
// CHECK-NEXT: insertvalue {{.*}}[1, 2]
// CHECK: llvm.mlir.global external constant @__CUDA_TILEIR_CALLBACKS() {{.*}} : !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)> {
// Number of kernels, then the interface version.
// CHECK: %[[KERNELS:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(2 : i64)
// CHECK-NEXT: insertvalue %[[COUNT]], {{.*}}[6]
// CHECK: addressof @__CUDA_TILEIR_ON_PRE_LOAD
// CHECK-NEXT: insertvalue {{.*}}[8]
// CHECK: llvm.mlir.global internal @__CUDA_TILEIR_CALLBACKS_ON_PRE_LOAD()
// CHECK: llvm.func @__CUDA_TILEIR_ON_PRE_LOAD(%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i32, %{{.*}}: !llvm.ptr) -> i32
// CHECK: llvm.func internal @__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_0(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// CHECK-NOT: tileir.open_body
// CHECK: llvm.func internal @__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_1(
// CHECK-NOT: llvm.func
gpu.module @lowered attributes {tileir.launch_abi = "tile"} {
  llvm.func @first(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} { llvm.return }
  llvm.func @helper() { llvm.return }
  llvm.func @second() attributes {nvvm.kernel} { llvm.return }
}

// -----

// Before the tile lowering the bodies are open.
// CHECK-LABEL: gpu.module @open
// CHECK: module @__tileir_host
// CHECK: llvm.func internal @__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_0({{.*}}tileir.open_body
// CHECK-NOT: ON_ARGUMENTS_CHANGE_1
gpu.module @open {
  nv_tileaa.func kernel @k(%p: !nv_tileaa.ptr<f32>, %n: i32) { nv_tileaa.return }
  nv_tileaa.func @helper(%n: i32) { nv_tileaa.return }
}

// -----

// Neither form has anything to embed.
// CHECK-LABEL: gpu.module @no_kernel
// CHECK-NOT: tileir.host_module
gpu.module @no_kernel attributes {tileir.launch_abi = "tile"} {
  llvm.func @helper() { llvm.return }
}

// -----

// CHECK-LABEL: gpu.module @plain
// CHECK-NOT: tileir.host_module
gpu.module @plain attributes {tileir.launch_abi = "plain"} {
  llvm.func @k() attributes {nvvm.kernel} { llvm.return }
}

// -----

// The bits of a map may be the launcher's secret.
// CHECK-LABEL: gpu.module @plain_map
// CHECK-NOT: tileir.host_module
gpu.module @plain_map attributes {tileir.launch_abi = "plain", nv_tileaa.target_spec = "sm_90a"} {
  llvm.func @k(%m: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant, tileir.hidden = "tensormap"}) attributes {nvvm.kernel} { llvm.return }
}

// -----

// CHECK-LABEL: gpu.module @simt
// CHECK-NOT: tileir.host_module
gpu.module @simt {
  llvm.func @k() attributes {nvvm.kernel} { llvm.return }
}

// -----

// CHECK-LABEL: gpu.module @a
// CHECK: module @__tileir_host_a attributes {{.*}}tileir.host_module = "a"
// CHECK: FUNC_NAME_0("in_a\00")
// CHECK: module @__tileir_host_b attributes {{.*}}tileir.host_module = "b"
// CHECK: FUNC_NAME_0("in_b\00")
gpu.module @a attributes {tileir.launch_abi = "tile"} {
  llvm.func @in_a() attributes {nvvm.kernel} { llvm.return }
}
gpu.module @b attributes {tileir.launch_abi = "tile"} {
  llvm.func @in_b() attributes {nvvm.kernel} { llvm.return }
}

// -----

// The workspace of three maps, for 224 SMs in the static table;
// its pointer follows the visible parameters, on sm_90 at byte 16.
// CHECK-LABEL: gpu.module @workspace
// CHECK: @__CUDA_TILEIR_CALLBACKS()
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(5505024 : i64)
// CHECK-NEXT: insertvalue %[[BYTES]], {{.*}}[2]
// CHECK: @__CUDA_TILEIR_ON_PRE_LOAD
// CHECK: llvm.mlir.constant(24576 : i64)
// CHECK: ON_ARGUMENTS_CHANGE_0(%{{.*}}: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[BLOCK:.*]]: !llvm.ptr)
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[ARGS]][8]
// CHECK: %[[POINTER:.*]] = llvm.load %[[SLOT]]
// CHECK: %[[TO:.*]] = llvm.getelementptr %[[BLOCK]][16]
// CHECK: llvm.store %[[POINTER]], %[[TO]] {alignment = 1 : i64}
gpu.module @workspace attributes {tileir.launch_abi = "tile", nv_tileaa.target_spec = "sm_90a"} {
  llvm.func @k(%p: !llvm.ptr<1>, %n: i32, %w: !llvm.ptr<1> {tileir.hidden = "workspace"}) attributes {nvvm.kernel, tileir.device_maps = 3 : i32} { llvm.return }
}

// -----

// LA-55: a tensor map from its recipe. On sm_90 it begins at byte 0x70 for 0x48
// visible bytes; parameters are read unaligned at their offsets, each once.
// CHECK-LABEL: gpu.module @tensor_map
// CHECK: ON_ARGUMENTS_CHANGE_0(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[BLOCK:.*]]: !llvm.ptr)
// CHECK: %[[AT64:.*]] = llvm.getelementptr %[[BLOCK]][64]
// CHECK-NEXT: %[[N:.*]] = llvm.load %[[AT64]] {alignment = 1 : i64} : !llvm.ptr -> i32
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[BLOCK]][0]
// CHECK-NEXT: %[[BASE:.*]] = llvm.load %[[AT]] {alignment = 1 : i64} : !llvm.ptr -> i64
// CHECK-NOT: llvm.load
// CHECK: %[[MAP:.*]] = llvm.getelementptr %[[BLOCK]][112]
// CHECK-NEXT: llvm.store %{{.*}}, %[[MAP]] {alignment = 1 : i64} : i64, !llvm.ptr
// CHECK: %[[LAST:.*]] = llvm.getelementptr %[[BLOCK]][232]
// CHECK-NEXT: llvm.store %{{.*}}, %[[LAST]] {alignment = 1 : i64} : i64, !llvm.ptr
// CHECK-NEXT: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-NEXT: llvm.return %[[ZERO]]
gpu.module @tensor_map attributes {tileir.launch_abi = "tile", nv_tileaa.target_spec = "sm_90a"} {
  llvm.func @k(%p: !llvm.ptr<1>, %a: i64, %b: i64, %c: i64, %d: i64, %e: i64, %f: i64, %g: i64, %n: i32, %x: i32,
    %m: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant, tileir.hidden = "tensormap",
      tileir.tensormap = {element = "f16", values = ["sext(arg8, i64)"], base = "add(arg0, mul(%0, 16))", extents = ["%0"], strides = [], box = array<i64: 64>}})
    attributes {nvvm.kernel} { llvm.return }
}
