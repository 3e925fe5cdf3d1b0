// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LA-2, LA-3, LA-61: a grid of tiles with clusters of two. In the tile form the launcher counts clusters, in the plain form CTAs;
// the tile index is %clusterid in both.
// REQUIRES: ptxas
// RUN: %tileir-serialize %s -o %t.tile.ptx 2>&1 && FileCheck %s --input-file=%t.tile.ptx --check-prefixes=CHECK,TILE
// RUN: %tileir-serialize %s -o %t.tile.cubin
// RUN: sed -e 's/launch_abi = "tile"/launch_abi = "plain"/' %s > %t.plain.mlir
// RUN: %tileir-serialize %t.plain.mlir -o %t.plain.ptx && FileCheck %s --input-file=%t.plain.ptx --check-prefixes=CHECK,PLAIN
// RUN: %tileir-serialize %t.plain.mlir -o %t.plain.cubin --launch-sidecar=%t.json && FileCheck %s --input-file=%t.json --check-prefix=SIDECAR
// RUN: python3 %S/Inputs/write-npy.py %t.npy 0 0 1 1 2 2 3 3 3 3 3 3
// RUN: echo '{"kernel": "%t.tile.ptx", "grid": [3], "args": [{"name": "out", "dtype": "i32", "shape": [12], "init": "poison", "output": true, "expect": "%t.npy"}]}' > %t.tile.json
// RUN: %tileir-run %t.tile.json
// RUN: echo '{"kernel": "%t.plain.ptx", "grid": [6], "args": [{"name": "out", "dtype": "i32", "shape": [12], "init": "poison", "output": true, "expect": "%t.npy"}]}' > %t.plain.json
// RUN: %tileir-run %t.plain.json
// CHECK: .entry k(
// CHECK-DAG: .reqntid 32, 1, 1
// CHECK-DAG: .reqnctapercluster 2, 1, 1
// TILE-DAG: .blocksareclusters
// TILE-NOT: .explicitcluster
// PLAIN-DAG: .explicitcluster
// PLAIN-NOT: .blocksareclusters
// CHECK: %clusterid.x
// SIDECAR: "cluster": [
// SIDECAR-NEXT: 2,
gpu.module @m [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx90">] attributes {tileir.launch_abi = "tile"} {
  llvm.func @k(%out: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c6 = llvm.mlir.constant(6 : i32) : i32
    %first = llvm.icmp "eq" %tid, %c0 : i32
    llvm.cond_br %first, ^write, ^done
  ^write:
    %tile = nvvm.read.ptx.sreg.clusterid.x : i32
    %tiles = nvvm.read.ptx.sreg.nclusterid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
    %twice = llvm.shl %tile, %c1 : i32
    %at = llvm.add %twice, %rank : i32
    %p = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %tile, %p : i32, !llvm.ptr<1>
    %at6 = llvm.add %at, %c6 : i32
    %q = llvm.getelementptr %out[%at6] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %tiles, %q : i32, !llvm.ptr<1>
    llvm.br ^done
  ^done:
    llvm.return
  }
}
