// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of dots, with their block scales.

#ifndef PASSES_TILEAS_MMA_DOTOPERANDS_H
#define PASSES_TILEAS_MMA_DOTOPERANDS_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// Operands of a dot: tiles, and, where an MMA other than the atom may take
/// them, the scales of blocks of K (null otherwise). For 4-bit elements `a` and
/// `b` are bytes, each of two neighbours along K, the last dimension: tiles of
/// rank 2, copies of views of buffers, or row-major tiles of any rank that
/// threads compute.
struct DotOperands {
  mlir::Value a, b, scaleA, scaleB;
  /// Of the elements of `a` and `b`.
  mlir::Type elementA, elementB;

  bool isScaled() const { return bool(scaleA); }
  bool isPacked() const {
    return mlir::nv_tileas::getStorageBits(elementA) < 8;
  }
  /// The dimensions of K.
  static constexpr unsigned kDimOfA = 1;
  unsigned getKDimOfB() const { return isPacked() ? 1 : 0; }
};

/// The bytes of the elements of `tile` in pairs along `kDim`, the last
/// dimension, of any extent; null if there are none.
mlir::Value getPackedBytes(mlir::Value tile, unsigned kDim);

/// Remarks that threads multiply the blocks of `scaled` by their scales, with
/// the reason.
void reportScaledByThreads(mlir::Operation *scaled, llvm::StringRef reason);

/// The operands of `dot`. Those with 4-bit elements are null where their bytes
/// are not known.
DotOperands getDotOperands(mlir::nv_tileas::DotOp dot);

} // namespace tileir

#endif // PASSES_TILEAS_MMA_DOTOPERANDS_H
