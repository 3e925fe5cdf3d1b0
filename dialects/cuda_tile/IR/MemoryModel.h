// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common rules of accesses through pointers and through views.

#ifndef DIALECTS_CUDA_TILE_IR_MEMORYMODEL_H
#define DIALECTS_CUDA_TILE_IR_MEMORYMODEL_H

#include "dialects/cuda_tile/CudaTile.h"

namespace mlir::cuda_tile {

LogicalResult verifyLoadOrdering(Operation *op,
                                 MemoryOrderingSemantics ordering,
                                 std::optional<MemoryScope> scope);
LogicalResult verifyStoreOrdering(Operation *op,
                                  MemoryOrderingSemantics ordering,
                                  std::optional<MemoryScope> scope);

/// Verifies that elements of `type` can be updated in `mode`.
LogicalResult verifyAtomicMode(Operation *op, AtomicRMWMode mode, Type type);

} // namespace mlir::cuda_tile

#endif // DIALECTS_CUDA_TILE_IR_MEMORYMODEL_H
