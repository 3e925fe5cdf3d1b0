// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_SCHEDULE_TILEASPREPAREFORSCHEDULING_TD
#define PASSES_TILEAS_SCHEDULE_TILEASPREPAREFORSCHEDULING_TD

include "mlir/Pass/PassBase.td"

def TileASPrepareForScheduling : Pass<"tileas-prepare-for-scheduling"> {
  let summary = "Unrolls small loops and splits dots before scheduling";
  let description = [{
    Canonicalizes loops, unrolls small inner loops and splits dots along K.
    Canonicalization comes first so that later cleanup passes remove no node of a
    dependence graph. An inner loop is unrolled if its trip count is constant and
    at most 8 and if it fills no pipeline. A dot whose operands single warps read
    from shared memory is split into the K steps of its instructions if threads
    of the same loop copy asynchronously: copies can then be issued between the
    steps. The steps accumulate in the same order as before.

    Input:

    ```mlir
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %lb to %ub step %c1 {
      scf.for %j = %c0 to %c2 step %c1 {
        "test.work"(%j) : (index) -> ()
      }
    }
    ```

    Output:

    ```mlir
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %lb to %ub step %c1 {
      "test.work"(%c0) : (index) -> ()
      "test.work"(%c1) : (index) -> ()
    }
    ```
  }];
  let options = [
    Option<"maxTrips", "max-trips", "unsigned", /*default=*/"8",
           "Maximum trip count of a loop that is unrolled">,
    Option<"maxOps", "max-ops", "unsigned", /*default=*/"64",
           "Maximum number of operations of an unrolled loop">,
    Option<"doesSliceDots", "slice-dots", "bool", /*default=*/"true",
           "Split dots along K into steps, between which copies may run">,
    Option<"doesSliceProducts", "slice-products", "bool", /*default=*/"true",
           "Former name of slice-dots">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect",
  ];
  let statistics = [
    Statistic<"numUnrolled", "num-unrolled", "Loops that were unrolled">,
    Statistic<"numSliced", "num-sliced", "Dots that were split">,
  ];
}

#endif // PASSES_TILEAS_SCHEDULE_TILEASPREPAREFORSCHEDULING_TD
