// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to equal parts of tiles of a view.

#ifndef PASSES_TILEAS_CUTACCESSES_H
#define PASSES_TILEAS_CUTACCESSES_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/IR/Builders.h"

namespace tileir {

/// Returns whether every other access may go before or behind `op`, unless
/// tokens say something else.
template <typename OpTy> bool isPlainAccess(OpTy op) {
  return op.getMemSemantic() == mlir::nv_tileaa::MemSemantic::Weak &&
         !op.getIsVolatile() && op.getOffsets().empty() &&
         !op->hasAttr(mlir::nv_tileaa::kMultimemAttr);
}

/// Returns whether the `parts` equal parts along `d` of the tile at any index
/// of `view` are tiles of another view.
bool canCutView(mlir::Value view, unsigned d, int64_t parts);

/// The view of such parts, of the memory `source`.
mlir::Value cutView(mlir::OpBuilder &builder, mlir::Value view, unsigned d,
                    int64_t parts, mlir::Value source);

/// The index of the first part of the tile with index `coord` along `d` of a
/// view of type `type`; those of the other parts follow. Indices so large that
/// their multiple wraps are those of no tile of the array; they are replaced by
/// smaller ones of which that is true as well.
mlir::Value cutCoord(mlir::OpBuilder &builder, mlir::Value coord, unsigned d,
                     int64_t parts, mlir::nv_tileaa::TATiledViewType type);

/// Leaves of the facts about neighbours and alignment that `access`, a copy of
/// an access to a tile of type `type`, has what is true of a part along `d`.
void cutFacts(mlir::Operation *access, unsigned d, int64_t parts,
              mlir::nv_tileaa::TATiledViewType type);

} // namespace tileir

#endif // PASSES_TILEAS_CUTACCESSES_H
