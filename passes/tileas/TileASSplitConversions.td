// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_TILEASSPLITCONVERSIONS_TD
#define PASSES_TILEAS_TILEASSPLITCONVERSIONS_TD

include "mlir/Pass/PassBase.td"

def TileASSplitConversions : Pass<"tileas-split-conversions", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Takes tiles that shared memory cannot hold through it in slabs";
  let description = [{
    A conversion between layouts that goes through shared memory needs room for
    the whole tile. Where a block has less, the tile is taken apart along index
    bits that are registers of their own in both layouts, each slab is converted
    by itself, and the results are put together: registers are renamed, and one
    slab after the other uses the same memory.

    Layouts without such bits in common, as those around the scan of a long row,
    convert by way of a third one that has some of both. Conversions that fit
    stay as they are, and those that no third layout helps, with a remark.

    Input, abridged, for 99 KB of shared memory:

    ```mlir
    %y = nv_tileas.convert_layout %x : tensor<256x256xbf16, #a> -> tensor<256x256xbf16, #b>
    ```

    Output, abridged, two slabs of every eighth row pair:

    ```mlir
    %v = nv_tileas.view %x : tensor<256x256xbf16, #a> -> tensor<16x2x8x256xbf16, #a4>
    %d = nv_tileas.alloc_tensor : tensor<16x2x8x256xbf16, #b4>
    %p = nv_tileas.extract_slice %v[%c0, %c0, %c0, %c0] : tensor<16x2x8x256xbf16, #a4> -> tensor<16x1x8x256xbf16, #as>
    %q = nv_tileas.convert_layout %p : tensor<16x1x8x256xbf16, #as> -> tensor<16x1x8x256xbf16, #bs>
    %e = nv_tileas.insert_slice %q into %d[%c0, %c0, %c0, %c0] : tensor<16x1x8x256xbf16, #bs> into tensor<16x2x8x256xbf16, #b4>
    // … the other slab: %f
    %y = nv_tileas.view %f : tensor<16x2x8x256xbf16, #b4> -> tensor<256x256xbf16, #b>
    ```
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect", "::mlir::arith::ArithDialect"];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"0",
           "Most bytes of shared memory of one conversion; 0 takes what the target has">,
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "Conversions that go in slabs">,
  ];
}

#endif // PASSES_TILEAS_TILEASSPLITCONVERSIONS_TD
