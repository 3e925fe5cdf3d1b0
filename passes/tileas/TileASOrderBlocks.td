// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_TILEASORDERBLOCKS_TD
#define PASSES_TILEAS_TILEASORDERBLOCKS_TD

include "mlir/Pass/PassBase.td"

def TileASOrderBlocks
    : Pass<"tileas-order-blocks", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Lets blocks that run together share the tiles they read";
  let description = [{
    Hardware starts the blocks of a grid with x fastest. Those of a product that
    run at the same time then are all rows of a few columns, and what they read of
    one factor is more than L2 holds. Where one dimension of the grid moves the
    first factor of the products in a loop alone, and one the second factor,
    blocks go in groups instead: `group` places along the slower of these
    dimensions first, then along the other one, then the next group. A dimension
    that moves both factors, as that of a batch, comes behind both within a group.
    A rest that is no whole group has groups of smaller powers of two.

    Which dimensions move a factor follows from all that its tile, and the address
    that it is loaded from, is computed from. Products that disagree, and those
    with a factor that no dimension moves alone (attention, whose blocks of one
    head follow each other as they are; kernels that number their tiles by
    themselves), stay as they are.

    Every block runs once: the ids are a permutation of those of hardware. Blocks
    have no order among themselves unless one waits for another. So kernels with
    an atomic, with an access or a fence that is ordered with other blocks, or
    with a call stay as they are; two blocks whose weak accesses meet are a race,
    which the language leaves undefined. So do kernels whose blocks have several
    CTAs.

    The prologue is ten instructions, with a third dimension 47 on sm_100, a
    division among them. The grid and everything that the host passes stay the same.

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
           "Blocks of a group, a power of two up to 256; more read less of one factor and more of the other; 0 leaves all as it is">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::nv_tileas::TileASDialect"];
  let statistics = [
    Statistic<"numOrdered", "num-ordered", "Kernels whose blocks run in groups">,
  ];
}

#endif // PASSES_TILEAS_TILEASORDERBLOCKS_TD
