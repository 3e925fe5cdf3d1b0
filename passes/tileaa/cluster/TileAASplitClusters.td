// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAA_CLUSTER_TILEAASPLITCLUSTERS_TD
#define PASSES_TILEAA_CLUSTER_TILEAASPLITCLUSTERS_TD

include "mlir/Pass/PassBase.td"

def TileAASplitClusters
    : Pass<"tileaa-split-clusters", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Divides a tile block among the CTAs of a cluster";
  let description = [{
    A kernel with `num_ctas` above 1 describes the work of a cluster. This pass
    makes the work of one CTA of it: tiles become smaller, and the CTA's rank
    says which part is its own. Later passes see the smaller tiles only.

    Each effect (a store, an atomic, an assertion) gets the dimension of its
    tile that the CTAs divide; four CTAs may divide two dimensions. From there
    the parts of the other values follow by their uses: the rows of a dot are
    those of its operand A, and the columns those of B; an elementwise operation
    has the part of its result; a reduction along another dimension, too. CTAs
    that need the same results of a reduction may divide the dimension that it
    combines: each combines its elements, they exchange what they get
    (`nv_tileaa.cluster_gather`), and each combines that in the order of the
    ranks, so that all have the same. They do so where the other work that this
    divides is more than the exchange takes, and where no load may read
    something else in each CTA: all CTAs must reach the exchange. A part of a
    view is a view with smaller tiles, whose index is scaled and shifted by
    the rank. What all CTAs need they compute, or load, each for itself. Scalars
    are of that kind, so that control flow is the same in all CTAs. Effects
    without a tile that can be divided are left to the CTA of rank 0, which
    passes the results of its atomics to the others.

    Of the legal choices the pass takes the one by which a CTA has least to do.
    The kernel stays in one CTA, `num_ctas` becomes 1, and a warning says why,
    where

    - a token orders an access after one that another CTA makes of the same
      bytes, or an access acquires or releases, and barriers of the cluster
      would take most of the time; elsewhere the CTAs wait for each other before
      the access (`nv_tileaa.grid_dependency wait` with `tileir.cluster_wait`);
    - what an atomic of several CTAs returns is needed in another CTA than has
      it;
    - the function calls others, allocates memory, or has effects without a
      rule;
    - a CTA would do most of the work of the tile block by itself, such as for
      short rows;
    - the target has clusters that share nothing, as sm_120.

    The function is left alone if it reads the CTA's rank (`gpu.cluster_block_id`) already.

    Input:

    ```mlir
    gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
      nv_tileaa.func kernel @k(%v: !nv_tileaa.memref<?x256xf32, strides = [256, 1]>, %i: i32)
          attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2, cluster_dim = [2, 1, 1]>} {
        %c0 = arith.constant 0 : i32
        %w = nv_tileaa.block_tile %v : !nv_tileaa.memref<?x256xf32, strides = [256, 1]> -> !nv_tileaa.tiled_view<64x256 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>
        %x, %t = nv_tileaa.tiled_load weak %w[%i, %c0] in_bounds = [true, true] : !nv_tileaa.tiled_view<64x256 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>[i32, i32] -> tensor<64x256xf32>
        %y = arith.addf %x, %x : tensor<64x256xf32>
        %u = nv_tileaa.tiled_store weak %y, %w[%i, %c0] token %t in_bounds = [true, true] : tensor<64x256xf32>, !nv_tileaa.tiled_view<64x256 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>[i32, i32]
        nv_tileaa.return
      }
    }
    ```

    Output:

    ```mlir
    gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
      nv_tileaa.func kernel @k(%v: !nv_tileaa.memref<?x256xf32, strides = [256, 1]>, %i: i32)
          attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2, cluster_dim = [2, 1, 1]>} {
        %id = gpu.cluster_block_id x upper_bound 2
        %r = arith.index_cast %id : index to i32
        %c0 = arith.constant 0 : i32
        %w = nv_tileaa.block_tile %v : !nv_tileaa.memref<?x256xf32, strides = [256, 1]> -> !nv_tileaa.tiled_view<32x256 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>
        %c2 = arith.constant 2 : i32
        %0 = arith.muli %i, %c2 : i32
        %1 = arith.addi %0, %r : i32
        %x, %t = nv_tileaa.tiled_load weak %w[%1, %c0] in_bounds = [true, true] : !nv_tileaa.tiled_view<32x256 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>[i32, i32] -> tensor<32x256xf32>
        %y = arith.addf %x, %x : tensor<32x256xf32>
        %c2_0 = arith.constant 2 : i32
        %2 = arith.muli %i, %c2_0 : i32
        %3 = arith.addi %2, %r : i32
        %u = nv_tileaa.tiled_store weak %y, %w[%3, %c0] token %t in_bounds = [true, true] : tensor<32x256xf32>, !nv_tileaa.tiled_view<32x256 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>[i32, i32]
        nv_tileaa.return
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect",
  ];
  let statistics = [
    Statistic<"numSplit", "num-split",
              "Kernels that run in the CTAs of a cluster">,
    Statistic<"numRefused", "num-refused",
              "Kernels that stay in one CTA although several were asked for">,
  ];
}

#endif // PASSES_TILEAA_CLUSTER_TILEAASPLITCLUSTERS_TD
