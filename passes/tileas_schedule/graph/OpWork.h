// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work of the operations of a loop body on an SM.
#ifndef PASSES_TILEAS_SCHEDULE_GRAPH_OPWORK_H
#define PASSES_TILEAS_SCHEDULE_GRAPH_OPWORK_H

#include "passes/tileas_schedule/solver/Machine.h"

#include "mlir/IR/Operation.h"

namespace tileir {

/// Returns whether a schedule places `op`: `op` occupies a functional unit of
/// the SM, or its effects order it. Other operations are placed before their
/// users.
bool isAnchor(mlir::Operation *op);

/// Returns class and work of `op` if `numWarps` warps execute it. The work of a
/// region is the sum over its operations; a branch counts as its costlier side.
schedule::OpWork describeWork(mlir::Operation *op, unsigned numWarps);

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_GRAPH_OPWORK_H
