// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory allocations of a kernel.

#ifndef PASSES_TILEAS_LOWERING_MEMORY_ALLOCA_H
#define PASSES_TILEAS_LOWERING_MEMORY_ALLOCA_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir::lowering {

/// Returns the size of an allocation in bytes.
int64_t getAllocaBytes(mlir::nv_tileas::AllocaOp op);
/// Returns whether the allocation is in shared memory.
bool isShared(mlir::nv_tileas::AllocaOp op);
/// Moves allocations of `func` to shared memory, up to `sharedBytes`. Reports
/// the remaining ones that exceed the heap.
mlir::LogicalResult placeAllocas(mlir::nv_tileaa::FuncOp func,
                                 int64_t sharedBytes);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_MEMORY_ALLOCA_H
