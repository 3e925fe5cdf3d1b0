// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses that are clipped although the program promises that they need not.

#ifndef DIALECTS_NV_TILEAS_CLIPPING_H
#define DIALECTS_NV_TILEAS_CLIPPING_H

#include "llvm/ADT/StringRef.h"

namespace mlir::nv_tileas {

/// On an access of a view: for every dimension of the tile whether the program
/// promises that the tile is inside the array, which is not relied on, a
/// DenseBoolArrayAttr.
inline constexpr llvm::StringLiteral kClippedAttr = "nv_tileas.clipped";

} // namespace mlir::nv_tileas

#endif // DIALECTS_NV_TILEAS_CLIPPING_H
