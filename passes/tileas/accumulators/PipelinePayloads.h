// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_ACCUMULATORS_PIPELINEPAYLOADS_H
#define PASSES_TILEAS_ACCUMULATORS_PIPELINEPAYLOADS_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// Gives each slot of the pipeline of `wait` a buffer of type `payload`, too,
/// and returns the one of `wait`, which is another operation now.
mlir::Value addPayload(mlir::nv_tileas::PipelineWaitOp wait,
                       mlir::nv_tileas::BufferType payload);

} // namespace tileir

#endif // PASSES_TILEAS_ACCUMULATORS_PIPELINEPAYLOADS_H
