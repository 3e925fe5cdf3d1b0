// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_TILEASSPLITISSUERS_TD
#define PASSES_TILEAS_LOWERING_TILEASSPLITISSUERS_TD

include "mlir/Pass/PassBase.td"

def TileASSplitIssuers
    : Pass<"tileas-split-issuers", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Gives copies and products of a loop warps of their own";
  let description = [{
    A loop in which single threads do everything, tensor copies and products in
    tensor memory, becomes two loops: one warp runs the copies and waits for
    slots that products give back, another one runs the products and waits for
    slots that are full. Each is an agent. What one warp copies beside tensor
    copies, as scales, goes with those. Where products wait for a commit behind
    the copies of scales to tensor memory, a third warp has a loop of those:
    its first commit for a slot says that the scales in it have been read, and
    products wait for the slot, too, since a commit shows nobody else the
    factors. Otherwise these copies go with the products. Copies then run ahead
    by as many iterations as there are slots, and no other warp runs through any
    of the loops. Loops with anything else in them, a barrier above all, stay as
    they are, and so do loops of which something behind needs to know where they
    ended.

    Comes behind `tileas-insert-barriers`, since a loop of one warp can have no
    barrier.

    Input, abridged:

    ```mlir
    #atom = #nv_tileas.mma_atom<umma, [64, 64, 16], a = bf16, b = bf16, c = f32>
    #s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
    #d = #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>
    !slot = !nv_tileas.buffer<64x64xbf16, #s>
    !acc = !nv_tileas.buffer<64x64xf32, #d>
    !map = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
    scf.for %i = %lb to %ub step %c1 : i32 {
      nv_tileas.mbarrier.wait %empty, %p {issuer}
      nv_tileas.mbarrier.arrive_expect_tx %full, 8192
      %t = nv_tileas.async.tma_load %map[%i, %j] into %a signal %full : !map -> !slot
      nv_tileas.mbarrier.wait %full, %q {issuer}
      nv_tileas.async.dot_into %a, %b into %c use_acc %more {atom = #atom} : !slot, !slot -> !acc
      nv_tileas.umma_commit %empty
    }
    ```

    Output, abridged:

    ```mlir
    %warp = gpu.subgroup_id : index
    %copies = arith.cmpi eq, %warp, %one : index
    scf.if %copies {
      scf.for %i = %lb to %ub step %c1 : i32 {
        nv_tileas.mbarrier.wait %empty, %p {issuer}
        nv_tileas.mbarrier.arrive_expect_tx %full, 8192
        %t = nv_tileas.async.tma_load %map[%i, %j] into %a signal %full : !map -> !slot
      }
    } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 1 : i32}}
    %products = arith.cmpi eq, %warp, %zero : index
    scf.if %products {
      scf.for %i = %lb to %ub step %c1 : i32 {
        nv_tileas.mbarrier.wait %full, %q {issuer}
        nv_tileas.async.dot_into %a, %b into %c use_acc %more {atom = #atom} : !slot, !slot -> !acc
        nv_tileas.umma_commit %empty
      }
    } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 0 : i32}}
    ```
  }];
  let statistics = [
    Statistic<"numLoops", "num-loops", "loops split">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect",
  ];
}

#endif // PASSES_TILEAS_LOWERING_TILEASSPLITISSUERS_TD
