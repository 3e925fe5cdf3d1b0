// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors with block scales, as products by threads have them.

#ifndef PASSES_TILEAS_SCALEDFACTORS_H
#define PASSES_TILEAS_SCALEDFACTORS_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// What a product multiplies: tiles, and where blocks of K have scales that a
/// unit takes, too, those (null otherwise) with the tiles as they were before.
struct ProductFactors {
  mlir::Value a, b, scaleA, scaleB;

  bool isScaled() const { return bool(scaleA); }
};

/// The factors of `dot`. Threads multiply 8-bit floats by powers of two in
/// bf16, which holds the products; what is multiplied before that is given.
ProductFactors getFactors(mlir::nv_tileas::DotOp dot);

} // namespace tileir

#endif // PASSES_TILEAS_SCALEDFACTORS_H
