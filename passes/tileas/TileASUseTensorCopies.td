// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_TILEASUSETENSORCOPIES_TD
#define PASSES_TILEAS_TILEASUSETENSORCOPIES_TD

include "mlir/Pass/PassBase.td"

def TileASUseTensorCopies : Pass<"tileas-use-tensor-copies", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Stores whole tiles by tensor maps where that pays, loads them where it is asked for";
  let description = [{
    Pipelines load operands of dots by tensor maps by themselves. Other accesses
    go by threads, but for stores of results of dots that threads would exchange
    through shared memory first: a tensor copy takes such a tile from there, and
    no thread reads it back, keeps addresses or tests bounds.
    The tile has as many bytes as `dialects/support/Thresholds.def` says, the
    store is in no innermost loop, whose iterations would wait for it, and its
    buffer lets as many CTAs fit on an SM as before: it takes the place of the
    slots of a pipeline that has ended. Where the dots of a loop take every
    register the store stays: its coordinates would be spilled.

    With `TILEIR_PREFER_TMA_FOR_LOAD_STORE=true`, or the hint `allow_tma` at the
    access, loads outside of loops and stores use tensor maps wherever they may;
    with any other value of the variable none does. Loads stay with threads
    otherwise, which is as fast where a tile is wide and aligned.

    A load outside of loops fills a ring of one slot; threads read the slot
    where the tile is first used. A store puts its tile into shared memory, one
    thread starts the copy to the memory object, and waits until the buffer has
    been read: at once, or, in a loop, when the next iteration fills the buffer
    again, if shared memory lasts for the whole loop. With
    `TILEIR_DELAY_TMA_STORE_WAIT=n` it waits for that only behind the n-th store
    after it, at the end of the block at the latest; n more buffers live
    meanwhile. Every store is waited for: shared memory is that of the CTA, and
    is gone with it.

    Legality: the load and the store are weak, and a tensor map may describe
    their memory object, whose base, sizes and strides are known when the kernel
    starts; what lies outside of it is not written, as by threads. Where an
    access that may touch the same memory waits for the store by tokens, the
    thread waits until it has been written (`complete`): at once, or before the
    same store of the next iteration where that alone waits. Writes of threads
    that the store waits for are fenced (`tileas-insert-barriers`). A kernel
    that takes in or publishes what others see keeps its accesses. A tile for
    whose buffer there is no room stays. A remark says why an access does.

    A store of `%x` to tile `%i`, `%j` of view `%v` becomes, in this order, the
    map of `%v` at the entry, a buffer, `copy` of `%x` into it, the element at
    which the tile begins, `async.tma_store`, `async.bulk_wait` and `dealloc`.
    Where `%x` is another layout of `%y` (`convert_layout`), `%y` is copied.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numLoads", "num-loads", "Loads that became tensor copies">,
    Statistic<"numStores", "num-stores", "Stores that became tensor copies">,
  ];
}

#endif // PASSES_TILEAS_TILEASUSETENSORCOPIES_TD
