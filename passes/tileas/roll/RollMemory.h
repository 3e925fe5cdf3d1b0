// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where accesses reach, as far as a running kernel can tell.

#ifndef PASSES_TILEAS_ROLL_ROLLMEMORY_H
#define PASSES_TILEAS_ROLL_ROLLMEMORY_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/IR/Builders.h"

namespace tileir {

/// Returns whether the bounds of the memory that `access` reaches can be
/// computed.
bool hasKnownBounds(mlir::Operation *access);

/// Emits the bit that is true if slices of `load` may be loaded after other
/// slices of `store` were stored: the accesses reach disjoint bytes, or the
/// same memory with the same elements. Both have known bounds.
mlir::Value emitAreSeparate(mlir::OpBuilder &builder, mlir::Operation *load,
                            mlir::Operation *store);

} // namespace tileir

#endif // PASSES_TILEAS_ROLL_ROLLMEMORY_H
