// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_TILEASLEGALIZELAYOUTS_TD
#define PASSES_TILEAS_LOWERING_TILEASLEGALIZELAYOUTS_TD

include "mlir/Pass/PassBase.td"

def TileASLegalizeLayouts
    : Pass<"tileas-legalize-layouts", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Converts tiles to the layouts that the lowering supports";
  let description = [{
    Inserts layout conversions around operations whose layouts the lowering does
    not support. A scan needs the elements along its axis in registers in order,
    index tiles need the layout of their values, and elements that share a byte
    must belong to one thread. The operands are converted before the operation
    and the results back. The pass reports unsupported operations before it
    changes any.

    Input:

    ```mlir
    #a = #nv_tileas.layout<reg, [32], blocked<per_thread = [1], lanes = [32], warps = [4], order = [0]>>
    #b = #nv_tileas.layout<reg, [32, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
    !v = !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, sparse = 0>
    %r, %t = nv_tileas.gather_load weak %v[%rows, %j] : !v[tensor<32xi32, #a>, i32] -> tensor<32x64xf32, #b>
    ```

    Output:

    ```mlir
    #rows_of_b = #nv_tileas.layout<reg, [32], register = [[8], [16]], lane = [[0], [0], [0], [0], [1]], warp = [[2], [4]]>
    %0 = nv_tileas.convert_layout %rows : tensor<32xi32, #a> -> tensor<32xi32, #rows_of_b>
    %r, %t = nv_tileas.gather_load weak %v[%0, %j] : !v[tensor<32xi32, #rows_of_b>, i32] -> tensor<32x64xf32, #b>
    ```
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [
    Statistic<"numConversions", "num-conversions",
              "Layout conversions that were made explicit">,
  ];
}

#endif // PASSES_TILEAS_LOWERING_TILEASLEGALIZELAYOUTS_TD
