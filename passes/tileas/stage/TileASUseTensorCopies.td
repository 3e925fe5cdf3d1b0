// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_STAGE_TILEASUSETENSORCOPIES_TD
#define PASSES_TILEAS_STAGE_TILEASUSETENSORCOPIES_TD

include "mlir/Pass/PassBase.td"

def TileASUseTensorCopies : Pass<"tileas-use-tensor-copies", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Stores whole tiles by TMA where that pays, loads them on request";
  let description = [{
    Turns stores of results of dots into TMA stores if threads would otherwise
    exchange the elements through shared memory: TMA reads the tile there, so no
    thread reads it back, keeps addresses or tests bounds. Pipelines already
    load operands of dots by TMA. The tile has at least the bytes that
    `dialects/support/Heuristics.def` says; the store is in no innermost loop,
    whose iterations would wait for it; its buffer leaves the number of CTAs on
    an SM unchanged, because it takes the place of the slots of a finished
    pipeline. If the dots of a loop take every register the store stays: its
    coordinates would be spilled.

    With `TILEIR_PREFER_TMA_FOR_LOAD_STORE=true`, or the hint `allow_tma` at the
    access, loads outside of loops and stores use TMA wherever it is legal; with
    any other value of the variable none does. Other loads stay with threads,
    which are as fast for wide and aligned tiles.

    A load outside of loops fills a pipeline of one slot; threads read the slot
    at the first use of the tile. A store copies its tile to shared memory; one
    thread starts the TMA store and waits until the buffer has been read: at
    once, or, in a loop, when the next iteration refills the buffer, if shared
    memory suffices for the whole loop. With `TILEIR_DELAY_TMA_STORE_WAIT=n` it
    waits only after the n-th later store, at the end of the block at the
    latest; n more buffers are live meanwhile. Every store is waited for: shared
    memory belongs to the CTA and disappears with it.

    Legality: the load and the store are weak, and a tensor map can describe
    their array, whose base, sizes and strides are known when the kernel starts;
    elements outside of it are not written, as by threads. If an access that may
    touch the same memory waits for the store by tokens, the thread waits until
    the memory is written (`complete`): at once, or before the same store of the
    next iteration if that alone waits. Writes of threads that the store waits
    for are fenced (`tileas-insert-barriers`). A kernel with acquire or release
    accesses keeps its accesses. A tile without room for its buffer stays. A
    remark has the reason.

    A store of `%x` to tile `%i`, `%j` of view `%v` becomes, in this order, the
    tensor map of `%v` at the entry, a buffer, `copy` of `%x` into it, the
    coordinates of the first element of the tile, `async.tma_store`,
    `async.bulk_wait` and `dealloc`. If `%x` is another layout of `%y`
    (`convert_layout`), `%y` is copied.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numLoads", "num-loads", "Loads that became tensor copies">,
    Statistic<"numStores", "num-stores", "Stores that became tensor copies">,
  ];
}

#endif // PASSES_TILEAS_STAGE_TILEASUSETENSORCOPIES_TD
