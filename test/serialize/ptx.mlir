// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From lowered IR to PTX: directives, forms, libdevice's absence, what is refused.
// RUN: split-file %s %t
// RUN: env TILEIR_PTXAS_PATH=%lib/serialize/ptxas STANDIN_VERSION=13.5 %tileir-serialize %t/tile.mlir --emit=ptx -o - | FileCheck %t/tile.mlir
// RUN: env TILEIR_PTXAS_PATH=%lib/serialize/ptxas STANDIN_VERSION=13.2 %tileir-serialize %t/tile.mlir --emit=ptx -o - | FileCheck %t/tile.mlir
// RUN: env TILEIR_PTXAS_PATH=%lib/serialize/ptxas STANDIN_VERSION=13.1 %tileir-serialize %t/tile.mlir --emit=ptx -o - | FileCheck %t/tile.mlir --check-prefix=OLD
// RUN: env -u TILEIR_PTXAS_PATH PATH=%t %tileir-serialize %t/tile.mlir --emit=ptx -o - | FileCheck %t/tile.mlir --check-prefix=OLD
// RUN: %tileir-serialize %t/tile.mlir --emit=ptx -o - --gpu-name=sm_90 | FileCheck %t/tile.mlir --check-prefix=SAME
// RUN: %tileir-serialize %t/tile.mlir --emit=ptx -o - --launch-meta=none | FileCheck %t/tile.mlir --check-prefix=NOMETA
// RUN: %tileir-serialize %t/simt.mlir --emit=ptx -o - | FileCheck %t/simt.mlir
// RUN: %tileir-serialize %t/simt.mlir --emit=ptx -o - --gpu-name=sm_100f | FileCheck %t/simt.mlir --check-prefix=FAMILY
// RUN: %tileir-serialize %t/simt.mlir --emit=ptx -o - --ptx-version=9.0 | FileCheck %t/simt.mlir --check-prefix=PTX90
// RUN: %tileir-serialize %t/simt.mlir --emit=ptx -o - --ftz --approx | FileCheck %t/simt.mlir --check-prefix=FAST
// RUN: not %tileir-serialize %t/simt.mlir -o %t.none --gpu-name=sm_90 2>&1 | FileCheck %t/simt.mlir --check-prefix=CONFLICT
// RUN: not %tileir-serialize %t/simt.mlir -o %t.none --ptx-version=8.0 2>&1 | FileCheck %t/simt.mlir --check-prefix=PTX80
// RUN: not %tileir-serialize %t/tile.mlir -o %t.none --launch-abi=plain 2>&1 | FileCheck %t/tile.mlir --check-prefix=FORM
// RUN: not %tileir-serialize %t/undefined.mlir -o %t.none 2>&1 | FileCheck %t/undefined.mlir
// RUN: not %tileir-serialize %t/bounds.mlir -o %t.none 2>&1 | FileCheck %t/bounds.mlir
// RUN: not %tileir-serialize %t/shared.mlir -o %t.none 2>&1 | FileCheck %t/shared.mlir
// RUN: not %tileir-serialize %t/leftover.mlir -o %t.none 2>&1 | FileCheck %t/leftover.mlir
// RUN: not %tileir-serialize %t/parameters.mlir -o %t.none 2>&1 | FileCheck %t/parameters.mlir
// RUN: not ls %t.none

//--- tile.mlir
// Hidden parameters, a cluster, only an upper bound on the threads (S-160, S-164, LA-2, LA-4, LA-7, LA-12, LA-13, LA-15).
// CHECK:      .version 9.2
// CHECK-NEXT: .target sm_90a
// CHECK:      .visible .global .align 8 .b8 ___NV_TILE_LAUNCH_META_DATA___[64];
// CHECK:      .visible .entry k(
// CHECK-NEXT:   {{^}}	.param .u64 .ptr .global .align 1 k_param_0,
// CHECK-NEXT:   {{^}}	.hidden .param .u64 .ptr .global .align 1 k_param_1,
// CHECK-NEXT:   {{^}}	.hidden .param .align 64 .b8 k_param_2[128]
// CHECK-NEXT: )
// CHECK-NOT:  .maxntid
// CHECK:      .reqntid 256, 1, 1
// CHECK:      .minnctapersm 1
// CHECK:      .reqnctapercluster 2, 1, 1
// CHECK:      .blocksareclusters
// CHECK:      .language 7
// CHECK-NEXT: {
// CHECK:      .visible .entry l()
// CHECK:      .reqntid 128
// CHECK-NOT:  cluster
// CHECK:      .language 7
// OLD:        .version 9.0
// OLD-NOT:    LAUNCH_META
// OLD:        .hidden .param .align 64 .b8 k_param_2[128]
// OLD-NOT:    .language
// SAME:       .target sm_90a
// NOMETA-NOT: LAUNCH_META
// FORM: error: module was lowered for launch ABI 'tile'
gpu.module @m [#nvvm.target<chip = "sm_90a", features = "+ptx90">] attributes {tileir.launch_abi = "tile"} {
  llvm.func @k(%a: !llvm.ptr<1>, %w: !llvm.ptr<1> {tileir.hidden = "workspace"},
               %t: !llvm.ptr {tileir.hidden = "tensormap", llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant})
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %v = llvm.ptrtoint %t : !llvm.ptr to i64
    llvm.store %v, %w : i64, !llvm.ptr<1>
    llvm.store %v, %a : i64, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @l() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.maxntid = array<i32: 256>, nvvm.cluster_dim = array<i32: 1, 1, 1>} {
    llvm.return
  }
}

//--- simt.mlir
// An ordinary kernel keeps `.maxntid` and gets nothing of the tile form; `.minnctapersm` needs a bound (S-150, S-151).
// CHECK:      .version 8.6
// CHECK-NEXT: .target sm_100{{$}}
// CHECK-NOT:  LAUNCH_META
// CHECK:      .visible .entry k(
// CHECK:      .maxntid 64
// CHECK-NOT:  .language
// CHECK:      add.rn.f32
// CHECK:      sqrt.rn.f32
// CHECK:      div.rn.f32
// CHECK:      .visible .entry l(
// CHECK-NOT:  .minnctapersm
// CHECK-NOT:  .visible .func
// FAMILY:     .version 8.8
// FAMILY:     .target sm_100f
// PTX90:      .version 9.0
// FAST:       sqrt.approx.ftz.f32
// FAST:       div.{{approx|full}}.ftz.f32
// CONFLICT: error: --gpu-name=sm_90 conflicts with module target sm_100
// PTX80: error: PTX version 8.0 is below 8.6, needed by 'sm_100'
gpu.module @m [#nvvm.target<chip = "sm_100">] {
  llvm.func @helper(%x: f32) -> f32 {
    %y = llvm.fadd %x, %x : f32
    llvm.return %y : f32
  }
  llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64>, nvvm.minctasm = 2 : i32} {
    %y = llvm.call @helper(%x) : (f32) -> f32
    %z = llvm.intr.sqrt(%y) : (f32) -> f32
    %q = llvm.fdiv %z, %x : f32
    llvm.store %q, %p : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @l() attributes {nvvm.kernel, nvvm.minctasm = 2 : i32} {
    llvm.return
  }
}

//--- undefined.mlir
// CHECK: error: undefined device function 'nowhere'
gpu.module @m [#nvvm.target<chip = "sm_100">] {
  llvm.func @nowhere()
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.call @nowhere() : () -> ()
    llvm.return
  }
}

//--- bounds.mlir
// CHECK: error: kernel 'k': nvvm.reqntid product 2048 exceeds 1024
gpu.module @m [#nvvm.target<chip = "sm_100">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1024, 2, 1>} {
    llvm.return
  }
}

//--- shared.mlir
// The sentence that clients look for, then ours (S-080).
// CHECK: {{^}}ptxas error   : Entry function 'k' uses too much shared data (0x30000 bytes, 0x28c00 max)
// CHECK-NEXT: error: kernel 'k' needs 196608 bytes of shared memory, 'sm_80' has 166912 a block; use smaller tiles
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<196608 x i8>
  llvm.func @k(%i: i32) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @s : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    llvm.store volatile %i, %p : i32, !llvm.ptr<3>
    llvm.return
  }
}

//--- leftover.mlir
// The first operation that no translation knows is named, at its place (S-121).
// CHECK: leftover.mlir:[[#@LINE+4]]:10: error: operation 'arith.addi' cannot be serialized; run the full tileir pipeline
gpu.module @m [#nvvm.target<chip = "sm_100">] {
  llvm.func @k(%i: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    // Registered or not, it is no LLVM operation.
    %j = "arith.addi"(%i, %i) : (i32, i32) -> i32
    llvm.store %j, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

//--- parameters.mlir
// Too many bytes of parameters, hidden ones included (S-135, LA-8).
// CHECK: error: Formal parameter space overflowed (40000 bytes required, max 32764 bytes allowed) in function k
gpu.module @m [#nvvm.target<chip = "sm_100">] {
  llvm.func @k(%p: !llvm.ptr {llvm.byval = !llvm.array<40000 x i8>, llvm.align = 8 : i64}) attributes {nvvm.kernel} {
    llvm.return
  }
}
