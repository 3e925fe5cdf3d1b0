// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that make a kernel smaller. A step does not preserve semantics: the
// caller checks afterwards whether the fault remains.

#ifndef TOOLS_REDUCE_STEPS_H
#define TOOLS_REDUCE_STEPS_H

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/PatternMatch.h"

#include <vector>

namespace tileir::reduce {

/// Ways to remove one operation, tried in this order. An earlier value is the
/// nearest one of the type before the operation in its block.
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

/// Returns whether `op` may be removed: it is not a terminator, not a kernel,
/// and not in the body of a reduction, which must stay associative.
bool isCandidate(mlir::Operation *op);

/// Returns the removable operations of the module's kernel, last ones first.
std::vector<mlir::Operation *> candidates(mlir::cuda_tile::ModuleOp module);

/// Applies one step; the module may be invalid afterwards. Returns whether it
/// changed.
bool apply(mlir::RewriterBase &rewriter, mlir::Operation *op, Step step);

/// Removes unused operations without effects, and the globals that they named.
void removeUnused(mlir::cuda_tile::ModuleOp module);

} // namespace tileir::reduce

#endif // TOOLS_REDUCE_STEPS_H
