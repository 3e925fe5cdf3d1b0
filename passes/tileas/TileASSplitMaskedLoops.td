// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_TILEASSPLITMASKEDLOOPS_TD
#define PASSES_TILEAS_TILEASSPLITMASKEDLOOPS_TD

include "mlir/Pass/PassBase.td"

def TileASSplitMaskedLoops
    : Pass<"tileas-split-masked-loops", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Leaves masks out of the iterations in which they are all true";
  let description = [{
    An innermost loop whose tiles are masked by comparisons of positions, such as
    keys behind the query (causal attention) or behind the end of the sequence,
    is cut into two: up to some iteration the masks are true for every element,
    and that part does without them. Where that iteration is comes from the
    comparison: with both sides sums of ranges, scalars and multiples of the
    induction variable, it is true everywhere if it is for the largest element of
    one side and the smallest of the other, and that holds up to a bound which is
    a quotient of scalars. A comparison that does not depend on the induction
    variable is true in all iterations or gives an empty first part.

    A comparison of scalars that is splat to a mask says for whole iterations
    whether masks are looked at (`tileaa-merge-masked-loops` writes it). It
    decides alone where the loop is cut, also where registers are scarce.

    The same is done for the copies of threads that run ahead: up to some
    iteration their tiles are inside the array. Where that ends follows from the index of the tile and the size of the
    array. Tiles at the edge of the array in a dimension that the loop does not go
    along give an empty first part. A loop that masks scores is cut for these, and
    before its copies meet the end of the array in a dimension that it goes along.

    Elements are compared as they wrap. So the bound is computed in 64 bits and
    used only where no element of either side leaves its type in the first part,
    else that part is empty.

    The second part goes on with what the first one carries, rings of copies
    under way included: this comes behind the passes that fill them, and their
    copies look at the end of the whole loop. A cut costs a few scalar
    instructions and no refill. A loop whose products by `mma.sync` take the
    registers of a thread stays whole, with a remark: what decides the cut would
    be spilled.

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

#endif // PASSES_TILEAS_TILEASSPLITMASKEDLOOPS_TD
