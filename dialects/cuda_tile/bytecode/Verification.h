// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_VERIFICATION_H
#define DIALECTS_CUDA_TILE_BYTECODE_VERIFICATION_H

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/PointerIntPair.h"

namespace tileir::bytecode {

/// Parts that the verifier looks at in an operation of a body.
enum class CheckStage { Whole, BeforeRegions, AfterRegions };
using Check = llvm::PointerIntPair<mlir::Operation *, 2, CheckStage>;

/// Returns whether `mlir::verify` would accept `function`, whose body was just
/// read, and say nothing; false when only that can tell. `checks` are the
/// operations of the body in order, without those that are like one before.
/// Leaves out what cannot be otherwise in modules that the reader makes:
/// dominance, isolation from above, attributes of other dialects.
bool verifiesSilently(mlir::Operation *function, bool hasLocations,
                      llvm::ArrayRef<Check> checks);

/// The same for what a module is beside its functions.
bool verifiesSilently(mlir::cuda_tile::ModuleOp module,
                      llvm::ArrayRef<mlir::SymbolUserOpInterface> symbolUsers);

} // namespace tileir::bytecode

#endif // DIALECTS_CUDA_TILE_BYTECODE_VERIFICATION_H
