// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_PIPELINEITERATORS_H
#define PASSES_TILEAS_PIPELINEITERATORS_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Says of a pipeline that whoever acquires a slot has waited for the products
/// that read it, or for later ones.
inline constexpr llvm::StringLiteral kFreedByWaitsAttr =
    "nv_tileas.freed_by_waits";

/// The operation that makes `pipeline`.
inline mlir::nv_tileas::PipelineCreateOp getCreate(mlir::Value pipeline) {
  return pipeline.getDefiningOp<mlir::nv_tileas::PipelineCreateOp>();
}

/// Adds both iterators to the arguments of `loops`, nested and the outermost
/// first, which are made anew. The iterators become the arguments of the
/// innermost one, which is returned; null where there is no loop. It yields
/// them unchanged: the caller knows how they go on.
mlir::scf::ForOp carryIterators(llvm::ArrayRef<mlir::scf::ForOp> loops,
                                mlir::Value &producer, mlir::Value &consumer);

/// Returns how many slots of `pipeline` are filled before `loop`.
int64_t getLead(mlir::Value pipeline, mlir::scf::ForOp loop);

/// Lets loops of `func` count slots once: iterators that stand at the same slot
/// in every iteration, of whatever pipelines, become one.
void mergeIterators(mlir::nv_tileaa::FuncOp func);

} // namespace tileir

#endif // PASSES_TILEAS_PIPELINEITERATORS_H
