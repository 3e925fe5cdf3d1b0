// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to equal parts of tiles of a view.

#ifndef PASSES_TILEAS_CTA_SPLITACCESSES_H
#define PASSES_TILEAS_CTA_SPLITACCESSES_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/IR/Builders.h"

namespace tileir {

/// Returns whether tokens alone order `op` with other accesses.
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
/// view of type `type`; the indices of the other parts follow. An index whose
/// multiple wraps belongs to no tile of the array; a smaller index that belongs
/// to none replaces it.
mlir::Value cutCoord(mlir::OpBuilder &builder, mlir::Value coord, unsigned d,
                     int64_t parts, mlir::nv_tileaa::TATiledViewType type);

/// Keeps those facts about contiguity and alignment of `access`, a copy of an
/// access to a tile of type `type`, that hold for a part along `d`.
void cutFacts(mlir::Operation *access, unsigned d, int64_t parts,
              mlir::nv_tileaa::TATiledViewType type);

} // namespace tileir

#endif // PASSES_TILEAS_CTA_SPLITACCESSES_H
