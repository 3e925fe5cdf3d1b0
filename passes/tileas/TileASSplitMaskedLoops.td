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

    Input, abridged; a column is `64 * %i` and up to 63 more:

    ```mlir
    %r = scf.for %i = %lb to %ub step %c1 iter_args(%x = %x0) -> (tensor<64x64xf32, #l>) : i32 {
      // … the scores %t
      %m = arith.cmpi sge, %rows, %columns : tensor<64x64xi32, #l>
      %s = arith.select %m, %t, %low : tensor<64x64xi1, #l>, tensor<64x64xf32, #l>
      // … %y of %s and %x
      scf.yield %y : tensor<64x64xf32, #l>
    }
    ```

    Output, abridged:

    ```mlir
    // … %cut, between %lb and %ub
    %a = scf.for %i = %lb to %cut step %c1 iter_args(%x = %x0) -> (tensor<64x64xf32, #l>) : i32 {
      // … the scores %t, %y of %t and %x
      scf.yield %y : tensor<64x64xf32, #l>
    }
    %r = scf.for %i = %cut to %ub step %c1 iter_args(%x = %a) -> (tensor<64x64xf32, #l>) : i32 {
      // … the scores %t
      %m = arith.cmpi sge, %rows, %columns : tensor<64x64xi32, #l>
      %s = arith.select %m, %t, %low : tensor<64x64xi1, #l>, tensor<64x64xf32, #l>
      // … %y of %s and %x
      scf.yield %y : tensor<64x64xf32, #l>
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
