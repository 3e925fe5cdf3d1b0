// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LAYOUT_TILEASSPLITCONVERSIONS_TD
#define PASSES_TILEAS_LAYOUT_TILEASSPLITCONVERSIONS_TD

include "mlir/Pass/PassBase.td"

def TileASSplitConversions : Pass<"tileas-split-conversions", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Converts tiles that exceed shared memory in slabs";
  let description = [{
    Splits a `convert_layout` whose exchange through shared memory needs more
    bytes than the CTA has. The tile is cut along index bits that are register
    bits in both layouts, each slab is converted separately, and the results are
    put together: the cuts only rename registers, and the slabs use the same
    memory one after the other.

    Layouts without such common bits, for instance around the scan of a long
    row, are converted through a third layout that shares bits with both.
    Conversions that fit stay as they are; so do conversions without a suitable
    third layout, with a remark.

    Input, with `max-bytes=2048`:

    ```mlir
    #a = #nv_tileas.layout<reg, [16, 64], register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]]>
    #b = #nv_tileas.layout<reg, [16, 64], register = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
    %y = nv_tileas.convert_layout %x : tensor<16x64xf32, #a> -> tensor<16x64xf32, #b>
    ```

    Output, two slabs:

    ```mlir
    #a4 = #nv_tileas.layout<reg, [1, 2, 8, 64], register = [[0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 4], [0, 0, 4, 0], [0, 1, 0, 0]], lane = [[0, 0, 0, 8], [0, 0, 0, 16], [0, 0, 0, 32], [0, 0, 1, 0], [0, 0, 2, 0]]>
    #b4 = #nv_tileas.layout<reg, [1, 2, 8, 64], register = [[0, 0, 1, 0], [0, 0, 2, 0], [0, 0, 4, 0], [0, 1, 0, 0], [0, 0, 0, 32]], lane = [[0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 4], [0, 0, 0, 8], [0, 0, 0, 16]]>
    #as = #nv_tileas.layout<reg, [1, 1, 8, 64], register = [[0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 4], [0, 0, 4, 0]], lane = [[0, 0, 0, 8], [0, 0, 0, 16], [0, 0, 0, 32], [0, 0, 1, 0], [0, 0, 2, 0]]>
    #bs = #nv_tileas.layout<reg, [1, 1, 8, 64], register = [[0, 0, 1, 0], [0, 0, 2, 0], [0, 0, 4, 0], [0, 0, 0, 32]], lane = [[0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 4], [0, 0, 0, 8], [0, 0, 0, 16]]>
    %v = nv_tileas.view %x : tensor<16x64xf32, #a> -> tensor<1x2x8x64xf32, #a4>
    %d = nv_tileas.alloc_tensor : tensor<1x2x8x64xf32, #b4>
    // … %c0 and %z, both 0
    %p = nv_tileas.extract_slice %v[%c0, %z, %c0, %c0] : tensor<1x2x8x64xf32, #a4> -> tensor<1x1x8x64xf32, #as>
    %q = nv_tileas.convert_layout %p : tensor<1x1x8x64xf32, #as> -> tensor<1x1x8x64xf32, #bs>
    %e = nv_tileas.insert_slice %q into %d[%c0, %z, %c0, %c0] : tensor<1x1x8x64xf32, #bs> into tensor<1x2x8x64xf32, #b4>
    // … the other slab: %f
    %y = nv_tileas.view %f : tensor<1x2x8x64xf32, #b4> -> tensor<16x64xf32, #b>
    ```
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect", "::mlir::arith::ArithDialect"];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"0",
           "Maximum bytes of shared memory of one conversion; 0 takes the limit of the target">,
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "Conversions that are done in slabs">,
  ];
}

#endif // PASSES_TILEAS_LAYOUT_TILEASSPLITCONVERSIONS_TD
