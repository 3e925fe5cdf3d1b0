// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_CTA_TILEASPLANCTA_TD
#define PASSES_TILEAS_CTA_TILEASPLANCTA_TD

include "mlir/Pass/PassBase.td"

def TileASPlanCta : Pass<"tileas-plan-cta", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Chooses the warps of a kernel by its accumulators and its work";
  let description = [{
    Writes `num_warps` into the `kernel_spec` of every kernel and, where that
    changes it, the default layouts for that number; later passes price them. A
    requested number (`nv_tileaa.fixed_warps`) stays as long as a thread can
    hold its share of the accumulators. A second run changes nothing.

    With dots: the fewest warps whose threads hold the live accumulators in 128
    registers and all live tiles in 200, such that one CTA fits the registers of
    an SM, and no fewer than four if the dot has 4096 elements. Operands that no
    copy stages in shared memory, such as those of dots outside of loops, have
    96 registers at most. With a reduction or scan: 16 elements of the largest
    tile for each thread if four such CTAs fit an SM, or an occupancy hint
    leaves fewer registers than a thread may have, else 32. Otherwise two
    vectors of 16 bytes for each thread of the largest access, on at most 8
    warps. In the last two cases the four partitions of an SM have a warp each
    if a thread then still has one such vector, unless one warp holds a whole
    reduction. An occupancy hint that leaves too few registers for the tiles of
    a kernel without dots, or for the accumulators of one with dots, is lowered;
    the remark `HintClamped` says to what. Kernels that call functions keep
    their number of warps, because both sides must agree.

    A loop that accumulates dots in a tile that no number of warps holds becomes
    two loops, each for one half of the columns (or of the rows, if there are
    more), each followed by the work on its result: the first half is stored
    before the second one begins. The operand along the split is loaded in
    halves, the other one twice. Halves that are too large are split again. This
    is legal if the loop only loads, weakly, and computes, if the result is
    processed element by element and stored weakly, and if no token orders such
    a store after an operation of the loop. The tile index of a half is a
    multiple of the index of the whole tile plus its number; the size of the
    array has to be a 32-bit number, so that an index out of range stays so.
    Targets with tensor memory keep such tiles whole. The remark `SplitProducts`
    says what was split, or why not.

    An `mma.sync` dot in a loop, whose operand the loop loads and shared memory
    does not hold, becomes a chain of dots over slices of K, each with its own
    loads; if both operands are loaded, in a loop, so that copies run ahead. A
    tile that several dots read is loaded for each of them. This is legal if the
    loop only loads, weakly, and computes. The remark `SliceOperands` says what
    was sliced.

    A kernel with two chained dots in a loop (attention) whose tiles no number
    of warps holds computes its rows in two halves: the computation of tiles
    becomes the body of a loop over both halves, in which every tile with those
    rows has half of them, and other tiles, keys and values, are loaded again.
    Halves that are too large are split again. This is legal if no operation
    mixes rows, if memory is only loaded and stored, weakly, and if no token
    orders two of these accesses: the second half is loaded after the first one
    is stored. The remark `SplitBlock` says that it was done, or why not.

    The remark `NumWarps` has the numbers that decided.

    Input:

    ```mlir
    #atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
    #a = #nv_tileas.layout<reg, [128, 64], mma<#atom, a, warps = [2, 2]>>
    #b = #nv_tileas.layout<reg, [64, 256], mma<#atom, b, warps = [2, 2]>>
    #c = #nv_tileas.layout<reg, [128, 256], mma<#atom, acc, warps = [2, 2]>>
    nv_tileaa.func kernel @k(%v: !nv_tileaa.tiled_view<128x256 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
      %a = arith.constant dense<1.0> : tensor<128x64xf16, #a>
      %b = arith.constant dense<1.0> : tensor<64x256xf16, #b>
      %c = arith.constant dense<0.0> : tensor<128x256xf32, #c>
      %d = nv_tileas.dot %a, %b, %c {atom = #atom} : tensor<128x64xf16, #a>, tensor<64x256xf16, #b>, tensor<128x256xf32, #c> -> tensor<128x256xf32, #c>
      %t = nv_tileas.tiled_store weak %d, %v[%i, %i] : tensor<128x256xf32, #c>, !nv_tileaa.tiled_view<128x256 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>[i32, i32]
      nv_tileaa.return
    }
    ```

    Output:

    ```mlir
    #a8 = #nv_tileas.layout<reg, [128, 64], mma<#atom, a, warps = [8, 1]>>
    #b8 = #nv_tileas.layout<reg, [64, 256], mma<#atom, b, warps = [8, 1]>>
    #c8 = #nv_tileas.layout<reg, [128, 256], mma<#atom, acc, warps = [8, 1]>>
    #s = #nv_tileas.layout<reg, [128, 256], register = [[0, 32], [0, 64], [0, 128], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0], [4, 0]]>
    nv_tileaa.func kernel @k(%v: !nv_tileaa.tiled_view<128x256 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
      // … %a, %b and %c
      %d = nv_tileas.dot %a, %b, %c {atom = #atom} : tensor<128x64xf16, #a8>, tensor<64x256xf16, #b8>, tensor<128x256xf32, #c8> -> tensor<128x256xf32, #c8>
      %e = nv_tileas.convert_layout %d : tensor<128x256xf32, #c8> -> tensor<128x256xf32, #s>
      %t = nv_tileas.tiled_store weak %e, %v[%i, %i] : tensor<128x256xf32, #s>, !nv_tileaa.tiled_view<128x256 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>[i32, i32]
      nv_tileaa.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [
    Statistic<"numPlanned", "num-planned", "Kernels whose number of warps changed">,
    Statistic<"numReplaced", "num-replaced", "Requested numbers of warps that were impossible">,
  ];
}

#endif // PASSES_TILEAS_CTA_TILEASPLANCTA_TD
