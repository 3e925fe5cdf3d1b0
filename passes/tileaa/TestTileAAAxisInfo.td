// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAA_TESTTILEAAAXISINFO_TD
#define PASSES_TILEAA_TESTTILEAAAXISINFO_TD

include "mlir/Pass/PassBase.td"

def TestTileAAAxisInfo
    : Pass<"test-tileaa-axis-info", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Reports the AxisInfo of each value";
  let description = [{
    Emits a remark at every operation with an integer or pointer result:
    contiguity, divisibility and constancy for each dimension. Emits a remark at
    every load and store through pointers: the elements of the innermost
    dimension that one vector access covers. For tests and for questions about
    vector widths; changes nothing.

    Input:

    ```mlir
    %0 = nv_tileaa.make_range 0 to 64 : tensor<64xi32>
    ```

    Remark: `contiguity = [64], divisibility = [4611686018427387904], constancy = [1]`
  }];
}

#endif // PASSES_TILEAA_TESTTILEAAAXISINFO_TD
