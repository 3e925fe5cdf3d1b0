// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_PIPELINE_TILEASSPLITMASKEDLOOPS_TD
#define PASSES_TILEAS_PIPELINE_TILEASSPLITMASKEDLOOPS_TD

include "mlir/Pass/PassBase.td"

def TileASSplitMaskedLoops
    : Pass<"tileas-split-masked-loops", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Splits a loop so that its main part needs no masks";
  let description = [{
    Splits an innermost loop whose tiles are masked by comparisons of positions,
    such as keys after the query (causal attention) or after the end of the
    sequence, into two loops: up to some iteration the masks are true for every
    element, and the first loop does without them. The comparison gives that
    iteration: both sides are sums of ranges, scalars and multiples of the
    induction variable, so the comparison is true for all elements if it is true
    for the largest element of one side and the smallest of the other, up to a
    bound that is a quotient of scalars. A comparison that does not depend on
    the induction variable is true in all iterations, or the first loop is
    empty.

    A comparison of scalars that is splat to a mask tells whether a whole
    iteration needs its masks (`tileaa-merge-masked-loops` emits it). It alone
    decides where the loop is split, also where registers are scarce.

    Asynchronous copies by threads are split in the same way: up to some
    iteration their tiles are inside the array. The index of the tile and the
    size of the array give that iteration. Tiles at the edge of the array in a
    dimension that the loop does not walk along make the first loop empty. A
    loop that masks scores is split for the masks, and before its copies reach
    the end of the array in a dimension that it walks along.

    Elements wrap before they are compared. So the bound is computed in 64 bits
    and used only if no element of either side exceeds its type in the first
    loop; otherwise that loop is empty.

    The second loop continues with the iter-args of the first one, pipelines
    with copies in flight included: this pass runs after the passes that fill
    pipelines, and their copies test the end of the whole loop. A split costs a
    few scalar instructions and no refill. A loop whose `mma.sync` dots take all
    registers of a thread stays whole, with a remark: the bound would be
    spilled.

    Input:

    ```mlir
    #l = #nv_tileas.layout<reg, [128, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
    #c1 = #nv_tileas.layout<reg, [1, 64], register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 0]], warp = [[0, 0], [0, 0]]>
    !t = tensor<128x64xf32, #l>
    #c = #nv_tileas.layout<reg, [64], register = [[1], [2]], lane = [[4], [8], [16], [32], [0]], warp = [[0], [0]]>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = nv_tileas.make_range 0 to 64 : tensor<64xi32, #c>
    %range1 = nv_tileas.expand_dims %range {axis = 0 : i32} : tensor<64xi32, #c> -> tensor<1x64xi32, #c1>
    %columns = nv_tileas.broadcast %range1 : tensor<1x64xi32, #c1> -> tensor<128x64xi32, #l>
    %c64 = arith.constant 64 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!t) : i32 {
      %first = arith.muli %i, %c64 : i32
      %firsts = nv_tileas.splat %first : i32 -> tensor<128x64xi32, #l>
      %keys = arith.addi %firsts, %columns : tensor<128x64xi32, #l>
      %ends = nv_tileas.splat %end : i32 -> tensor<128x64xi32, #l>
      %in = arith.cmpi slt, %keys, %ends : tensor<128x64xi32, #l>
      %s = arith.select %in, %x, %low : tensor<128x64xi1, #l>, !t
      %b = arith.addf %a, %s : !t
      scf.yield %b : !t
    }
    ```

    Output:

    ```mlir
    // … %c0, %c1, %columns and %c64
    // … %cut: the iterations in which the mask is true everywhere
    %w = scf.for %i = %c0 to %cut step %c1 iter_args(%a = %x) -> (!t) : i32 {
      %b = arith.addf %a, %x : !t
      scf.yield %b : !t
    }
    %r = scf.for %i = %cut to %n step %c1 iter_args(%a = %w) -> (!t) : i32 {
      %first = arith.muli %i, %c64 : i32
      %firsts = nv_tileas.splat %first : i32 -> tensor<128x64xi32, #l>
      %keys = arith.addi %firsts, %columns : tensor<128x64xi32, #l>
      %ends = nv_tileas.splat %end : i32 -> tensor<128x64xi32, #l>
      %in = arith.cmpi slt, %keys, %ends : tensor<128x64xi32, #l>
      %s = arith.select %in, %x, %low : tensor<128x64xi1, #l>, !t
      %b = arith.addf %a, %s : !t
      scf.yield %b : !t
    }
    ```
  }];
  let options = [
    Option<"minElements", "min-elements", "int64_t", /*default=*/"4096",
           "Elements of the smallest tile whose mask is worth a cut">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numLoops", "num-loops", "Loops that were cut">,
  ];
}

#endif // PASSES_TILEAS_PIPELINE_TILEASSPLITMASKEDLOOPS_TD
