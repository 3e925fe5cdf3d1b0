// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors with block scales, as products by threads have them.

#ifndef PASSES_TILEAS_SCALEDFACTORS_H
#define PASSES_TILEAS_SCALEDFACTORS_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// Factors of a product: tiles, and where blocks of K have scales that a
/// unit takes, too, those (null otherwise) with the tiles as they were before.
/// Of elements of 4 bits `a` and `b` are the bytes, each with two neighbours
/// along K, which is their last dimension: tiles of rank 2, copies of views of
/// buffers, or tiles of any rank that threads make, in the order of rows.
struct ProductFactors {
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

/// The bytes that have the elements of `tile` two by two along `kDim`, which is
/// their last dimension, whatever their extents; null when there are none.
mlir::Value getPackedBytes(mlir::Value tile, unsigned kDim);

/// Remarks that threads multiply the blocks of `product` by their scales.
void reportScaledByThreads(mlir::Operation *product, llvm::StringRef reason);

/// The factors of `dot`. Threads multiply narrow floats by scales in bf16,
/// which holds the products; what is multiplied before that is given.
ProductFactors getFactors(mlir::nv_tileas::DotOp dot);

} // namespace tileir

#endif // PASSES_TILEAS_SCALEDFACTORS_H
