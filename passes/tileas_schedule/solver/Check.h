// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Check of a schedule against its problem.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_CHECK_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_CHECK_H

#include "passes/tileas_schedule/solver/Solver.h"

namespace tileir::schedule {

/// Returns the first rule that `schedule` breaks, of edges, reservations,
/// stages, groups and order: `edge 'A' -> 'B': starts at 3, 2 cycles too
/// early`. Empty if the schedule is legal.
std::string checkSchedule(const Problem &problem, const Schedule &schedule);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_CHECK_H
