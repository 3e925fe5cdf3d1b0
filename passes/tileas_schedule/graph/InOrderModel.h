// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Model of the time per iteration if one instruction stream issues the loop
// body in order.
#ifndef PASSES_TILEAS_SCHEDULE_GRAPH_INORDERMODEL_H
#define PASSES_TILEAS_SCHEDULE_GRAPH_INORDERMODEL_H

#include "passes/tileas_schedule/solver/Problem.h"

#include "llvm/ADT/ArrayRef.h"

namespace tileir {

/// Returns the cycles per iteration of a loop whose body issues `order`; node v
/// works on an iteration `ahead[v]` later than the others. A node waits for its
/// operands, blocks the stream for its issue cycles, and then occupies its
/// functional units as soon as they are free.
schedule::Cycles modelInOrder(const schedule::Problem &problem,
                              llvm::ArrayRef<int> order,
                              llvm::ArrayRef<int> ahead);

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_GRAPH_INORDERMODEL_H
