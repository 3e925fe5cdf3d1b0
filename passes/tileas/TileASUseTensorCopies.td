// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_TILEASUSETENSORCOPIES_TD
#define PASSES_TILEAS_TILEASUSETENSORCOPIES_TD

include "mlir/Pass/PassBase.td"

def TileASUseTensorCopies : Pass<"tileas-use-tensor-copies", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Loads and stores whole tiles by tensor maps where that is asked for";
  let description = [{
    Pipelines bring factors of products by tensor maps by themselves. Other
    accesses go by threads, which is as fast where a tile is wide and aligned;
    with `TILEIR_PREFER_TMA_FOR_LOAD_STORE=true` tensor maps are used wherever
    they may be.

    A load outside of loops fills a ring of one slot; threads read the slot
    where the tile is first used. A store puts its tile into shared memory, one
    thread starts the copy to the memory object, and waits until the buffer has
    been read. With `TILEIR_DELAY_TMA_STORE_WAIT=n` it waits for that only
    behind the n-th store after it, at the end of the block at the latest; n
    more buffers live meanwhile. Every store is waited for in its block: shared
    memory is that of the CTA, and is gone with it.

    Legality: the load and the store are weak, and a tensor map may describe
    their memory object. Nothing waits for the token of a store that becomes a
    copy: what it writes is known to be there at the end of the kernel alone.
    A kernel that takes in or publishes what others see keeps its accesses. A
    tile for whose buffer there is no room stays, with a remark.

    A store of `%x` to tile `%i`, `%j` of view `%v` becomes, in this order, the
    map of `%v` at the entry, a buffer, `copy` of `%x` into it, the element at
    which the tile begins, `async.tma_store`, `async.bulk_wait` and `dealloc`.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numLoads", "num-loads", "Loads that became tensor copies">,
    Statistic<"numStores", "num-stores", "Stores that became tensor copies">,
  ];
}

#endif // PASSES_TILEAS_TILEASUSETENSORCOPIES_TD
