// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Former names of passes.

#ifndef PASSES_ANALYSIS_PASSALIAS_H
#define PASSES_ANALYSIS_PASSALIAS_H

#include "mlir/Pass/Pass.h"

namespace tileir {

/// Registers `alias` as another name of the pass that `create` returns, with
/// the same options.
void registerPassAlias(llvm::StringRef alias, llvm::StringRef description,
                       std::unique_ptr<mlir::Pass> (*create)());

} // namespace tileir

#endif // PASSES_ANALYSIS_PASSALIAS_H
