// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_CTA_TILEASORDERBLOCKS_TD
#define PASSES_TILEAS_CTA_TILEASORDERBLOCKS_TD

include "mlir/Pass/PassBase.td"

def TileASOrderBlocks
    : Pass<"tileas-order-blocks", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Orders tile blocks so that concurrent matmul tiles share operands in L2";
  let description = [{
    Renumbers the tile blocks of a grid, which hardware starts with x fastest.
    Without this pass the concurrent blocks of a matmul are all rows of a few
    columns, and their tiles of one operand exceed L2. If one dimension of the
    grid moves operand A of the dots in a loop alone, and one moves operand B,
    blocks run in groups instead: `group` places along the slower of these
    dimensions first, then along the other one, then the next group. A dimension
    that moves both operands, such as a batch, comes after both within a group.
    A remainder that is no whole group has groups of smaller powers of two.

    The dimensions that move an operand follow from the backward slice of its
    tile and of its address. Dots that disagree, and dots with an operand that
    no dimension moves alone (attention, whose blocks of one head follow each
    other already; kernels that number their tiles themselves), leave the order
    unchanged.

    Every block runs once: the new ids are a permutation of those of hardware.
    Blocks have no order among themselves unless one waits for another. So
    kernels with an atomic, with an access or a fence that is ordered with other
    blocks, or with a call keep their order; two blocks whose weak accesses
    conflict are a data race, which the language leaves undefined. The CTAs of a
    cluster have one block id, so that the blocks of clusters are ordered, too.

    The prologue takes ten instructions, with a third dimension 47 on sm_100, a
    division among them. The grid and all arguments of the launch stay the same.

    Input:

    ```mlir
    #atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
    #a = #nv_tileas.layout<reg, [64, 16], mma<#atom, a, warps = [4, 1]>>
    #b = #nv_tileas.layout<reg, [16, 64], mma<#atom, b, warps = [4, 1]>>
    #c = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
    nv_tileaa.func kernel @product(%va: !nv_tileaa.tiled_view<64x16 of !nv_tileaa.memref<?x256xf16, strides = [256, 1]>>, %vb: !nv_tileaa.tiled_view<16x64 of !nv_tileaa.memref<?x256xf16, strides = [256, 1]>>, %vc: !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %zero = arith.constant dense<0.0> : tensor<64x64xf32, #c>
      %x = nv_tileas.get_program_id x
      %y = nv_tileas.get_program_id y
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32, #c>) : i32 {
        %a, %ta = nv_tileas.tiled_load weak %va[%x, %i] : !nv_tileaa.tiled_view<64x16 of !nv_tileaa.memref<?x256xf16, strides = [256, 1]>>[i32, i32] -> tensor<64x16xf16, #a>
        %b, %tb = nv_tileas.tiled_load weak %vb[%i, %y] : !nv_tileaa.tiled_view<16x64 of !nv_tileaa.memref<?x256xf16, strides = [256, 1]>>[i32, i32] -> tensor<16x64xf16, #b>
        %d = nv_tileas.dot %a, %b, %s {atom = #atom} : tensor<64x16xf16, #a>, tensor<16x64xf16, #b>, tensor<64x64xf32, #c> -> tensor<64x64xf32, #c>
        scf.yield %d : tensor<64x64xf32, #c>
      }
      %t = nv_tileas.tiled_store weak %r, %vc[%x, %y] : tensor<64x64xf32, #c>, !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>[i32, i32]
      nv_tileaa.return
    }
    ```

    Output:

    ```mlir
    nv_tileaa.func kernel @product(%va: !nv_tileaa.tiled_view<64x16 of !nv_tileaa.memref<?x256xf16, strides = [256, 1]>>, %vb: !nv_tileaa.tiled_view<16x64 of !nv_tileaa.memref<?x256xf16, strides = [256, 1]>>, %vc: !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
      %idx = nv_tileas.get_program_id x
      %nx = nv_tileas.get_num_programs x
      %idy = nv_tileas.get_program_id y
      %ny = nv_tileas.get_num_programs y
      %differ = arith.xori %idy, %ny : i32
      %c31 = arith.constant 31 : i32
      %zeros = math.ctlz %differ : i32
      %whole = arith.subi %c31, %zeros : i32
      %c3 = arith.constant 3 : i32
      %bits = arith.minui %whole, %c3 : i32
      %ones = arith.constant -1 : i32
      %above = arith.shli %ones, %bits : i32
      %all = arith.constant -1 : i32
      %below = arith.xori %above, %all : i32
      %row = arith.andi %idy, %below : i32
      %rows = arith.muli %row, %nx : i32
      %place = arith.addi %rows, %idx : i32
      %high = arith.andi %idy, %above : i32
      %low = arith.andi %place, %below : i32
      %newy = arith.ori %high, %low : i32
      %newx = arith.shrui %place, %bits : i32
      %x = nv_tileas.assume %newx [#nv_tileaa.bounded<0, 16777214>] : i32
      %y = nv_tileas.assume %newy [#nv_tileaa.bounded<0, 16777214>] : i32
      // … the rest as it was
    }
    ```
  }];
  let options = [
    Option<"group", "group", "unsigned", /*default=*/"8",
           "Tile blocks of a group, a power of two up to 256; a larger group reads less of one operand and more of the other; 0 keeps the order">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::nv_tileas::TileASDialect"];
  let statistics = [
    Statistic<"numOrdered", "num-ordered", "Kernels whose blocks run in groups">,
  ];
}

#endif // PASSES_TILEAS_CTA_TILEASORDERBLOCKS_TD
