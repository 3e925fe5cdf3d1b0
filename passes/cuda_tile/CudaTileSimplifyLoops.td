// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_CUDA_TILE_CUDATILESIMPLIFYLOOPS_TD
#define PASSES_CUDA_TILE_CUDATILESIMPLIFYLOOPS_TD

include "mlir/Pass/PassBase.td"

def CudaTileSimplifyLoops : Pass<"cudatile-simplify-loops"> {
  let summary = "Converts counting loops to for loops and erases unread values";
  let description = [{
    Simplifies a `loop` of a C++ front end, which comes from a loop with
    `break`, `continue` or `return` and carries every variable and token of the
    function, among them the index and a flag for the first trip. Three steps:

    Work that such a flag restricts to the first trip moves before the loop;
    work restricted to later trips moves to each `continue`.

    A `loop` becomes a `for` if a test of an index against a bound precedes its
    first operation with an effect, if it has no other exit, and if every
    `continue` adds the same constant to the index. The bound is loop-invariant.
    A test that includes the bound (`<=`), and a step other than one, need the
    no-wrap flag of the addition, or a constant bound; `!=` needs a step of one.
    The index may go down.

    Results and carried values of branches and loops on which no effect depends
    are erased, together with the operations that compute them.

    Input:

    ```mlir
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %r:3 = loop iter_values(%i0 = %zero, %first = %one, %s = %zero) : tile<i32>, tile<i32>, tile<i32> -> tile<i32>, tile<i32>, tile<i32> {
      %flag = cmpi not_equal %first, %zero, signed : tile<i32> -> tile<i1>
      %i = if %flag -> (tile<i32>) {
        yield %i0 : tile<i32>
      } else {
        %next = addi %i0, %one overflow<no_signed_wrap> : tile<i32>
        yield %next : tile<i32>
      }
      %more = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %more {
        %t = addi %s, %i : tile<i32>
        continue %i, %zero, %t : tile<i32>, tile<i32>, tile<i32>
      }
      break %i, %zero, %s : tile<i32>, tile<i32>, tile<i32>
    }
    %u = store_ptr_tko weak %p, %r#2 : tile<ptr<i32>>, tile<i32> -> token
    ```

    Output:

    ```mlir
    %zero = constant <i32: 0> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %r = for %i in (%zero to %n, step %step) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %t = addi %s, %i : tile<i32>
      continue %t : tile<i32>
    }
    %u = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
    ```
  }];
  let dependentDialects = ["::mlir::cuda_tile::CudaTileDialect"];
  let statistics = [
    Statistic<"numFirstTrips", "num-first-trips",
              "Loops that no longer test for their first iteration">,
    Statistic<"numCounted", "num-counted", "Loops that became counted ones">,
    Statistic<"numDropped", "num-dropped",
              "Results and carried values that were dropped">,
  ];
}

#endif // PASSES_CUDA_TILE_CUDATILESIMPLIFYLOOPS_TD
