// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_ORDER_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_ORDER_H

#include "passes/tileas_schedule/solver/Solver.h"

namespace tileir::schedule {

/// Returns a place in the loop body for each node: sorted by `byRank`, as far
/// as the dependences within one pass through the body allow.
std::vector<int> orderBody(const Problem &problem,
                           const std::vector<int> &stage,
                           const std::vector<int> &byRank);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_ORDER_H
