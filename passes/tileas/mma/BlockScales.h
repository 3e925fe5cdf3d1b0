// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block-scaled dots: padded to a legal shape of `tcgen05.mma`, or decomposed
// into multiplications by the scales and a dot.

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

/// Returns whether an MMA of `target` may take the scales of `dot`, by the
/// types of its operands. If none does although one takes the types, `reason`
/// says why.
bool mayTakeScales(mlir::nv_tileas::DotOp dot, const Target &target,
                   std::string &reason);

/// Multiplies the operands of `dot` by their scales, which its atom does not
/// take. Tiles need no layouts; with layouts, threads exchange the unscaled
/// elements.
void decomposeScales(mlir::nv_tileas::DotOp dot);

/// Decomposes the scales of the dots of `func` whose MMA does not take them.
void decomposeRefused(mlir::nv_tileaa::FuncOp func);

/// Bytes of shared memory that `decomposeScales` exchanges at most once `dot`
/// has layouts.
int64_t getDecomposedBytes(mlir::nv_tileas::DotOp dot);

} // namespace tileir

#endif // PASSES_TILEAS_MMA_BLOCKSCALES_H
