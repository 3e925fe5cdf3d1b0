// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_MMA_TILEASDECOMPOSEDOTSCALED_TD
#define PASSES_TILEAS_MMA_TILEASDECOMPOSEDOTSCALED_TD

include "mlir/Pass/PassBase.td"

def TileASDecomposeDotScaled
    : Pass<"tileas-decompose-dot-scaled", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Multiplies operands by block scales that no MMA takes";
  let description = [{
    A block-scaled dot keeps its scales until `tileas-assign-mma` has decided
    about it. This pass replaces the scales of a dot whose MMA takes none, and
    of a dot without a decision, by multiplications: operands and scales become
    bf16, in which their product is exact, each scale is repeated for its block,
    and the dot reads the products. Dots whose MMA or whose atom takes the
    scales stay as they are.

    Input:

    ```mlir
    #atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
    #l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 16], lanes = [8, 4], warps = [4, 1], order = [1, 0]>>
    #s = #nv_tileas.layout<reg, [64, 2], blocked<per_thread = [1, 2], lanes = [32, 1], warps = [4, 1], order = [1, 0]>>
    #t = #nv_tileas.layout<reg, [2, 64], blocked<per_thread = [1, 1], lanes = [1, 32], warps = [1, 4], order = [1, 0]>>
    #c = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
    %d = nv_tileas.dot %a, %b, %c scales %sa, %sb {atom = #atom} : tensor<64x64xf8E4M3FN, #l>, tensor<64x64xf8E4M3FN, #l>, tensor<64x64xf32, #c> scales tensor<64x2xf8E8M0FNU, #s>, tensor<2x64xf8E8M0FNU, #t> -> tensor<64x64xf32, #c>
    ```

    Output:

    ```mlir
    #fa = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [4, 1]>>
    #fb = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [4, 1]>>
    #r = #nv_tileas.layout<reg, [64, 2], register = [[8, 0], [0, 1]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
    #r1 = #nv_tileas.layout<reg, [64, 2, 1], register = [[8, 0, 0], [0, 1, 0]], lane = [[0, 0, 0], [0, 0, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]]>
    #r32 = #nv_tileas.layout<reg, [64, 2, 32], register = [[0, 0, 1], [8, 0, 0], [0, 0, 8], [0, 0, 16], [0, 1, 0]], lane = [[0, 0, 2], [0, 0, 4], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]]>
    %0 = nv_tileas.convert_layout %a : tensor<64x64xf8E4M3FN, #l> -> tensor<64x64xf8E4M3FN, #fa>
    %1 = nv_tileas.fp_to_fp %0 : tensor<64x64xf8E4M3FN, #fa> -> tensor<64x64xbf16, #fa>
    %2 = nv_tileas.fp_to_fp %sa : tensor<64x2xf8E8M0FNU, #s> -> tensor<64x2xbf16, #s>
    %3 = nv_tileas.convert_layout %2 : tensor<64x2xbf16, #s> -> tensor<64x2xbf16, #r>
    %4 = nv_tileas.expand_dims %3 {axis = 2 : i32} : tensor<64x2xbf16, #r> -> tensor<64x2x1xbf16, #r1>
    %5 = nv_tileas.broadcast %4 : tensor<64x2x1xbf16, #r1> -> tensor<64x2x32xbf16, #r32>
    %6 = nv_tileas.view %5 : tensor<64x2x32xbf16, #r32> -> tensor<64x64xbf16, #fa>
    %x = arith.mulf %1, %6 : tensor<64x64xbf16, #fa>
    // … the same for B, with %b and %sb: %y
    %d = nv_tileas.dot %x, %y, %c {atom = #atom} : tensor<64x64xbf16, #fa>, tensor<64x64xbf16, #fb>, tensor<64x64xf32, #c> -> tensor<64x64xf32, #c>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::nv_tileas::TileASDialect"];
}

#endif // PASSES_TILEAS_MMA_TILEASDECOMPOSEDOTSCALED_TD
