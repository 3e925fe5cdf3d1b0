// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LAYOUT_TILEASREMOVELAYOUTCONVERSIONS_TD
#define PASSES_TILEAS_LAYOUT_TILEASREMOVELAYOUTCONVERSIONS_TD

include "mlir/Pass/PassBase.td"

def TileASRemoveLayoutConversions : Pass<"tileas-remove-layout-conversions"> {
  let summary = "Removes conversions that cost more than a recomputation";
  let description = [{
    Replaces a conversion whose source is cheap to recompute, from constants,
    ranges and scalars, by the same computation in the converted layout.
    Conversions of loop-invariant values move out of loops. Equal conversions
    are merged, chains become one conversion, identities none. Every step lowers
    the total cost of conversions, weighted by loop depth.

    Input:

    ```mlir
    #a = #nv_tileas.layout<reg, [64], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>
    #b = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
    %r = nv_tileas.make_range 0 to 64 : tensor<64xi32, #a>
    %s = nv_tileas.splat %n : i32 -> tensor<64xi32, #a>
    %m = arith.cmpi slt, %r, %s : tensor<64xi32, #a>
    %c = nv_tileas.convert_layout %m : tensor<64xi1, #a> -> tensor<64xi1, #b>
    ```

    Output:

    ```mlir
    %r = nv_tileas.make_range 0 to 64 : tensor<64xi32, #b>
    %s = nv_tileas.splat %n : i32 -> tensor<64xi32, #b>
    %m = arith.cmpi slt, %r, %s : tensor<64xi32, #b>
    ```
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [
    Statistic<"numRecomputed", "num-recomputed",
              "Conversions replaced by a computation">,
    Statistic<"numHoisted", "num-hoisted", "Conversions moved out of loops">,
    Statistic<"numMerged", "num-merged", "Conversions that were equal to others">,
  ];
}

#endif // PASSES_TILEAS_LAYOUT_TILEASREMOVELAYOUTCONVERSIONS_TD
