// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_NV_TILEAS_SCALEDBLOCKS_H
#define DIALECTS_NV_TILEAS_SCALEDBLOCKS_H

#include "mlir/IR/Types.h"

namespace mlir::nv_tileas {

/// Marks a store to tensor memory that repeats each group of 16 rows: an MMA of
/// 128 rows reads the copy in place of missing rows.
inline constexpr llvm::StringLiteral kTwiceAttr = "nv_tileas.twice";

/// Returns whether the unit beside tensor memory takes a scale of type `scale`
/// for each `block` elements of type `element` along K. Its descriptor names
/// the type, its instruction the block; warps multiply the blocks of
/// `getScaledBlock` alone.
bool takesScaledBlock(Type element, Type scale, int64_t block);

/// Returns how many elements of type `element` along K, `depth` in all, share a
/// scale in a buffer with `scales` of them. For 8-bit floats the buffer may
/// have more scales than blocks: a cell of tensor memory has four.
int64_t getUnitBlock(Type element, int64_t depth, int64_t scales);

} // namespace mlir::nv_tileas

#endif // DIALECTS_NV_TILEAS_SCALEDBLOCKS_H
