// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch bounds and cluster directives, every row of the table: hand-written attributes go straight to the serializer, the PTX
// has the normal form, and both assemblers take it. The passes do the same: test/passes/nvvm_finalize.
// REQUIRES: ptxas, fallback-ptxas
// RUN: split-file %s %t
// RUN: %tileir-serialize %t/simt.mlir -o %t/simt.ptx && FileCheck %t/simt.mlir --input-file=%t/simt.ptx
// RUN: %tileir-serialize %t/simt.mlir -o %t/simt.cubin --strict-cubin && sh -c 'TILEIR_PTXAS_PATH=$TILEIR_FALLBACK_PTXAS_PATH exec "$@"' sh %tileir-serialize %t/simt.mlir -o %t/simt.old.cubin
// RUN: %tileir-serialize %t/tile.mlir -o %t/tile.ptx && FileCheck %t/tile.mlir --input-file=%t/tile.ptx
// RUN: %tileir-serialize %t/tile.mlir -o %t/tile.cubin --print-summary | FileCheck %t/tile.mlir --check-prefix=CUBIN
// RUN: sh -c 'TILEIR_PTXAS_PATH=$TILEIR_FALLBACK_PTXAS_PATH exec "$@"' sh %tileir-serialize %t/tile.mlir -o %t/tile.old.cubin --print-summary | FileCheck %t/tile.mlir --check-prefix=OLD
// RUN: %tileir-serialize %t/tile.mlir -o %t/all.ptx --tile-launch=blocksareclusters && FileCheck %t/tile.mlir --check-prefix=ALL --input-file=%t/all.ptx
// RUN: %tileir-serialize %t/plain.mlir -o %t/plain.ptx && FileCheck %t/plain.mlir --input-file=%t/plain.ptx
// RUN: %tileir-serialize %t/plain.mlir -o %t/plain.cubin --print-summary | FileCheck %t/plain.mlir --check-prefix=CUBIN
// RUN: %tileir-serialize %t/sm80.mlir -o %t/sm80.ptx && FileCheck %t/sm80.mlir --input-file=%t/sm80.ptx
// RUN: %tileir-serialize %t/sm80.mlir -o %t/sm80.cubin 2>&1 | FileCheck %t/sm80.mlir --check-prefix=SILENT --allow-empty
// RUN: not %tileir-serialize %t/exceeds.mlir -o %t/none 2>&1 | FileCheck %t/exceeds.mlir
// RUN: not %tileir-serialize %t/product.mlir -o %t/none 2>&1 | FileCheck %t/product.mlir
// RUN: not %tileir-serialize %t/depth.mlir -o %t/none 2>&1 | FileCheck %t/depth.mlir
// RUN: not %tileir-serialize %t/zero.mlir -o %t/none 2>&1 | FileCheck %t/zero.mlir
// RUN: not %tileir-serialize %t/negative.mlir -o %t/none 2>&1 | FileCheck %t/negative.mlir
// RUN: not %tileir-serialize %t/two.mlir -o %t/none 2>&1 | FileCheck %t/two.mlir
// RUN: not %tileir-serialize %t/alone.mlir -o %t/none 2>&1 | FileCheck %t/alone.mlir
// RUN: not %tileir-serialize %t/huge.mlir -o %t/none 2>&1 | FileCheck %t/huge.mlir
// RUN: %tileir-serialize %t/large.mlir -o %t/large.cubin 2>&1 | FileCheck %t/large.mlir
// RUN: not %tileir-serialize %t/registers.mlir -o %t/none 2>&1 | FileCheck %t/registers.mlir
// RUN: not %tileir-serialize %t/unbounded.mlir -o %t/none 2>&1 | FileCheck %t/unbounded.mlir

//--- simt.mlir
// S-150: `.reqntid` wins over `.maxntid`; S-151: `.minnctapersm` needs one of them; S-152: a cluster size drops the rank bound;
// S-153, LA-61: clusters of kernels that are no tile kernels stay explicit.
// CHECK-NOT: {{\.maxnctapersm|\.blocksareclusters}}
// CHECK-LABEL: .entry both(
// CHECK-NEXT: .reqntid 128, 1, 1
// CHECK-NEXT: .minnctapersm 2
// CHECK-NOT: .maxntid
// CHECK-LABEL: .entry only_max(
// CHECK-NEXT: .maxntid 32, 4, 1
// CHECK-NEXT: {{^}}{
// CHECK-LABEL: .entry lonely_minimum(
// CHECK-NEXT: {{^}}{
// CHECK-LABEL: .entry cluster(
// CHECK-DAG: .reqntid 64, 1, 1
// CHECK-DAG: .explicitcluster
// CHECK-DAG: .reqnctapercluster 2, 2, 1
// CHECK-DAG: .maxnreg 24
// CHECK-NOT: .maxclusterrank
// CHECK-LABEL: .entry rank(
// CHECK: .maxclusterrank 4
// CHECK-LABEL: .entry by_clusters(
// CHECK-DAG: .reqnctapercluster 2, 1, 1
// CHECK-DAG: .reqntid 32, 1, 1
gpu.module @m [#nvvm.target<chip = "sm_90", features = "+ptx83">] {
  llvm.func @both() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.maxntid = array<i32: 128, 2>, nvvm.minctasm = 2 : i32} { llvm.return }
  llvm.func @only_max() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 4>} { llvm.return }
  llvm.func @lonely_minimum() attributes {nvvm.kernel, nvvm.minctasm = 2 : i32} { llvm.return }
  llvm.func @cluster() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>, nvvm.cluster_dim = array<i32: 2, 2, 1>, nvvm.cluster_max_blocks = 8 : i32, nvvm.maxnreg = 24 : i32} { llvm.return }
  llvm.func @rank() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>, nvvm.cluster_max_blocks = 4 : i32} { llvm.return }
  llvm.func @by_clusters() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, nvvm.cluster_dim = array<i32: 2, 1, 1>} { llvm.return }
}

//--- tile.mlir
// LA-1: `.reqntid`, never `.maxntid`, and `.minnctapersm 1` whatever was asked for. LA-2: several CTAs are a cluster and the
// grid counts clusters; one CTA has neither directive.
// CHECK-NOT: .maxntid
// CHECK-LABEL: .entry max_becomes_req(
// CHECK-NEXT: .reqntid 256, 1, 1
// CHECK-NEXT: .minnctapersm 1
// CHECK-NEXT: .language 7
// CHECK-LABEL: .entry minimum(
// CHECK: .minnctapersm 1
// CHECK-LABEL: .entry one_cta(
// CHECK-NOT: {{\.(reqnctapercluster|blocksareclusters)}}
// CHECK-LABEL: .entry cluster(
// CHECK-DAG: .reqnctapercluster 4, 1, 1
// CHECK-DAG: .blocksareclusters
// CHECK-DAG: .maxnreg 128
// CHECK-NOT: .explicitcluster
// CUBIN: kernel cluster
// CUBIN-NEXT: launch: block 256x1x1, cluster 4x1x1 (a tile block is a cluster)
// CUBIN: kernel one_cta
// CUBIN-NEXT: launch: block 128x1x1, 0 bytes
// CUBIN: kernel max_becomes_req
// CUBIN-NEXT: launch: block 256x1x1, 0 bytes of parameters (0 visible), language 7
// OLD: kernel cluster
// OLD-NEXT: launch: block 256x1x1, cluster 4x1x1 (a tile block is a cluster), 0 bytes of parameters (0 visible), {{[0-9]+}} blocks on an SM{{$}}
// S-161: nvcc's encoding of a launch without clusters, on request.
// ALL-LABEL: .entry one_cta(
// ALL-DAG: .reqnctapercluster 1, 1, 1
// ALL-DAG: .blocksareclusters
gpu.module @m [#nvvm.target<chip = "sm_100a", features = "+ptx86">] attributes {tileir.launch_abi = "tile"} {
  llvm.func @max_becomes_req() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256>} { llvm.return }
  llvm.func @minimum() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 3 : i32} { llvm.return }
  llvm.func @one_cta() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.cluster_dim = array<i32: 1, 1, 1>, nvvm.blocksareclusters} { llvm.return }
  llvm.func @cluster() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>, nvvm.cluster_dim = array<i32: 4, 1, 1>, nvvm.maxnreg = 128 : i32} { llvm.return }
}

//--- plain.mlir
// LA-61: the plain form says its cluster and leaves the grid to the launcher.
// CHECK-LABEL: .entry cluster(
// CHECK-DAG: .reqntid 128, 1, 1
// CHECK-DAG: .reqnctapercluster 2, 1, 1
// CHECK-DAG: .explicitcluster
// CHECK-NOT: {{\.blocksareclusters|\.language}}
// CUBIN: launch: block 128x1x1, cluster 2x1x1, 0 bytes
gpu.module @m [#nvvm.target<chip = "sm_90a", features = "+ptx90">] attributes {tileir.launch_abi = "plain"} {
  llvm.func @cluster() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.blocksareclusters} { llvm.return }
}

//--- sm80.mlir
// One module lowers for several targets: where there are no clusters their attributes go.
// CHECK-LABEL: .entry cluster(
// CHECK-NEXT: .reqntid 128, 1, 1
// CHECK-NEXT: .minnctapersm 1
// CHECK-NEXT: .language 7
// CHECK-NEXT: {{^}}{
// SILENT-NOT: ptxas
gpu.module @m [#nvvm.target<chip = "sm_80">] attributes {tileir.launch_abi = "tile"} {
  llvm.func @cluster() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.blocksareclusters, nvvm.cluster_max_blocks = 4 : i32} { llvm.return }
}

//--- exceeds.mlir
// CHECK: error: kernel 'k': nvvm.reqntid exceeds nvvm.maxntid
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 4>, nvvm.maxntid = array<i32: 128>} { llvm.return }
}

//--- product.mlir
// S-155: what ptxas does not check.
// CHECK: error: kernel 'k': nvvm.maxntid product 2048 exceeds 1024
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64, 32>} { llvm.return }
}

//--- depth.mlir
// CHECK: error: kernel 'k': nvvm.reqntid z extent 128 exceeds 64
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1, 1, 128>} { llvm.return }
}

//--- zero.mlir
// CHECK: error: kernel 'k': nvvm.reqntid has the value 0; expected a positive number
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 0>} { llvm.return }
}

//--- negative.mlir
// CHECK: error: kernel 'k': nvvm.cluster_dim has the value -1; expected a positive number
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, nvvm.cluster_dim = array<i32: -1, 1, 1>} { llvm.return }
}

//--- two.mlir
// CHECK: error: kernel 'k': nvvm.cluster_dim has 2 values; expected three
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, nvvm.cluster_dim = array<i32: 2, 1>} { llvm.return }
}

//--- alone.mlir
// CHECK: error: kernel 'k': nvvm.blocksareclusters requires nvvm.reqntid and nvvm.cluster_dim
gpu.module @m [#nvvm.target<chip = "sm_90", features = "+ptx90">] {
  // MLIR's own verifier knows the attribute; LLVM's string gets past it.
  llvm.func @k() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>, passthrough = ["nvvm.blocksareclusters"]} { llvm.return }
}

//--- huge.mlir
// CHECK: error: kernel 'k': a cluster of 32 CTAs exceeds 16
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, nvvm.cluster_dim = array<i32: 8, 4, 1>} { llvm.return }
}

//--- large.mlir
// CHECK: warning: cluster of 16 CTAs is not portable
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, nvvm.cluster_dim = array<i32: 16, 1, 1>} { llvm.return }
}

//--- registers.mlir
// CHECK: error: kernel 'k': nvvm.maxnreg is 256; expected 24 to 255
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, nvvm.maxnreg = 256 : i32} { llvm.return }
}

//--- unbounded.mlir
// LA-1
// CHECK: error: kernel 'k': a kernel of the tile launch ABI needs nvvm.reqntid
gpu.module @m [#nvvm.target<chip = "sm_90a", features = "+ptx90">] attributes {tileir.launch_abi = "tile"} {
  llvm.func @k() attributes {nvvm.kernel} { llvm.return }
}
