// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_WARP_SPECIALIZE_TILEASSPLITCOPYANDMMAWARPS_TD
#define PASSES_WARP_SPECIALIZE_TILEASSPLITCOPYANDMMAWARPS_TD

include "mlir/Pass/PassBase.td"

def TileASSplitCopyAndMmaWarps
    : Pass<"tileas-split-copy-and-mma-warps", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Splits copies and MMAs of a loop into one warp each";
  let description = [{
    Splits a loop whose TMA copies and `tcgen05.mma` instructions elected threads
    issue into two loops, each an agent of one warp. The copy warp waits for the
    empty mbarriers, on which the MMAs release slots; the MMA warp waits for the
    full mbarriers. Other copies of one warp, such as scales, belong to the copy
    warp. If MMAs wait for a commit after the copies of scales to tensor memory,
    a third warp runs these copies. Its first commit for a slot signals that the
    scales have been read; the MMA warp waits for the slot as well, because a
    commit makes the operands visible to no other warp. Without such a commit the
    scale copies belong to the MMA warp. The copies then run ahead by as many
    iterations as there are slots, and no other warp executes these loops. A loop
    with any other operation, in particular a barrier, stays unchanged, as does a
    loop whose final state is used after it.

    If an iteration issues fewer than four MMAs, the loop is unrolled by the depth
    of its pipeline: slot indices become constants, and waits, counters and
    branches are shared. A second loop runs the remaining iterations.

    Runs after `tileas-insert-barriers`, since a loop of one warp can have no
    barrier.

    Input:

    ```mlir
    #atom = #nv_tileas.mma_atom<umma, [64, 64, 16], a = bf16, b = bf16, c = f32>
    #s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
    !slot = !nv_tileas.buffer<64x64xbf16, #s>
    !acc = !nv_tileas.buffer<64x64xf32, #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>>
    !map = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
    gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
      nv_tileaa.func kernel @k(%map: !map, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
        %full = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[1]>
        %empty = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[1]>
        %slot = nv_tileas.alloc_tensor : !slot
        %acc = nv_tileas.alloc_tensor : !acc
        %c0 = arith.constant 0 : i32
        %f = nv_tileas.mbarrier.slot %full[%c0] : !nv_tileas.mbarrier<[1]>
        %e = nv_tileas.mbarrier.slot %empty[%c0] : !nv_tileas.mbarrier<[1]>
        %c1 = arith.constant 1 : i32
        scf.for %i = %c0 to %n step %c1 : i32 {
          %p = arith.andi %i, %c1 : i32
          %q = arith.xori %p, %c1 : i32
          nv_tileas.mbarrier.wait %e, %q {issuer}
          nv_tileas.mbarrier.arrive_expect_tx %f, 8192
          %t = nv_tileas.async.tma_load %map[%i, %c0] into %slot signal %f : !map -> !slot
          nv_tileas.mbarrier.wait %f, %p {issuer}
          %more = arith.cmpi ne, %i, %c0 : i32
          nv_tileas.async.dot_into %slot, %slot into %acc use_acc %more {atom = #atom} : !slot, !slot -> !acc
          nv_tileas.umma_commit %e
        }
        nv_tileaa.return
      }
    }
    ```

    Output:

    ```mlir
    gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
      nv_tileaa.func kernel @k(%map: !map, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
        // … %slot, %acc, %c0, %c1, and the mbarriers %f and %e
        %warp = gpu.subgroup_id : index
        %one = arith.constant 1 : index
        %copies = arith.cmpi eq, %warp, %one : index
        scf.if %copies {
          scf.for %i = %c0 to %n step %c1 : i32 {
            %p = arith.andi %i, %c1 : i32
            %q = arith.xori %p, %c1 : i32
            nv_tileas.mbarrier.wait %e, %q {issuer}
            nv_tileas.mbarrier.arrive_expect_tx %f, 8192
            %t = nv_tileas.async.tma_load %map[%i, %c0] into %slot signal %f : !map -> !slot
          }
        } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 1 : i32}}
        %zero = arith.constant 0 : index
        %mmas = arith.cmpi eq, %warp, %zero : index
        scf.if %mmas {
          scf.for %i = %c0 to %n step %c1 : i32 {
            %p = arith.andi %i, %c1 : i32
            nv_tileas.mbarrier.wait %f, %p {issuer}
            %more = arith.cmpi ne, %i, %c0 : i32
            nv_tileas.async.dot_into %slot, %slot into %acc use_acc %more {atom = #atom} : !slot, !slot -> !acc
            nv_tileas.umma_commit %e
          }
        } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 0 : i32}}
        nv_tileaa.return
      }
    }
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

#endif // PASSES_WARP_SPECIALIZE_TILEASSPLITCOPYANDMMAWARPS_TD
