// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_ACCESSROOTS_H
#define PASSES_ANALYSIS_ACCESSROOTS_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// The pointer argument or global that a memory access of `nv_tileas` goes back
/// to, or null.
mlir::Value getRoot(mlir::Operation *access);

/// The operation that allocates the memory of `view`, or null where control
/// flow or an argument hides it.
mlir::nv_tileas::MakeMemRefOp getMemRef(mlir::Value view);

/// Returns whether two accesses share no byte, by what the function states
/// about its arguments.
bool cannotAlias(mlir::nv_tileaa::FuncOp func, mlir::Operation *first,
                 mlir::Operation *second);

/// The same of accesses that go back to `first` and `second`, arguments or
/// globals; null where an access goes back to neither.
bool haveDistinctMemory(mlir::nv_tileaa::FuncOp func, mlir::Value first,
                        mlir::Value second);

} // namespace tileir

#endif // PASSES_ANALYSIS_ACCESSROOTS_H
