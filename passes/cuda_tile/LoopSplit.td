// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_CUDA_TILE_LOOPSPLIT_TD
#define PASSES_CUDA_TILE_LOOPSPLIT_TD

include "mlir/Pass/PassBase.td"

def LoopSplit : InterfacePass<"loop-split", "::mlir::FunctionOpInterface"> {
  let summary = "Splits a loop where a comparison of its index changes";
  let description = [{
    Splits a `for` with an `if` whose condition compares the induction variable
    with a loop-invariant value into two loops: before and after the iteration
    in which the comparison changes. Neither loop compares any more. The
    comparison is an ordering (`less_than`, …) in the signedness of the loop,
    directly in its body. The pass resolves every `if` directly in the body with
    this condition, and replaces other uses by a constant. It splits at one
    comparison of a loop, and does not split the two loops again.

    The threshold of an `if` is the integer attribute `cuda_tile.loop_split` on
    it, else on the `for`, else on the function, else `split-threshold`. 0 never
    splits, 1 always does; with n > 1 a branch needs n operations, or a load, a
    store, an MMA, a reduction, a branch or a loop.

    The bound, and one step beyond it, must be in the range of the index type;
    the pass leaves other constant bounds alone.

    Input:

    ```mlir
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%c0 to %n, step %c1) : tile<i32> {
      %late = cmpi greater_than_or_equal %i, %k, signed : tile<i32> -> tile<i1>
      if %late {
        %t = store_ptr_tko weak %p, %v : tile<ptr<f32>>, tile<f32> -> token
      }
    }
    ```

    Output:

    ```mlir
    %c1 = constant <i32: 1> : tile<i32>
    %end = mini %k, %n signed : tile<i32>
    %begin = maxi %k, %c0 signed : tile<i32>
    for %i in (%c0 to %end, step %c1) : tile<i32> {
    }
    for %i in (%begin to %n, step %c1) : tile<i32> {
      %t = store_ptr_tko weak %p, %v : tile<ptr<f32>>, tile<f32> -> token
    }
    ```
  }];
  let dependentDialects = ["::mlir::cuda_tile::CudaTileDialect"];
  let options = [
    Option<"splitThreshold", "split-threshold", "int", /*default=*/"1",
           "Split only for branches of at least this many operations; 0 never "
           "splits">,
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "Number of loops that were split">,
  ];
}

#endif // PASSES_CUDA_TILE_LOOPSPLIT_TD
