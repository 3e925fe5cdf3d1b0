// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scaled products of few rows, columns or elements of K, made large enough for
// the unit beside tensor memory.

#ifndef PASSES_TILEAS_UNITFACTORS_H
#define PASSES_TILEAS_UNITFACTORS_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"

namespace tileir {

/// The bytes of `tile`, a matrix of elements of 4 bits: two by two along
/// `kDim`, which is their last dimension.
mlir::Value packPairs(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tile, unsigned kDim);

/// A product of two matrices whose blocks of K have scales.
struct ScaledOperands {
  mlir::Value a, b, c, scaleA, scaleB;
};

/// `operands` as the unit takes them, where it takes their types: 16 rows and
/// columns or more, elements of 4 bits in bytes along K and as many as an
/// instruction has. The product has that of `operands` in its first rows and
/// columns: further ones are copies of these, further elements of K are zero
/// beside scales that stand there already.
ScaledOperands suitUnit(mlir::OpBuilder &builder, mlir::Location loc,
                        ScaledOperands operands, const Target &target);

} // namespace tileir

#endif // PASSES_TILEAS_UNITFACTORS_H
