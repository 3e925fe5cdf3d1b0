// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Model of the time that iterations take when one stream of instructions issues
// them in the order of the text.
#ifndef PASSES_TILEAS_SCHEDULE_INORDERMODEL_H
#define PASSES_TILEAS_SCHEDULE_INORDERMODEL_H

#include "passes/tileas_schedule/solver/Problem.h"

#include "llvm/ADT/ArrayRef.h"

namespace tileir {

/// Cycles between iterations of a loop whose body issues `order`, nodes of
/// `problem` that work on an iteration by `ahead` later than the others'. A
/// node holds the stream for what its work takes the threads, waits for what it
/// depends on, and then takes its slots as soon as they are free.
schedule::Cycles modelInOrder(const schedule::Problem &problem,
                              llvm::ArrayRef<int> order,
                              llvm::ArrayRef<int> ahead);

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_INORDERMODEL_H
