// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_ORDER_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_ORDER_H

#include "passes/tileas_schedule/solver/Solver.h"

namespace tileir::schedule {

/// A place in the loop body for each node: by `byRank`, as far as what runs in
/// one pass through the body allows.
std::vector<int> orderBody(const Problem &problem,
                           const std::vector<int> &stage,
                           const std::vector<int> &byRank);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_ORDER_H
