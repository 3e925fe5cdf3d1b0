// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of dimensions, for all types.

#ifndef DIALECTS_CUDA_TILE_IR_TYPEDETAIL_H
#define DIALECTS_CUDA_TILE_IR_TYPEDETAIL_H

#include "dialects/cuda_tile/CudaTile.h"

namespace mlir::cuda_tile {

/// Returns `[4, ?, 8]`.
std::string dimsToString(ArrayRef<int64_t> dims);

/// Prints `4,?,8`.
void printJoined(AsmPrinter &printer, ArrayRef<int64_t> values);

} // namespace mlir::cuda_tile

#endif // DIALECTS_CUDA_TILE_IR_TYPEDETAIL_H
