// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LAYOUT_TILEASASSIGNLOADSTORELAYOUTS_TD
#define PASSES_TILEAS_LAYOUT_TILEASASSIGNLOADSTORELAYOUTS_TD

include "mlir/Pass/PassBase.td"

def TileASAssignLoadStoreLayouts : Pass<"tileas-assign-load-store-layouts"> {
  let summary = "Assigns layouts by the cost of accesses and conversions";
  let description = [{
    Assigns a layout to each class of tiles that elementwise operations and
    loops connect. For every class the pass weighs the coalesced layouts of its
    accesses, the fragments of its dots and the choices of its neighbours:
    sectors that accesses touch, conversions at its borders, registers, each by
    loop depth. Accesses get the memory atom that moves their width. The pass
    first removes all conversions and inserts new ones where two choices differ,
    so the result depends on the program and not on the layouts that it had.

    Input, of which nothing says that more than one element is aligned:

    ```mlir
    #coalesced = #nv_tileas.layout<reg, [512], blocked<per_thread = [1], lanes = [32], warps = [4], order = [0]>>
    #blocked = #nv_tileas.layout<reg, [512], blocked<per_thread = [4], lanes = [32], warps = [4], order = [0]>>
    !v = !nv_tileaa.tiled_view<512 of !nv_tileaa.memref<?xf16, strides = [1]>>
    %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<512xf16, #coalesced>
    %y = nv_tileas.convert_layout %x : tensor<512xf16, #coalesced> -> tensor<512xf16, #blocked>
    %z = arith.addf %y, %y : tensor<512xf16, #blocked>
    %u = nv_tileas.tiled_store weak %z, %v[%i] : tensor<512xf16, #blocked>, !v[i32]
    ```

    Output:

    ```mlir
    %x, %t = nv_tileas.tiled_load weak %v[%i] {atom = #nv_tileas.copy_atom<ldg, bits = 16>} : !v[i32] -> tensor<512xf16, #coalesced>
    %z = arith.addf %x, %x : tensor<512xf16, #coalesced>
    %u = nv_tileas.tiled_store weak %z, %v[%i] {atom = #nv_tileas.copy_atom<stg, bits = 16>} : tensor<512xf16, #coalesced>, !v[i32]
    ```
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [
    Statistic<"numClasses", "num-classes", "Classes of tiles">,
    Statistic<"numCandidates", "num-candidates", "Layouts weighed">,
    Statistic<"numConversions", "num-conversions", "Conversions left">,
  ];
}

#endif // PASSES_TILEAS_LAYOUT_TILEASASSIGNLOADSTORELAYOUTS_TD
