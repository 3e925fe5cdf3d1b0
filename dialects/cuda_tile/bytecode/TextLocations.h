// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_TEXTLOCATIONS_H
#define DIALECTS_CUDA_TILE_BYTECODE_TEXTLOCATIONS_H

#include "dialects/cuda_tile/CudaTile.h"

namespace tileir {

/// Text leaves out a `yield` or `continue` without operands, and so its
/// location; the parser gives it the position in the text, which bytecode
/// cannot hold. Producers give it the location of the operation that it ends,
/// and so does this to the terminators of `module` that have a position in
/// `file`, the name of the text. Writing what was printed then gives the bytes
/// that were read.
void locateImplicitTerminators(mlir::cuda_tile::ModuleOp module,
                               llvm::StringRef file);

} // namespace tileir

#endif // DIALECTS_CUDA_TILE_BYTECODE_TEXTLOCATIONS_H
