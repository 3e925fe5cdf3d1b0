// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_CUDA_TILE_REGIONVALUES_H
#define PASSES_CUDA_TILE_REGIONVALUES_H

#include <cstdint>

namespace mlir {
class Operation;
} // namespace mlir

namespace tileir {

/// Drops the results and carried values of branches and loops on which no
/// effect depends, and the operations that compute them. Returns the number of
/// dropped values. Linear in the size of `root`.
uint64_t dropDeadRegionValues(mlir::Operation *root);

} // namespace tileir

#endif // PASSES_CUDA_TILE_REGIONVALUES_H
