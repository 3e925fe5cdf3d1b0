// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_CUDA_TILE_FUSEFMA_TD
#define PASSES_CUDA_TILE_FUSEFMA_TD

include "mlir/Pass/PassBase.td"

def FuseFMA : InterfacePass<"fuse-fma", "::mlir::FunctionOpInterface"> {
  let summary = "Fuses a multiplication and the addition that reads it";
  let description = [{
    Fuses a `mulf` with one user into an `fma`: `a * b + c`, in either order,
    and `a * b - c`. The two roundings of the input become one, so results
    change; for this reason the pass runs only on request. The two operations
    must agree on rounding mode and `flush_to_zero`, which the `fma` inherits.
    `c - a * b` stays, as do multiplications with several users. An addition of
    two multiplications fuses the first.

    Input:

    ```mlir
    %m = mulf %a, %b : tile<8xf32>
    %s = subf %m, %c : tile<8xf32>
    ```

    Output:

    ```mlir
    %n = negf %c : tile<8xf32>
    %s = fma %a, %b, %n : tile<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::cuda_tile::CudaTileDialect"];
  let statistics = [
    Statistic<"numFused", "num-fused",
              "Products that were fused into a sum">,
  ];
}

#endif // PASSES_CUDA_TILE_FUSEFMA_TD
