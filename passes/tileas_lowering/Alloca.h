// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of a kernel.

#ifndef PASSES_TILEAS_LOWERING_ALLOCA_H
#define PASSES_TILEAS_LOWERING_ALLOCA_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir::lowering {

/// Bytes that an allocation asks for.
int64_t getAllocaBytes(mlir::nv_tileas::AllocaOp op);
/// Returns whether it is in shared memory.
bool isShared(mlir::nv_tileas::AllocaOp op);
/// Moves allocations of `func` to shared memory, up to `sharedBytes`. Reports
/// others that the heap cannot hold.
mlir::LogicalResult placeAllocas(mlir::nv_tileaa::FuncOp func,
                                 int64_t sharedBytes);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_ALLOCA_H
