// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_ACCUMULATORS_LOOPVALUES_H
#define PASSES_TILEAS_ACCUMULATORS_LOOPVALUES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Rebuilds `loop` without iter-arg `number`, whose argument and result have no
/// readers any more. Returns the new loop.
mlir::scf::ForOp eraseCarried(mlir::scf::ForOp loop, unsigned number);

/// The last value of the induction variable of `loop`, which has some.
mlir::Value getLastIndex(mlir::OpBuilder &builder, mlir::scf::ForOp loop);

} // namespace tileir

#endif // PASSES_TILEAS_ACCUMULATORS_LOOPVALUES_H
