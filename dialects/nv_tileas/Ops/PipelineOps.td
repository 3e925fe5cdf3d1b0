// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_PIPELINEOPS_TD
#define DIALECTS_NV_TILEAS_OPS_PIPELINEOPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

// Pipelines: one operation creates a pipeline outside of all loops that use it,
// and loops carry only its iterators. `tileas-expand-pipelines` lowers all of
// them to copies in groups, waits and barriers.

def TileAS_PipelineCreateOp : TileAS_Op<"pipeline.create",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Makes a multi-buffered pipeline";
  let description = [{
    Slot i is stage i of every buffer. `producer` fills slots, `consumers` read
    them. `sync` is how consumers wait for a full slot: `group`, the groups of
    `async.copy` of one scope, or `mbarrier`. `empty` is how the producer waits
    for a free slot: `mbarrier`, or `barrier`, the barriers of a scope that is
    both producer and consumer. With `tma` one warp may fill a part of a slot by
    `async.copy` in addition.

    Constraints: (C1) the payloads of the type are the stages of the buffers,
    and their depth is the pipeline's; (C2) `group` is for `cp_async`; (C3) each
    consumer is named once, and there is at least one.

    ```mlir
    %p = nv_tileas.pipeline.create %a, %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier}
      : !nv_tileas.buffer<[4] 64x64xf16, #s>, !nv_tileas.buffer<[4] 64x32xf16, #s> -> !nv_tileas.pipeline<4, (!nv_tileas.buffer<64x64xf16, #s>, !nv_tileas.buffer<64x32xf16, #s>)>
    ```
  }];
  let arguments = (ins Variadic<TileAS_BufferType>:$buffers,
                       TileAS_PipelineProducerAttr:$producer,
                       ArrayAttr:$consumers,
                       TileAS_PipelineSyncAttr:$sync,
                       TileAS_PipelineEmptyAttr:$empty);
  let results = (outs TileAS_PipelineType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TileAS_PipelineIteratorOp : TileAS_Op<"pipeline.iterator", [Pure]> {
  let summary = "Starts at the first slot of a pipeline";
  let description = [{
    With `from`, the position of another iterator on this side: the new producer
    iterator acquires next the slot that `%c` waits for next.

    Constraints: (C1) the depth of the result, and of `from`, is the pipeline's.

    ```mlir
    %i = nv_tileas.pipeline.iterator %p producer : !nv_tileas.pipeline<4, ()> -> !nv_tileas.pipeline_iterator<4>
    %j = nv_tileas.pipeline.iterator %p producer from %c : !nv_tileas.pipeline<4, ()> -> !nv_tileas.pipeline_iterator<4>
    ```
  }];
  let arguments = (ins TileAS_PipelineType:$pipeline,
                       TileAS_PipelineSideAttr:$side,
                       Optional<TileAS_PipelineIteratorType>:$from);
  let results = (outs TileAS_PipelineIteratorType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TileAS_PipelineAdvanceOp : TileAS_Op<"pipeline.advance", [
    Pure, AllTypesMatch<["iterator", "result"]>]> {
  let summary = "Advances to the next slot";
  let description = [{
    ```mlir
    %j = nv_tileas.pipeline.advance %i : !nv_tileas.pipeline_iterator<4>
    ```
  }];
  let arguments = (ins TileAS_PipelineIteratorType:$iterator);
  let results = (outs TileAS_PipelineIteratorType:$result);
  let assemblyFormat = "$iterator attr-dict `:` qualified(type($iterator))";
}

class TileAS_PipelineOp<string mnemonic, list<Trait> traits = []>
    : TileAS_Op<mnemonic, !listconcat(
        [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)> {
  let hasVerifier = 1;
}

def TileAS_PipelineAcquireOp : TileAS_PipelineOp<"pipeline.acquire"> {
  let summary = "Waits until a slot is free and returns it to the producer";
  let description = [{
    Without `if` it always waits. When the condition is false it returns the
    slot's address without a wait.

    Constraints: (C1) the iterator has the depth of the pipeline; (C2) one result
    per payload, of its type.

    ```mlir
    %s = nv_tileas.pipeline.acquire %p[%i] if %more : !nv_tileas.pipeline<4, (!nv_tileas.buffer<64x64xf16, #s>)> -> !nv_tileas.buffer<64x64xf16, #s>
    ```
  }];
  let arguments = (ins TileAS_PipelineType:$pipeline,
                       TileAS_PipelineIteratorType:$iterator,
                       Optional<I1>:$condition);
  let results = (outs Variadic<TileAS_BufferType>:$slots);
  let hasCustomAssemblyFormat = 1;
}

def TileAS_PipelineCommitOp : TileAS_PipelineOp<"pipeline.commit"> {
  let summary = "Commits a slot: all its copies are issued";
  let description = [{
    Constraints: (C1) the iterator has the depth of the pipeline.

    ```mlir
    nv_tileas.pipeline.commit %p[%i] if %more : !nv_tileas.pipeline<4, ()>
    ```
  }];
  let arguments = (ins TileAS_PipelineType:$pipeline,
                       TileAS_PipelineIteratorType:$iterator,
                       Optional<I1>:$condition);
  let hasCustomAssemblyFormat = 1;
}

def TileAS_PipelineWaitOp : TileAS_PipelineOp<"pipeline.wait"> {
  let summary = "Waits until a slot is full and returns it to a consumer";
  let description = [{
    `consumer` is an index into the `consumers` of the pipeline. For pipelines
    that synchronize by groups `pending` is the number of younger groups that
    may still be in flight.

    Constraints: (C1), (C2) as for `acquire`; (C3) `pending` is not negative.

    ```mlir
    %s = nv_tileas.pipeline.wait %p[%i] {consumer = 0 : i32, pending = 2 : i32} : !nv_tileas.pipeline<4, (!nv_tileas.buffer<64x64xf16, #s>)> -> !nv_tileas.buffer<64x64xf16, #s>
    ```
  }];
  let arguments = (ins TileAS_PipelineType:$pipeline,
                       TileAS_PipelineIteratorType:$iterator,
                       DefaultValuedAttr<I32Attr, "0">:$consumer,
                       DefaultValuedAttr<I32Attr, "0">:$pending);
  let results = (outs Variadic<TileAS_BufferType>:$slots);
  let hasCustomAssemblyFormat = 1;
}

def TileAS_PipelineReleaseOp : TileAS_PipelineOp<"pipeline.release"> {
  let summary = "Releases a slot to the producer";
  let description = [{
    The iterator may be older than that of the last wait. With `pending` the
    slot is free only after this many further releases: MMAs in flight into the
    next iteration may still read it.

    Constraints: (C1) the iterator has the depth of the pipeline; (C2) `pending`
    is not negative.

    ```mlir
    nv_tileas.pipeline.release %p[%i] {consumer = 0 : i32, pending = 0 : i32} : !nv_tileas.pipeline<4, ()>
    ```
  }];
  let arguments = (ins TileAS_PipelineType:$pipeline,
                       TileAS_PipelineIteratorType:$iterator,
                       Optional<I1>:$condition,
                       DefaultValuedAttr<I32Attr, "0">:$consumer,
                       DefaultValuedAttr<I32Attr, "0">:$pending);
  let hasCustomAssemblyFormat = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_PIPELINEOPS_TD
