// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_CUDA_TILE_SYMBOLNAMES_H
#define PASSES_CUDA_TILE_SYMBOLNAMES_H

#include "mlir/IR/SymbolTable.h"

namespace tileir {

/// Renames `symbol` to `newName`, and the linkage name of its subprogram, in
/// all attributes and locations of `scope`. With `table`, the symbol table of
/// `symbol`, references to it change, too. Fails with a diagnostic when `scope`
/// does not enclose `symbol`.
mlir::LogicalResult updateSymbolName(mlir::StringAttr newName,
                                     mlir::SymbolOpInterface symbol,
                                     mlir::Operation *scope,
                                     mlir::SymbolTable *table = nullptr);

} // namespace tileir

#endif // PASSES_CUDA_TILE_SYMBOLNAMES_H
