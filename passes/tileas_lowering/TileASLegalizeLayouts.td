// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_TILEASLEGALIZELAYOUTS_TD
#define PASSES_TILEAS_LOWERING_TILEASLEGALIZELAYOUTS_TD

include "mlir/Pass/PassBase.td"

def TileASLegalizeLayouts
    : Pass<"tileas-legalize-layouts", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Converts tiles to the layouts that the lowering asks for";
  let description = [{
    A scan keeps what it combines in order in a thread, index tiles lie as the
    values that they place, elements that share a byte belong to one thread:
    where a layout is another one, the tile is converted before the operation
    and its result back. What the lowering has no form for is reported at its
    operation before anything changes.

    Input, abridged:

    ```mlir
    !v = !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, sparse = 0>
    %r, %t = nv_tileas.gather_load weak %v[%rows, %j] : !v[tensor<32xi32, #a>, i32] -> tensor<32x64xf32, #b>
    ```

    Output, abridged:

    ```mlir
    %0 = nv_tileas.convert_layout %rows : tensor<32xi32, #a> -> tensor<32xi32, #rows_of_b>
    %r, %t = nv_tileas.gather_load weak %v[%0, %j] : !v[tensor<32xi32, #rows_of_b>, i32] -> tensor<32x64xf32, #b>
    ```
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
}

#endif // PASSES_TILEAS_LOWERING_TILEASLEGALIZELAYOUTS_TD
