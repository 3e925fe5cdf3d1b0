// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries about values that several folds share.

#ifndef DIALECTS_CUDA_TILE_IR_FOLDS_H
#define DIALECTS_CUDA_TILE_IR_FOLDS_H

#include "dialects/cuda_tile/CudaTile.h"

namespace mlir::cuda_tile {

/// The value of all elements of a constant i1 tile, if they are equal.
std::optional<bool> getConstantBool(Value value);

/// Returns the operand of a negation: `x` if `value` is `xori x, true`, else
/// null.
Value getNegated(Value value);

} // namespace mlir::cuda_tile

#endif // DIALECTS_CUDA_TILE_IR_FOLDS_H
