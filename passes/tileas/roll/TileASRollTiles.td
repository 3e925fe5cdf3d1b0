// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_ROLL_TILEASROLLTILES_TD
#define PASSES_TILEAS_ROLL_TILEASROLLTILES_TD

include "mlir/Pass/PassBase.td"

def TileASRollTiles : Pass<"tileas-roll-tiles", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Replaces work on tiles that registers cannot hold by loops over slices";
  let description = [{
    Rewrites the operations of a block that large tiles connect to a loop over
    slices of the tiles, where a tile takes more registers than a thread has.
    The lowering unrolls every operation over the registers of its tile; with
    the loop the size of the code no longer depends on the size of the tiles.

    The operations are weak loads and stores, elementwise and shape operations,
    and reductions; each slice recomputes constants, splats and ranges. A tile
    is cut along one dimension whose high index bits are register bits in all
    layouts: a slice has the restricted layout of the tile, and no element
    changes its thread. A dimension that no reduction consumes comes first.

    A reduction over the dimension of the slices becomes an iter-arg:
    elementwise over the slices and reduced after the loop if elements may be
    combined in any order, otherwise slice by slice in order. Readers of the
    result are in a loop of their own, which recomputes its inputs from the
    loads; so the loads of a row that exceeds the registers are repeated. A load
    is repeated only if no store in between may write its memory. If that
    depends on addresses that are unknown at compile time, the loop with the
    stores exists twice: if the memory of the loads overlaps the memory of the
    stores, the tiles are copied to memory of the tile block first.

    Blocks whose tiles fit stay as they are. So do operations connected with an
    operation that cannot be cut; a remark names it.

    Input:

    ```mlir
    #a = #nv_tileas.layout<reg, [32768], blocked<per_thread = [4], lanes = [32], warps = [4], order = [0]>>
    !m = !nv_tileaa.memref<?xf32, strides = [1]>
    !v = !nv_tileaa.tiled_view<32768 of !nv_tileaa.memref<?xf32, strides = [1]>>
    %v = nv_tileas.block_tile %a : !m -> !v
    %w = nv_tileas.block_tile %b : !m -> !v
    %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<32768xf32, #a>
    %y = arith.mulf %x, %x : tensor<32768xf32, #a>
    %u = nv_tileas.tiled_store weak %y, %w[%i] : tensor<32768xf32, #a>, !v[i32]
    ```

    Output:

    ```mlir
    #s = #nv_tileas.layout<reg, [4096], blocked<per_thread = [4], lanes = [32], warps = [4], order = [0]>>
    !s = !nv_tileaa.tiled_view<4096 of !nv_tileaa.memref<?xf32, strides = [1]>>
    %v = nv_tileas.block_tile %a : !m -> !v
    %vs = nv_tileas.block_tile %a : !m -> !s
    %w = nv_tileas.block_tile %b : !m -> !v
    %ws = nv_tileas.block_tile %b : !m -> !s
    // … the tokens %t0 and %u0
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %c1 = arith.constant 1 : i32
    %tu:2 = scf.for %k = %c0 to %c8 step %c1 iter_args(%tk = %t0, %uk = %u0) -> (!nv_tileaa.mem_token, !nv_tileaa.mem_token) : i32 {
      // … %i, bounded so that the product fits, times 8: %is
      %at = arith.addi %is, %k : i32
      %x, %t = nv_tileas.tiled_load weak %vs[%at] : !s[i32] -> tensor<4096xf32, #s>
      %y = arith.mulf %x, %x : tensor<4096xf32, #s>
      %u = nv_tileas.tiled_store weak %y, %ws[%at] : tensor<4096xf32, #s>, !s[i32]
      // … what joins the tokens: %t1 and %u1
      scf.yield %t1, %u1 : !nv_tileaa.mem_token, !nv_tileaa.mem_token
    }
    ```
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let options = [
    Option<"maxRegisters", "max-registers", "int64_t", /*default=*/"0",
           "Maximum number of 32-bit registers of a thread for one tile; 0 derives it from the register file">,
    Option<"maxWords", "max-words", "int64_t", /*default=*/"0",
           "Former name of max-registers">,
    Option<"maxOps", "max-ops", "int64_t", /*default=*/"2048",
           "Maximum number of scalar operations that connected tiles are unrolled to">,
  ];
  let statistics = [
    Statistic<"numRolled", "num-rolled", "Groups of operations that became loops">,
    Statistic<"numKept", "num-kept", "Groups that are too large and stayed as they are">,
  ];
}

#endif // PASSES_TILEAS_ROLL_TILEASROLLTILES_TD
