// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about values that the simplifications of several operations ask.

#ifndef DIALECTS_CUDA_TILE_IR_FOLDS_H
#define DIALECTS_CUDA_TILE_IR_FOLDS_H

#include "dialects/cuda_tile/CudaTile.h"

namespace mlir::cuda_tile {

/// The value of all elements of a constant i1 tile, if they are equal.
std::optional<bool> getConstantBool(Value value);

/// Returns what `value` is the negation of: `x` if it is `xori x, true`, else
/// null.
Value getNegated(Value value);

} // namespace mlir::cuda_tile

#endif // DIALECTS_CUDA_TILE_IR_FOLDS_H
