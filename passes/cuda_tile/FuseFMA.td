// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_CUDA_TILE_FUSEFMA_TD
#define PASSES_CUDA_TILE_FUSEFMA_TD

include "mlir/Pass/PassBase.td"

def FuseFMA : InterfacePass<"fuse-fma", "::mlir::FunctionOpInterface"> {
  let summary = "Fuses a product and the sum that takes it";
  let description = [{
    Turns a `mulf` with one user into the `fma` of that user: `a * b + c`, in
    either order, and `a * b - c`. The two roundings of the input become one, so
    results change; this is why the pass is never run unasked. The product and
    the sum must agree on rounding mode and `flush_to_zero`, which the `fma`
    inherits. `c - a * b` stays, as do products with several users. A sum of two
    products fuses the first.

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
