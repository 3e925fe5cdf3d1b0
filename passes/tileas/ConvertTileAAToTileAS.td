// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_CONVERTTILEAATOTILEAS_TD
#define PASSES_TILEAS_CONVERTTILEAATOTILEAS_TD

include "mlir/Pass/PassBase.td"

def ConvertTileAAToTileAS : Pass<"convert-tileaa-to-tileas"> {
  let summary = "Assigns a layout to every tile and an instruction to every dot";
  let description = [{
    Replaces `nv_tileaa` operations by `nv_tileas` ones, all synchronous, and
    puts a register layout on every tile. Products get the largest `mma.sync`
    of the target that fits their types and extents, else a loop of
    multiply-adds; accumulators keep the layout of the instruction around
    loops. Accesses are coalesced and carry what is known about their addresses
    (`nv_tileas.align`, `nv_tileas.contiguous`). What lies between is blocked by
    its shape; `convert_layout` connects the parts.

    Functions stay `nv_tileaa.func`. A kernel with several CTAs per tile block
    gets one: its work is not spread over CTAs yet.

    Input, with `num-warps=4`:

    ```mlir
    !v = !nv_tileaa.tiled_view<512 of !nv_tileaa.memref<?xf32, strides = [1]>>
    %x, %t = nv_tileaa.tiled_load weak %v[%i] : !v[i32] -> tensor<512xf32>
    %y = arith.addf %x, %x : tensor<512xf32>
    ```

    Output:

    ```mlir
    #coalesced = #nv_tileas.layout<reg, [512], blocked<per_thread = [1], lanes = [32], warps = [4], order = [0]>>
    #blocked = #nv_tileas.layout<reg, [512], blocked<per_thread = [4], lanes = [32], warps = [4], order = [0]>>
    %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<512xf32, #coalesced>
    %z = nv_tileas.convert_layout %x : tensor<512xf32, #coalesced> -> tensor<512xf32, #blocked>
    %y = arith.addf %z, %z : tensor<512xf32, #blocked>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect",
    "::mlir::nv_tileas::TileASDialect",
  ];
  let options = [
    Option<"computeCapability", "compute-capability", "std::string",
           /*default=*/"\"\"",
           "Target to select for; empty takes what the module says">,
    Option<"numWarps", "num-warps", "unsigned", /*default=*/"4",
           "Warps of a function that neither a kernel_spec nor the module "
           "gives a number">,
    Option<"numCtas", "num-ctas", "unsigned", /*default=*/"1",
           "CTAs per tile block, likewise">,
  ];
  let statistics = [
    Statistic<"numMma", "num-mma", "Dots on tensor cores">,
    Statistic<"numFma", "num-fma", "Dots as multiply-adds per thread">,
    Statistic<"numConversions", "num-conversions", "Inserted conversions">,
  ];
}

#endif // PASSES_TILEAS_CONVERTTILEAATOTILEAS_TD
