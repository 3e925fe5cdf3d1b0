// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways to make a kernel smaller. None keeps what the kernel means: whoever
// takes them asks afterwards whether the fault is still there.

#ifndef TOOLS_REDUCE_STEPS_H
#define TOOLS_REDUCE_STEPS_H

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/PatternMatch.h"

#include <vector>

namespace tileir::reduce {

/// Ways to get rid of one operation, tried in this order. An earlier value is
/// the nearest one of the type before the operation in its block.
enum class Step {
  Erase,
  ByThen,
  ByElse,
  ByBody,
  ByLastOperand,
  ByFirstOperand,
  ByEarlier,
  ByZero
};

inline constexpr Step kSteps[] = {
    Step::Erase,         Step::ByThen,         Step::ByElse,    Step::ByBody,
    Step::ByLastOperand, Step::ByFirstOperand, Step::ByEarlier, Step::ByZero};

/// Returns whether `op` may go: it is no end of a block, no kernel, and not in
/// the body of a reduction, which must stay associative.
bool isCandidate(mlir::Operation *op);

/// The operations of the module's kernel that may go, those that are written
/// last first.
std::vector<mlir::Operation *> candidates(mlir::cuda_tile::ModuleOp module);

/// Takes one step; the module may be invalid afterwards. Returns whether
/// anything was changed.
bool apply(mlir::RewriterBase &rewriter, mlir::Operation *op, Step step);

/// Drops operations that nobody uses and nobody sees, and the globals that
/// they named.
void removeUnused(mlir::cuda_tile::ModuleOp module);

} // namespace tileir::reduce

#endif // TOOLS_REDUCE_STEPS_H
