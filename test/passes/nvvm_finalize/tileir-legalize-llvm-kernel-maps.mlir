// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --split-input-file --pass-pipeline='builtin.module(gpu.module(tileir-legalize-llvm-kernel))' -o %t.once
// RUN: FileCheck %s --input-file=%t.once
// RUN: %{opt} %t.once --split-input-file --pass-pipeline='builtin.module(gpu.module(tileir-legalize-llvm-kernel))' | diff %t.once -

// LA-35: operands that are integer expressions of the arguments make a map of
// the host; the same map twice is one parameter; the first hidden parameter
// comes behind the visible ones.
// CHECK-LABEL: gpu.module @host
// CHECK: llvm.func @k(%{{.*}}: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{.*}}: i32, %{{.*}}: i32, %[[MAP:[a-z0-9]+]]: !llvm.ptr {
// CHECK-SAME: llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant, tileir.hidden = "tensormap", tileir.tensormap = {
// CHECK-SAME: base = "add(arg0, mul(sext(mul(arg1, 8:i32), i64), 2))"
// CHECK-SAME: box = array<i64: 64, 8>, element = "f16"
// CHECK-SAME: extents = ["arg1", "sub(arg2, 1:i32)"]
// CHECK-SAME: strides = ["mul(zext(arg1, i64), 16)"]
// CHECK-SAME: swizzle = "128B"}}) attributes {nvvm.kernel} {
// CHECK-NOT: call
// CHECK: llvm.store %[[MAP]], %{{.*}}
// CHECK-NEXT: llvm.store %[[MAP]], %{{.*}}
// CHECK-NOT: __tileir
gpu.module @host attributes {nv_tileaa.target_spec = "sm_90a", tileir.launch_abi = "tile"} {
  llvm.func @__tileir_make_tensor_map(...) -> !llvm.ptr
  llvm.func @k(%p: !llvm.ptr<1> {llvm.align = 16 : i64}, %n: i32, %m: i32) attributes {nvvm.kernel} {
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i64) : i64
    %i = llvm.mul %n, %c8 : i32
    %base = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    %rows = llvm.sub %m, %c1 : i32
    %wide = llvm.zext %n : i32 to i64
    %stride = llvm.mul %wide, %c16 : i64
    %0 = llvm.call @__tileir_make_tensor_map(%base, %n, %rows, %stride) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "f16", box = array<i64: 64, 8>, swizzle = "128B"}} : (!llvm.ptr<1>, i32, i32, i64) -> !llvm.ptr
    %1 = llvm.call @__tileir_make_tensor_map(%base, %n, %rows, %stride) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "f16", box = array<i64: 64, 8>, swizzle = "128B"}} : (!llvm.ptr<1>, i32, i32, i64) -> !llvm.ptr
    llvm.store %0, %p : !llvm.ptr, !llvm.ptr<1>
    llvm.store %1, %p : !llvm.ptr, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// LA-35: a loaded base is built on the device, in the workspace or in the CTA's
// own memory (LA-36 to LA-38); what the host can do stays there. LA-13: the
// workspace comes first.
// CHECK-LABEL: gpu.module @device
// CHECK: llvm.func @__tileir_per_cta_memory() -> i64
// CHECK: llvm.mlir.global internal @__tileir_map_k_0() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<17 x i64>
// CHECK: llvm.mlir.global internal @__tileir_map_k_1()
// CHECK: llvm.func @k(%{{.*}}: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{.*}}: i32, %[[W:[a-z0-9]+]]: !llvm.ptr<1> {tileir.hidden = "workspace"}, %{{.*}}: !llvm.ptr {{.*}}tileir.hidden = "tensormap"
// CHECK-SAME: attributes {nvvm.kernel, tileir.device_maps = 2 : i32}
// The elected thread of the first warp writes sixteen words.
// CHECK: nvvm.barrier0
// CHECK: llvm.cond_br %{{.*}}, ^[[WARP:.*]], ^[[JOIN:.*]]
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %{{.*}}, %{{.*}} : i32
// CHECK-NOT: llvm.cond_br
// CHECK-COUNT-16: "@$2 st.shared.b64 [$0], $1;", "l,l,b,~{memory}" %{{.*}}, %{{.*}}, %[[FIRST]]
// CHECK-NOT: llvm.cond_br
// CHECK: nvvm.bar.warp.sync
// CHECK: %[[OWN:.*]] = llvm.call @__tileir_per_cta_memory()
// CHECK: llvm.icmp "ne" %[[OWN]]
// CHECK-DAG: nvvm.read.ptx.sreg.smid
// CHECK-DAG: nvvm.read.ptx.sreg.nsmid
// CHECK-DAG: nvvm.read.ptx.sreg.warpid
// CHECK-DAG: llvm.ptrtoint %[[W]]
// CHECK: tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;
// CHECK-NEXT: llvm.mlir.addressof
// CHECK-NOT: llvm.cond_br
// CHECK: "@$2 st.shared.b64 [$0], $1;"
// CHECK: nvvm.barrier0
// CHECK: nvvm.fence.proxy.acquire <gpu>
// CHECK: nvvm.cp.async.bulk.commit.group
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
gpu.module @device attributes {nv_tileaa.target_spec = "sm_90a", tileir.launch_abi = "tile"} {
  llvm.func @__tileir_make_tensor_map(...) -> !llvm.ptr
  llvm.func @k(%p: !llvm.ptr<1> {llvm.align = 16 : i64}, %n: i32) attributes {nvvm.kernel} {
    %base = llvm.load %p : !llvm.ptr<1> -> i64
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %0 = llvm.call @__tileir_make_tensor_map(%p, %n) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "u8", box = array<i64: 64>}} : (!llvm.ptr<1>, i32) -> !llvm.ptr
    %1 = llvm.call @__tileir_make_tensor_map(%base, %n) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "u8", box = array<i64: 64>}, tileir.divisible_by = 16 : i64} : (i64, i32) -> !llvm.ptr
    // The tile index is nothing that a launcher knows.
    %2 = llvm.call @__tileir_make_tensor_map(%p, %x) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "u8", box = array<i64: 64>}, tileir.divisible_by = 16 : i64} : (!llvm.ptr<1>, i32) -> !llvm.ptr
    llvm.store %0, %p : !llvm.ptr, !llvm.ptr<1>
    llvm.store %1, %p : !llvm.ptr, !llvm.ptr<1>
    llvm.store %2, %p : !llvm.ptr, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// The parameter keeps a guarantee of the call, without a proof.
// CHECK-LABEL: gpu.module @promised
// CHECK: llvm.func @k(%{{.*}}: !llvm.ptr<1>, %{{.*}}: i32, %{{.*}}: !llvm.ptr {
// CHECK-SAME: tileir.divisible_by = 16 : i64, tileir.hidden = "tensormap"
// CHECK-SAME: strides = ["zext(arg1, i64)"]
gpu.module @promised attributes {nv_tileaa.target_spec = "sm_90a", tileir.launch_abi = "tile"} {
  llvm.func @__tileir_make_tensor_map(...) -> !llvm.ptr
  llvm.func @k(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
    %stride = llvm.zext %n : i32 to i64
    %0 = llvm.call @__tileir_make_tensor_map(%p, %n, %n, %stride) vararg(!llvm.func<ptr (...)>) {tileir.divisible_by = 16 : i64, tileir.tensormap = {element = "f16", box = array<i64: 64, 8>, swizzle = "128B"}} : (!llvm.ptr<1>, i32, i32, i64) -> !llvm.ptr
    llvm.store %0, %p : !llvm.ptr, !llvm.ptr<1>
    llvm.return
  }
}
