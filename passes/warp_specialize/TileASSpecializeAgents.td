// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_WARP_SPECIALIZE_TILEASSPECIALIZEAGENTS_TD
#define PASSES_WARP_SPECIALIZE_TILEASSPECIALIZEAGENTS_TD

include "mlir/Pass/PassBase.td"

def TileASSpecializeAgents
    : Pass<"tileas-specialize-agents", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Moves TMA copies into a producer warp";
  let description = [{
    Splits a kernel whose pipelines TMA copies fill into two agents (warp
    specialization). An additional producer warp runs the loops and branches of
    the kernel with only the copies and their address computations; the other
    warps run everything else. The copies run ahead by as many slots as are free,
    also across the iterations of a loop over tiles. The computing warps neither
    issue copies nor synchronize with each other for them.

    Operations of the entry block that both agents use, such as views, tensor
    maps and pipelines, stay before the agents. The shared memory of a pipeline
    may still be reused after its loop: the agent that deallocates it has waited
    for every copy. `tileas-resolve-agent-boundary` selects how slots are
    released, `optimize-execution-unit-mapping` selects the warps; until then the
    conditions of agents are poison.

    A kernel stays a single instruction stream, with a remark that states the
    reason, if threads copy an operand, if MMAs with tensor memory read the
    pipelines (`tileas-split-copy-and-mma-warps` handles these), if a copy depends on an
    effect or is ordered after one, or if another warp would cost a resident CTA,
    shared memory or registers; also if CTAs of a cluster exchange tiles, which
    takes all threads. With `share-registers` the computing threads may
    need more registers than an equal share, if `tileas-check-register-budget`
    can take them from the producer. A loop that
    `tileas-materialize-schedule{use-AUS}` scheduled also keeps its kernel a
    single stream.

    Input:

    ```mlir
    #s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
    #l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
    !staged = !nv_tileas.buffer<[12] 64x64xbf16, #s>
    !slot = !nv_tileas.buffer<64x64xbf16, #s>
    !p = !nv_tileas.pipeline<12, (buffer<64x64xbf16, #s>)>
    !i = !nv_tileas.pipeline_iterator<12>
    !map = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
    gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
      nv_tileaa.func kernel @k(%map: !map, %n: i32, %o: !slot) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %b = nv_tileas.alloc_tensor : !staged
        %p = nv_tileas.pipeline.create %b {producer = tma, consumers = [generic], sync = mbarrier, empty = barrier} : !staged -> !p
        %j = nv_tileas.pipeline.iterator %p producer : !p -> !i
        %k = nv_tileas.pipeline.iterator %p consumer : !p -> !i
        %r:2 = scf.for %x = %c0 to %n step %c1 iter_args(%f = %j, %g = %k) -> (!i, !i) : i32 {
          %w = nv_tileas.pipeline.acquire %p[%f] : !p -> !slot
          %t = nv_tileas.async.tma_load %map[%x, %c0] into %w : !map -> !slot
          nv_tileas.pipeline.commit %p[%f] : !p
          %f1 = nv_tileas.pipeline.advance %f : !i
          %s = nv_tileas.pipeline.wait %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
          %y = nv_tileas.copy %s : !slot -> tensor<64x64xbf16, #l>
          nv_tileas.copy %y, %o : tensor<64x64xbf16, #l>, !slot
          nv_tileas.pipeline.release %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p
          %g1 = nv_tileas.pipeline.advance %g : !i
          scf.yield %f1, %g1 : !i, !i
        }
        nv_tileaa.return
      }
    }
    ```

    Output:

    ```mlir
    gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
      nv_tileaa.func kernel @k(%map: !map, %n: i32, %o: !slot) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
        %b = nv_tileas.alloc_tensor : !staged
        %p = nv_tileas.pipeline.create %b {producer = tma, consumers = [generic], sync = mbarrier, empty = barrier} : !staged -> !p
        %j = nv_tileas.pipeline.iterator %p producer : !p -> !i
        %copies = ub.poison : i1
        scf.if %copies {
          %c0 = arith.constant 0 : i32
          %c1 = arith.constant 1 : i32
          %r = scf.for %x = %c0 to %n step %c1 iter_args(%f = %j) -> (!i) : i32 {
            %w = nv_tileas.pipeline.acquire %p[%f] : !p -> !slot
            %t = nv_tileas.async.tma_load %map[%x, %c0] into %w : !map -> !slot
            nv_tileas.pipeline.commit %p[%f] : !p
            %f1 = nv_tileas.pipeline.advance %f : !i
            scf.yield %f1 : !i
          }
        } {nv_tileas.agent = {num_warps = 1 : i32}}
        %others = ub.poison : i1
        scf.if %others {
          %c0 = arith.constant 0 : i32
          %c1 = arith.constant 1 : i32
          %k = nv_tileas.pipeline.iterator %p consumer : !p -> !i
          %r:2 = scf.for %x = %c0 to %n step %c1 iter_args(%f = %j, %g = %k) -> (!i, !i) : i32 {
            %f1 = nv_tileas.pipeline.advance %f : !i
            %s = nv_tileas.pipeline.wait %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
            %y = nv_tileas.copy %s : !slot -> tensor<64x64xbf16, #l>
            nv_tileas.copy %y, %o : tensor<64x64xbf16, #l>, !slot
            nv_tileas.pipeline.release %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p
            %g1 = nv_tileas.pipeline.advance %g : !i
            scf.yield %f1, %g1 : !i, !i
          }
        } {nv_tileas.agent = {num_warps = 4 : i32}}
        nv_tileaa.return
      }
    }
    ```
  }];
  let options = [
    Option<"shareRegisters", "share-registers", "bool", /*default=*/"true",
           "Assume that agents reallocate registers (`setmaxnreg`)">,
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels that became agents">,
  ];
  let dependentDialects = [
    "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect",
  ];
}

#endif // PASSES_WARP_SPECIALIZE_TILEASSPECIALIZEAGENTS_TD
