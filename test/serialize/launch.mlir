// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch attributes of hand-written modules (section 5.5), limits that no ptxas checks, and where parameters lie.
// RUN: rm -rf %t && split-file %s %t
// RUN: %tileir-serialize %t/simt.mlir --emit=ptx -o - --module=new | FileCheck %t/simt.mlir
// RUN: %tileir-serialize %t/simt.mlir --emit=ptx -o - --module=old | FileCheck %t/simt.mlir --check-prefix=OLD
// RUN: %tileir-serialize %t/tile.mlir --emit=ptx -o - | FileCheck %t/tile.mlir
// RUN: %tileir-serialize %t/tile.mlir --emit=ptx -o - --tile-launch=blocksareclusters | FileCheck %t/tile.mlir --check-prefix=CLUSTERS
// RUN: not %tileir-serialize %t/bad.mlir --module=exceeds -o %t/none 2>&1 | FileCheck %t/bad.mlir --check-prefix=EXCEEDS
// RUN: not %tileir-serialize %t/bad.mlir --module=large -o %t/none 2>&1 | FileCheck %t/bad.mlir --check-prefix=LARGE
// RUN: not %tileir-serialize %t/bad.mlir --module=zero -o %t/none 2>&1 | FileCheck %t/bad.mlir --check-prefix=ZERO
// RUN: not %tileir-serialize %t/bad.mlir --module=cluster -o %t/none 2>&1 | FileCheck %t/bad.mlir --check-prefix=CLUSTER
// RUN: not %tileir-serialize %t/bad.mlir --module=registers -o %t/none 2>&1 | FileCheck %t/bad.mlir --check-prefix=REGISTERS
// RUN: not %tileir-serialize %t/parameters.mlir --ptx-version=8.0 --gpu-name=sm_90 -o %t/none 2>&1 | FileCheck %t/parameters.mlir --check-prefix=OLDPTX
// RUN: not ls %t/none
// RUN: env TILEIR_PTXAS_PATH=%lib/serialize/ptxas STANDIN_ARGV=%t/argv STANDIN_OUT=%t/elf not %tileir-serialize %t/shared.mlir --module=small -o %t/none
// RUN: FileCheck %t/shared.mlir --check-prefix=SMALL --input-file=%t/argv
// RUN: env TILEIR_PTXAS_PATH=%lib/serialize/ptxas STANDIN_ARGV=%t/argv STANDIN_OUT=%t/elf not %tileir-serialize %t/shared.mlir --module=large -o %t/none
// RUN: FileCheck %t/shared.mlir --check-prefix=BIG --input-file=%t/argv
// RUN: env TILE_AS_DEBUG_UNLIMITED_SMEM=0 %tileir-serialize %t/shared.mlir --module=huge --emit=ptx -o - | FileCheck %t/shared.mlir --check-prefix=HUGE
// RUN: env TILE_AS_DEBUG_UNLIMITED_SMEM= %tileir-serialize %t/shared.mlir --module=huge --emit=ptx -o - | FileCheck %t/shared.mlir --check-prefix=HUGE
// RUN: not %tileir-serialize %t/shared.mlir --module=huge --emit=ptx -o %t/none 2>&1 | FileCheck %t/shared.mlir --check-prefix=CAP

//--- simt.mlir
// Only one bound on the threads (S-150), no second one without it (S-151), one bound on the cluster (S-152), cluster
// directives with their prerequisites and only where the target has them (S-153, S-154).
// CHECK-LABEL: .visible .entry both(
// CHECK-NOT:   .maxntid
// CHECK:       .reqntid 64, 1, 1
// CHECK-LABEL: .visible .entry cluster(
// CHECK-NOT:   .maxclusterrank
// CHECK-NOT:   .blocksareclusters
// CHECK-DAG:   .explicitcluster
// CHECK-DAG:   .reqnctapercluster 2, 1, 1
// CHECK-LABEL: .visible .entry rank(
// CHECK-NOT:   .reqnctapercluster
// CHECK:       .maxclusterrank 4
// OLD-LABEL:   .visible .entry old(
// OLD-NOT:     cluster
gpu.module @new [#nvvm.target<chip = "sm_90">] {
  llvm.func @both() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>, nvvm.maxntid = array<i32: 128>} {
    llvm.return
  }
  llvm.func @cluster() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>, nvvm.cluster_dim = array<i32: 2, 1, 1>,
                                   nvvm.cluster_max_blocks = 4 : i32} {
    llvm.return
  }
  llvm.func @rank() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>, nvvm.cluster_max_blocks = 4 : i32} {
    llvm.return
  }
}
gpu.module @old [#nvvm.target<chip = "sm_80">] {
  llvm.func @old() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    llvm.return
  }
}

//--- tile.mlir
// Tile form: the block by `.reqntid`, no cluster of one, unless it is asked for (S-160, S-161); visible parameters flat and
// in order (S-162), aggregates with an alignment (S-163), offsets of nested ones by LLVM's data layout (S-136).
// CHECK:      .visible .entry k(
// CHECK-NEXT: {{^}}	.param .u64 .ptr .global .align 1 k_param_0,
// CHECK-NEXT: {{^}}	.param .u8 k_param_1,
// CHECK-NEXT: {{^}}	.param .align 2 .b8 k_param_2[2],
// CHECK-NEXT: {{^}}	.param .f64 k_param_3,
// CHECK-NEXT: {{^}}	.param .align 16 .b8 k_param_4[32]
// CHECK-NEXT: )
// CHECK-NOT:  cluster
// CHECK:      .reqntid 128
// CLUSTERS:     .visible .entry k(
// CLUSTERS-DAG: .reqnctapercluster 1, 1, 1
// CLUSTERS-DAG: .blocksareclusters
gpu.module @m [#nvvm.target<chip = "sm_90a", features = "+ptx90">] attributes {tileir.launch_abi = "tile"} {
  llvm.func @k(%a: !llvm.ptr<1>, %b: i8, %h: f16, %d: f64,
               %s: !llvm.ptr {llvm.byval = !llvm.struct<(i8, struct<(i64, array<3 x i8>)>, i64)>, llvm.align = 16 : i64})
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128>, nvvm.cluster_dim = array<i32: 1, 1, 1>} {
    llvm.store %d, %a : f64, !llvm.ptr<1>
    llvm.return
  }
}

//--- bad.mlir
// Limits of the hardware that ptxas does not state (S-155).
// EXCEEDS: error: kernel 'k': nvvm.reqntid exceeds nvvm.maxntid
// LARGE: error: kernel 'k': nvvm.reqntid z extent 65 exceeds 64
// ZERO: error: {{.*}}nvvm.reqntid
// CLUSTER: error: kernel 'k': a cluster of 32 CTAs exceeds 16
// REGISTERS: error: kernel 'k': nvvm.maxnreg is 23; expected 24 to 255
gpu.module @exceeds [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 2>, nvvm.maxntid = array<i32: 128, 1>} {
    llvm.return
  }
}
gpu.module @large [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1, 1, 65>} {
    llvm.return
  }
}
gpu.module @zero [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 0, 1, 1>} {
    llvm.return
  }
}
gpu.module @cluster [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>, nvvm.cluster_dim = array<i32: 32, 1, 1>} {
    llvm.return
  }
}
gpu.module @registers [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>, nvvm.maxnreg = 23 : i32} {
    llvm.return
  }
}

//--- parameters.mlir
// A version that was asked for is not raised (S-132).
// OLDPTX: error: PTX version 8.0 is below 8.1, needed by parameters of 5000 bytes
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k(%p: !llvm.ptr {llvm.byval = !llvm.array<5000 x i8>, llvm.align = 8 : i64}) attributes {nvvm.kernel} {
    llvm.return
  }
}

//--- shared.mlir
// Static shared memory: the option when it is needed, a cap by target (S-137), which a variable lifts (S-105).
// SMALL-NOT: --enable-extended-smem
// BIG: --enable-extended-smem=true
// HUGE: .shared .align 16 .b8 s[196608]
// CAP: Entry function 'k' uses too much shared data (0x30000 bytes, 0x28c00 max)
gpu.module @small [#nvvm.target<chip = "sm_80">] {
  llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<49152 x i8>
  llvm.func @k(%i: i32) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @s : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    llvm.store volatile %i, %p : i32, !llvm.ptr<3>
    llvm.return
  }
}
gpu.module @large [#nvvm.target<chip = "sm_80">] {
  llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<49168 x i8>
  llvm.func @k(%i: i32) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @s : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    llvm.store volatile %i, %p : i32, !llvm.ptr<3>
    llvm.return
  }
}
gpu.module @huge [#nvvm.target<chip = "sm_80">] {
  llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<196608 x i8>
  llvm.func @k(%i: i32) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @s : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    llvm.store volatile %i, %p : i32, !llvm.ptr<3>
    llvm.return
  }
}
