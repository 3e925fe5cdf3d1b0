// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_DISASSEMBLY_H
#define DIALECTS_CUDA_TILE_BYTECODE_DISASSEMBLY_H

#include "dialects/cuda_tile/CudaTile.h"

namespace tileir {

/// Prints what `module` contains as `tileirdisasm` of release 13.5 does: a
/// comment that names the producer, then globals and kernels at column 0
/// without their module, then, if `debugInfo`, the aliases of the locations.
/// The text is made while it is written, so a large module costs no memory.
/// Changes the location of the module, which the text does not show.
void printDisassembly(mlir::cuda_tile::ModuleOp module, bool debugInfo,
                      llvm::raw_ostream &os);

} // namespace tileir

#endif // DIALECTS_CUDA_TILE_BYTECODE_DISASSEMBLY_H
