// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_PIPELINE_PIPELINEITERATORS_H
#define PASSES_TILEAS_PIPELINE_PIPELINEITERATORS_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Marks a pipeline whose producer, when it acquires a slot, has waited for the
/// MMAs that read the slot, or for later ones.
inline constexpr llvm::StringLiteral kFreedByWaitsAttr =
    "nv_tileas.freed_by_waits";

/// The operation that makes `pipeline`.
inline mlir::nv_tileas::PipelineCreateOp getCreate(mlir::Value pipeline) {
  return pipeline.getDefiningOp<mlir::nv_tileas::PipelineCreateOp>();
}

/// Adds both iterators as iter-args to `loops`, nested and the outermost first,
/// which are rebuilt. Returns the innermost loop, whose arguments the iterators
/// become; null if there is no loop. It yields them unchanged: the caller
/// advances them.
mlir::scf::ForOp carryIterators(llvm::ArrayRef<mlir::scf::ForOp> loops,
                                mlir::Value &producer, mlir::Value &consumer);

/// Returns how many slots of `pipeline` are filled before `loop`.
int64_t getLead(mlir::Value pipeline, mlir::scf::ForOp loop);

/// Merges iterators of loops of `func`, of whatever pipelines, that are at the
/// same slot in every iteration.
void mergeIterators(mlir::nv_tileaa::FuncOp func);

} // namespace tileir

#endif // PASSES_TILEAS_PIPELINE_PIPELINEITERATORS_H
