// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_DISASSEMBLY_H
#define DIALECTS_CUDA_TILE_BYTECODE_DISASSEMBLY_H

#include "dialects/cuda_tile/CudaTile.h"

namespace tileir {

/// Prints the contents of `module` as `tileirdisasm` of release 13.5 does: a
/// comment with the producer, then globals and kernels at column 0 without
/// their module, then, with `debugInfo`, the aliases of the locations. The text
/// is written as it is generated, so a large module needs no memory for it.
/// Changes the location of the module, which is not printed.
void printDisassembly(mlir::cuda_tile::ModuleOp module, bool debugInfo,
                      llvm::raw_ostream &os);

} // namespace tileir

#endif // DIALECTS_CUDA_TILE_BYTECODE_DISASSEMBLY_H
