// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_MEMORY_TILEASCHECKBARRIERS_TD
#define PASSES_TILEAS_LOWERING_MEMORY_TILEASCHECKBARRIERS_TD

include "mlir/Pass/PassBase.td"

def TileASCheckBarriers
    : Pass<"tileas-check-barriers", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Checks that barriers order conflicting accesses";
  let description = [{
    Follows every path from every access and reports races; changes nothing. The
    pass checks `tileas-assign-buffers`, `tileas-insert-barriers` and the waits of
    expanded pipelines. It reports

    - conflicting accesses to the same bytes, and accesses that a token orders,
      without a barrier on some path between them;
    - a copy whose bytes are used before a wait that covers it;
    - writes of threads that the async proxy reads or overwrites, without a fence
      followed by a barrier on some path between them;
    - a buffer that is used after its end, or whose bytes are reused before it.

    Accesses through `ring` views of one buffer are not compared with each other.
    The pass skips functions with more than `max-operations` relevant operations,
    because the cost is quadratic.
  }];
  let options = [
    Option<"maxOperations", "max-operations", "unsigned", /*default=*/"5000",
           "Most operations of a function that is checked">,
  ];
  let statistics = [
    Statistic<"numChecked", "num-checked", "functions checked">,
  ];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
}

#endif // PASSES_TILEAS_LOWERING_MEMORY_TILEASCHECKBARRIERS_TD
