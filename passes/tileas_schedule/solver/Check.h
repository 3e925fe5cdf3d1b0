// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Check that a schedule solves a problem.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_CHECK_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_CHECK_H

#include "passes/tileas_schedule/solver/Solver.h"

namespace tileir::schedule {

/// The first rule that `schedule` breaks: `edge 'A' -> 'B': starts at 3, 2
/// cycles too early`; empty: none. Edges, reservations, stages, groups, order.
std::string checkSchedule(const Problem &problem, const Schedule &schedule);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_CHECK_H
