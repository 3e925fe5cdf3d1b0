// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_TILEASCHECKBARRIERS_TD
#define PASSES_TILEAS_LOWERING_TILEASCHECKBARRIERS_TD

include "mlir/Pass/PassBase.td"

def TileASCheckBarriers
    : Pass<"tileas-check-barriers", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Looks for accesses that no barrier keeps apart";
  let description = [{
    A check of `tileas-assign-buffers` and `tileas-insert-barriers`, and of what
    expanded pipelines wait for, by walking along every path from every access.
    Reported are

    - accesses of the same bytes, and accesses that a token orders, without a
      barrier on some path between them;
    - a copy whose bytes are used before a wait that covers it;
    - what threads wrote and the asynchronous proxy reads or overwrites, without a
      fence and a barrier after it on some path between them;
    - a buffer that is used behind its end, or whose bytes serve something else
      before it.

    Accesses through `ring` views of one buffer are not compared with each other.
    Functions with more than `max-operations` operations that matter are left
    out, because the work is quadratic.
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

#endif // PASSES_TILEAS_LOWERING_TILEASCHECKBARRIERS_TD
