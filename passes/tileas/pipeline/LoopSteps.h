// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Later iterations of a loop, in code.

#ifndef PASSES_TILEAS_PIPELINE_LOOPSTEPS_H
#define PASSES_TILEAS_PIPELINE_LOOPSTEPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Emits which iterations a loop has, and where they are.
class LoopSteps {
public:
  explicit LoopSteps(mlir::scf::ForOp loop)
      : loop(loop), builder(loop), loc(loop.getLoc()) {}

protected:
  mlir::Value constant(mlir::Type type, int64_t value);
  /// lhs < rhs as the loop compares.
  mlir::Value compare(mlir::Value lhs, mlir::Value rhs);
  /// Returns whether the loop has an iteration `steps` after the one of `from`,
  /// which it has or which is its first value. The distance to the end is
  /// positive and fits an unsigned number; `steps` times the step is less than
  /// 2^64.
  mlir::Value isLonger(mlir::Value from, int64_t steps);
  /// The induction variable `steps` iterations after `iv`.
  mlir::Value advance(mlir::Value iv, int64_t steps);

  mlir::scf::ForOp loop;
  mlir::OpBuilder builder;
  mlir::Location loc;
};

} // namespace tileir

#endif // PASSES_TILEAS_PIPELINE_LOOPSTEPS_H
