// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_TILEASMATERIALIZEASYNC_TD
#define PASSES_TILEAS_TILEASMATERIALIZEASYNC_TD

include "mlir/Pass/PassBase.td"

def TileASMaterializeAsync
    : Pass<"tileas-materialize-async", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Brings operands of products to shared memory asynchronously";
  let description = [{
    A weak load in a loop whose tile a product reads becomes a copy from global
    to shared memory (`cp.async`) in a pipeline of staged buffers, from which
    the product, and every other reader, reads. Where the target has tensor
    copies, products of warpgroups read the tile, and base and strides of its
    memory object are multiples of 16 bytes, one thread copies it by a tensor map
    (`tma`), which stands at the entry of the kernel. Nothing runs ahead yet: each
    iteration issues its copies and waits for them, so that the result lowers and
    computes the same; `unspecialized-pipeline` moves the copies ahead.

    Products of multiply-adds, whose factors `tileas-stage-products` put to
    buffers, read the slots in place of those; factors in registers stay there.

    Loads with the same consumer share a pipeline. The number of stages is what
    fits into shared memory beside what the rest of the function needs, at most
    4 (5 for stages below 16 KB, one more for tensor copies), fewer by a `latency` hint, and `num-stages`
    where that is given and fits. For multiply-adds three are enough where that
    lets more CTAs run on an SM.

    Where loads stay as they are and a thread of a loop has no registers for both
    factors of a product of single warps, its sum and its scales, the factors go to
    shared memory in front of the product, which reads them a few steps of K at a
    time.

    A tile that several products of single warps read gets a ring of one stage where
    shared memory has no room for two: no copy runs ahead, but no register holds the
    tile from one product to the next. Where warps have no registers left for the
    products of a loop, an A that all its iterations read, and of which several warps
    would hold the same fragments, is stored to shared memory in front of the loop.
    Other loads of the loop leave it the room.

    Where the target has `wgmma`, the accumulator lies in 64-row blocks of
    warpgroups and the form of the buffers has a descriptor, the product becomes
    `async.dot` and `dot_wait`. One that only adds to what the loop carries goes
    on into the next iteration (`pending = 1`), and so a ring of `cp.async` has
    one slot more. A factor in a form without a descriptor, as rows of bytes
    along N are, is stored anew by threads in every iteration, to two buffers in
    turn where the product goes on. A that all iterations of a loop read comes to
    shared memory once, in front of it, where that has room: by a tensor copy,
    through a ring of one slot, or by the threads that made it. A thread then has
    its registers for sums. Products of 8-bit floats without `fast_acc` are cut at
    128 steps of K, each of which f32 adds to the sum, in as many columns as a
    thread has registers for. Tensor copies round f32 to tf32 (to nearest, ties
    to even) where the program rounds what it loads and reads nothing else.

    Where the target has `tcgen05`, both factors are slots that nothing else
    reads, and the accumulator only goes round the loop, it moves to tensor
    memory: a pipeline of one slot, which the products of the whole loop fill
    (`async.dot_into`) and which is read behind it. Then the commits of products
    give the slots of the ring back (`empty = mbarrier`). A remark says why a
    product stays. Of two chained products (attention) the second sum stays there,
    too. It is multiplied in place (`tensor_rescale`) where one number for each row
    is its factor and a multiplication by one leaves it alone: the few numbers come
    before the many of which threads make the factor of the second product, the
    multiplication in front of the first operation that waits for those, and what
    that product does not need, sums of rows for instance, behind it.

    Where threads would multiply blocks of 8-bit floats by scales
    first, the unit does it: scales with K contiguous come to shared memory in
    the form that it takes, and from there to tensor memory
    (`async.tmem_copy`), into a buffer that each slot has for them. Beside tensor
    copies of both factors one warp copies them, into the same slots; otherwise
    all threads do.

    A tensor copy is not made where the hint `allow_tma` is false, where nothing
    but single warps reads the tile (unless `allow_tma` or
    TILEIR_PREFER_TMA_FOR_LOAD_STORE ask for it), where boxes are below 2048 bytes
    (the same), where tiles overlap, where the memory object is not a function of
    the kernel's arguments, and where the kernel acquires what others write. A
    remark says which.

    A load stays as it is, with a remark that says why, when it is not weak, when
    tokens order it between other accesses of the loop, when its padding is not
    zero, when fewer than 4 bytes in a row are aligned, or when its address
    depends on something that cannot run ahead.

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
    !ring = !nv_tileas.buffer<[5] 64x64xbf16, #s>
    !slot = !nv_tileas.buffer<64x64xbf16, #s>
    !p = !nv_tileas.pipeline<5, (buffer<64x64xbf16, #s>)>
    !i = !nv_tileas.pipeline_iterator<5>
    %ring = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %ring {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %j = %j0, %k = %k0) -> (tensor<64x64xf32, #acc>, !i, !i) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot
      %t = nv_tileas.async.copy %v[%m, %i] into %w {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] : !p
      %j1 = nv_tileas.pipeline.advance %j : !i
      %x = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      // … the product %d of %x and %b, a copy and a product for each 16 columns of %x
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %d, %j1, %k1 : tensor<64x64xf32, #acc>, !i, !i
    }
    nv_tileas.dealloc %ring : !ring
    ```
  }];
  let options = [
    Option<"numStages", "num-stages", "unsigned", /*default=*/"0",
           "Stages of every pipeline, where they fit; 0 leaves the choice to "
           "the pass">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::nv_tileas::TileASDialect",
  ];
  let statistics = [
    Statistic<"numLoads", "num-loads", "Loads that became asynchronous copies">,
    Statistic<"numPipelines", "num-pipelines", "Pipelines that were made">,
  ];
}

#endif // PASSES_TILEAS_TILEASMATERIALIZEASYNC_TD
