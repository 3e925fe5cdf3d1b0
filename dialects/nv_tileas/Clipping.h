// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attribute of accesses that are clipped in spite of the program's promise.

#ifndef DIALECTS_NV_TILEAS_CLIPPING_H
#define DIALECTS_NV_TILEAS_CLIPPING_H

#include "llvm/ADT/StringRef.h"

namespace mlir::nv_tileas {

/// On an access of a view: for every dimension of the tile, whether the program
/// promises that the tile is inside of the array; the compiler does not rely on
/// it. A DenseBoolArrayAttr.
inline constexpr llvm::StringLiteral kClippedAttr = "nv_tileas.clipped";

} // namespace mlir::nv_tileas

#endif // DIALECTS_NV_TILEAS_CLIPPING_H
