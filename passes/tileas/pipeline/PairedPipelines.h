// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines of the two CTAs of a pair, whose MMAs the first of them issues.

#ifndef PASSES_TILEAS_PIPELINE_PAIREDPIPELINES_H
#define PASSES_TILEAS_PIPELINE_PAIREDPIPELINES_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// Returns whether MMAs of pairs of CTAs read or fill the slots of `pipeline`.
bool isOfPair(mlir::nv_tileas::PipelineCreateOp pipeline);

/// Records that `op`, a wait, synchronizes with the other CTA of the pair.
void setPair(mlir::Operation *op);

/// Makes each CTA wait, after the loops that read the slots of `pipeline`,
/// until the last commit for each slot has arrived at `empty`, the mbarriers of
/// its slots: the first CTA of a pair signals both, and no signal may reach a
/// CTA that has ended. Fails with an error where anything but loops is around a
/// release.
mlir::LogicalResult drainSlots(mlir::nv_tileas::PipelineCreateOp pipeline,
                               mlir::Value empty);

} // namespace tileir

#endif // PASSES_TILEAS_PIPELINE_PAIREDPIPELINES_H
