// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_STAGE_TILEASSTAGEOPERANDS_TD
#define PASSES_TILEAS_STAGE_TILEASSTAGEOPERANDS_TD

include "mlir/Pass/PassBase.td"

def TileASStageOperands
    : Pass<"tileas-stage-operands", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Copies operands of dots to shared memory asynchronously";
  let description = [{
    Turns a weak load in a loop whose tile a dot reads into an asynchronous copy
    from global to shared memory (`cp.async`) in a multi-buffered pipeline; the
    dot and all other readers read its slots. One thread copies the tile by TMA
    (`tma`) if the target has TMA, the MMA of the dot reads shared memory, and
    base and strides of the array are multiples of 16 bytes; the tensor map is
    built at the entry of the kernel. No copy runs ahead yet: each iteration
    issues its copies and waits for them, so that the result lowers and computes
    the same; `unspecialized-pipeline` moves the copies ahead. Multiply-add dots
    whose operands `tileas-stage-register-operands` staged in buffers read the slots
    instead.

    Loads with the same consumer share a pipeline. The number of slots is what
    fits into shared memory beside the rest of the function, at most 4 (5 for
    slots below 16 KB, one more for TMA copies and for `wgmma` after
    `cp.async`), fewer by a `latency` hint, and `num-stages` if that is given
    and fits. Multiply-add dots have three if more CTAs then run on an SM. Dots
    of fewer warps than an SM has tensor cores have as few as two until the CTAs
    of an SM have a warp for each. A tile that several dots of warps read gets a
    pipeline of one slot if shared memory has no room for two: no copy runs
    ahead, but no register holds the tile from one dot to the next. Room is
    reserved for operands that `tileas-materialize-mma` restages.

    Scales for `tcgen05.mma`, contiguous along K, are copied to shared memory in
    the layout that it reads. Beside TMA copies of both operands one warp copies
    them, into the same slots; otherwise all threads do. TMA rounds f32 to tf32
    (to nearest, ties to even) if the program rounds the loaded elements so and
    has no other reader of them.

    TMA is not used if the hint `allow_tma` is false, if only warps read the
    tile (unless `allow_tma` or TILEIR_PREFER_TMA_FOR_LOAD_STORE ask for it), if
    boxes are below 2048 bytes (likewise), if tiles overlap, if the array is not
    a function of the kernel's arguments, and if the kernel acquires memory that
    others write. A remark says which.

    A load stays as it is, with a remark that has the reason, if it is not weak,
    if tokens order it between other accesses of the loop, if its padding is not
    zero, if fewer than 4 contiguous bytes are aligned, or if its address
    depends on an operation that cannot run ahead.

    Input:

    ```mlir
    #atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
    #l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
    #acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [2, 2]>>
    #a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [2, 2]>>
    #b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [2, 2]>>
    !v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x64xbf16, strides = [64, 1]>, padding = zero>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #acc>) : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%m, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %a = nv_tileas.convert_layout %x : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #a>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
      scf.yield %d : tensor<64x64xf32, #acc>
    }
    ```

    Output:

    ```mlir
    #s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
    !staged = !nv_tileas.buffer<[5] 64x64xbf16, #s>
    !slot = !nv_tileas.buffer<64x64xbf16, #s>
    !p = !nv_tileas.pipeline<5, (buffer<64x64xbf16, #s>)>
    !i = !nv_tileas.pipeline_iterator<5>
    %staged = nv_tileas.alloc_tensor : !staged
    %p = nv_tileas.pipeline.create %staged {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !staged -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %j = %j0, %k = %k0) -> (tensor<64x64xf32, #acc>, !i, !i) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot
      %t = nv_tileas.async.copy %v[%m, %i] into %w {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] : !p
      %j1 = nv_tileas.pipeline.advance %j : !i
      %x = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      // … %d, the dot of a copy of %x and of %b, with its `mma`
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %d, %j1, %k1 : tensor<64x64xf32, #acc>, !i, !i
    }
    nv_tileas.dealloc %staged : !staged
    ```
  }];
  let options = [
    Option<"numStages", "num-stages", "unsigned", /*default=*/"0",
           "Slots of every pipeline, where they fit; 0 leaves the choice to "
           "the pass">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::nv_tileas::TileASDialect",
  ];
  let statistics = [
    Statistic<"numLoads", "num-loads", "Loads that became asynchronous copies">,
    Statistic<"numPipelines", "num-pipelines", "Pipelines that were made">,
  ];
}

#endif // PASSES_TILEAS_STAGE_TILEASSTAGEOPERANDS_TD
