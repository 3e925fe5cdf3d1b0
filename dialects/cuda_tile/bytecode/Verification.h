// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_VERIFICATION_H
#define DIALECTS_CUDA_TILE_BYTECODE_VERIFICATION_H

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/PointerIntPair.h"

namespace tileir::bytecode {

/// Stages of the verification of an operation in a body.
enum class CheckStage { Whole, BeforeRegions, AfterRegions };
using Check = llvm::PointerIntPair<mlir::Operation *, 2, CheckStage>;

/// Returns whether `mlir::verify` would accept `function`, whose body was just
/// read, without diagnostics; false when only `mlir::verify` can decide.
/// `checks` are the operations of the body in order, without repetitions of
/// earlier ones. Skips what always holds in modules of the reader: dominance,
/// isolation from above, attributes of other dialects.
bool verifiesSilently(mlir::Operation *function, bool hasLocations,
                      llvm::ArrayRef<Check> checks);

/// Checks a module apart from its functions in the same way.
bool verifiesSilently(mlir::cuda_tile::ModuleOp module,
                      llvm::ArrayRef<mlir::SymbolUserOpInterface> symbolUsers);

} // namespace tileir::bytecode

#endif // DIALECTS_CUDA_TILE_BYTECODE_VERIFICATION_H
