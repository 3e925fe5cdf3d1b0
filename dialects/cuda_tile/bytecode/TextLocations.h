// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_TEXTLOCATIONS_H
#define DIALECTS_CUDA_TILE_BYTECODE_TEXTLOCATIONS_H

#include "dialects/cuda_tile/CudaTile.h"

namespace tileir {

/// Sets the locations of implicit terminators. Text omits a `yield` or
/// `continue` without operands, and so its location; the parser gives it the
/// position in the text, which bytecode cannot hold. Producers give it the
/// location of the operation that it ends, and this function does the same for
/// terminators of `module` with a position in `file`, the name of the text.
/// Bytecode written from a printed module then equals the original.
void locateImplicitTerminators(mlir::cuda_tile::ModuleOp module,
                               llvm::StringRef file);

} // namespace tileir

#endif // DIALECTS_CUDA_TILE_BYTECODE_TEXTLOCATIONS_H
