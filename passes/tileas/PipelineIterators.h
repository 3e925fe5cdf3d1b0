// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_PIPELINEITERATORS_H
#define PASSES_TILEAS_PIPELINEITERATORS_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// Lets loops of `func` count slots once: iterators that stand at the same slot
/// in every iteration, of whatever pipelines, become one.
void mergeIterators(mlir::nv_tileaa::FuncOp func);

} // namespace tileir

#endif // PASSES_TILEAS_PIPELINEITERATORS_H
