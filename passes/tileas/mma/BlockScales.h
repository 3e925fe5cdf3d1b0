// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block-scaled dots with few elements or with scales along K, padded to a legal
// shape of `tcgen05.mma`.

#ifndef PASSES_TILEAS_MMA_BLOCKSCALES_H
#define PASSES_TILEAS_MMA_BLOCKSCALES_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"

namespace tileir {

/// The bytes of `tile`, a matrix of elements of 4 bits: two by two along
/// `kDim`, which is their last dimension.
mlir::Value packPairs(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tile, unsigned kDim);

/// Operands of a dot with block scales along K.
struct ScaledOperands {
  mlir::Value a, b, c, scaleA, scaleB;
};

/// `operands` as `tcgen05.mma` takes them, where it takes their types and pays
/// for their rows and columns: elements of 4 bits in bytes along K, as many as
/// an instruction has. Further elements of K are zero beside scales that stand
/// there already.
ScaledOperands padToLegalShape(mlir::OpBuilder &builder, mlir::Location loc,
                               ScaledOperands operands, const Target &target);

} // namespace tileir

#endif // PASSES_TILEAS_MMA_BLOCKSCALES_H
