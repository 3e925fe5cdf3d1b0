// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_TILEASROLLTILES_TD
#define PASSES_TILEAS_TILEASROLLTILES_TD

include "mlir/Pass/PassBase.td"

def TileASRollTiles : Pass<"tileas-roll-tiles", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Turns work on tiles that registers cannot hold into loops over slices";
  let description = [{
    Everything in the lowering is unrolled over the registers of a tile. Where a
    tile takes more registers than a thread has, the operations of a block that
    such tiles connect become a loop over slices of the tiles, so that the size
    of the code no longer depends on that of the tiles.

    The operations are weak loads and stores, elementwise and shape operations,
    and reductions; constants, splats and ranges are made anew per slice. Each
    tile is cut along one dimension, whose high index bits are registers of their
    own in all layouts: a slice has the layout of the tile, restricted, and no
    element changes its thread. A dimension that no reduction consumes comes
    first.

    A reduction over the dimension of the slices becomes a value that the loop
    carries: elementwise over the slices and reduced behind the loop where
    elements may meet in any order, else slice by slice in theirs. What needs the
    result is in a loop of its own, which computes from the loads again what it
    needs; so the loads of a row that no register holds are repeated. A load is
    repeated only where no store may write in between what it reads; where that
    depends on addresses that are not known, the loop that stores exists twice:
    if the memory of the loads overlaps that of the stores, the tiles are copied
    to memory of the tile block before.

    Blocks whose tiles fit are left alone. So are operations that are connected
    with something that no slice can do alone; a remark names it.

    Input, abridged:

    ```mlir
    !m = !nv_tileaa.memref<?xf32, strides = [1]>
    %x, %t = nv_tileas.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<131072 of !m>[i32] -> tensor<131072xf32, #a>
    %y = arith.mulf %x, %x : tensor<131072xf32, #a>
    %u = nv_tileas.tiled_store weak %y, %w[%i] : tensor<131072xf32, #a>, !nv_tileaa.tiled_view<131072 of !m>[i32]
    ```

    Output, abridged, with slices of 8192 elements:

    ```mlir
    %vs = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<8192 of !m>
    // … %ws likewise
    scf.for %s = %c0 to %c16 step %c1 : i32 {
      %is = arith.muli %i, %c16 : i32
      %at = arith.addi %is, %s : i32
      %x, %t = nv_tileas.tiled_load weak %vs[%at] : !nv_tileaa.tiled_view<8192 of !m>[i32] -> tensor<8192xf32, #b>
      %y = arith.mulf %x, %x : tensor<8192xf32, #b>
      %u = nv_tileas.tiled_store weak %y, %ws[%at] : tensor<8192xf32, #b>, !nv_tileaa.tiled_view<8192 of !m>[i32]
    }
    ```
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let options = [
    Option<"maxWords", "max-words", "int64_t", /*default=*/"0",
           "Most 32-bit words of one tile that a thread holds; 0 takes what the registers of an SM allow">,
    Option<"maxOps", "max-ops", "int64_t", /*default=*/"2048",
           "Most scalar operations that connected tiles are unrolled to">,
  ];
  let statistics = [
    Statistic<"numRolled", "num-rolled", "Groups of operations that became loops">,
    Statistic<"numKept", "num-kept", "Groups that are too large and stayed as they are">,
  ];
}

#endif // PASSES_TILEAS_TILEASROLLTILES_TD
