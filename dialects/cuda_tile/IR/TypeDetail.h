// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of dimensions, which all types have.

#ifndef DIALECTS_CUDA_TILE_IR_TYPEDETAIL_H
#define DIALECTS_CUDA_TILE_IR_TYPEDETAIL_H

#include "dialects/cuda_tile/CudaTile.h"

namespace mlir::cuda_tile {

/// `[4, ?, 8]`
std::string dimsToString(ArrayRef<int64_t> dims);

/// `4,?,8`
void printJoined(AsmPrinter &printer, ArrayRef<int64_t> values);

} // namespace mlir::cuda_tile

#endif // DIALECTS_CUDA_TILE_IR_TYPEDETAIL_H
