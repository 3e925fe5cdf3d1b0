// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_TILEASASSIGNLOADSTORELAYOUTS_TD
#define PASSES_TILEAS_TILEASASSIGNLOADSTORELAYOUTS_TD

include "mlir/Pass/PassBase.td"

def TileASAssignLoadStoreLayouts : Pass<"tileas-assign-load-store-layouts"> {
  let summary = "Chooses layouts by what accesses and conversions cost";
  let description = [{
    Tiles that elementwise operations and loops connect form a class and share a
    layout. For every class this pass weighs the coalesced layouts of its
    accesses, the fragments of its products and what its neighbours chose: sectors
    that accesses touch, conversions at its borders, registers, each by loop
    depth. Accesses get the memory atom that moves their width. All conversions
    are taken out first and put in again where two choices meet, so the result
    depends on the program and not on the layouts that it had.

    Input:

    ```mlir
    %x, %t = nv_tileas.tiled_load weak %v[%i] : … -> tensor<512xf16, #coalesced>
    %y = nv_tileas.convert_layout %x : tensor<512xf16, #coalesced> -> tensor<512xf16, #blocked>
    %z = arith.addf %y, %y : tensor<512xf16, #blocked>
    ```

    Output:

    ```mlir
    %x, %t = nv_tileas.tiled_load weak %v[%i] {atom = #nv_tileas.copy_atom<ldg, bits = 64>} : … -> tensor<512xf16, #coalesced>
    %z = arith.addf %x, %x : tensor<512xf16, #coalesced>
    ```
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [
    Statistic<"numClasses", "num-classes", "Classes of tiles">,
    Statistic<"numCandidates", "num-candidates", "Layouts weighed">,
    Statistic<"numConversions", "num-conversions", "Conversions left">,
  ];
}

#endif // PASSES_TILEAS_TILEASASSIGNLOADSTORELAYOUTS_TD
