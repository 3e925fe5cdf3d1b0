// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Check of schedules that shares no code with the solver.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_EXPAND_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_EXPAND_H

#include "passes/tileas_schedule/solver/Solver.h"

namespace tileir::schedule::testing {

/// Simulates three times as many iterations as there are stages, cycle by
/// cycle. A row has one user at a time, operands are complete, no circular
/// buffer exceeds its depth, stage limits and groups hold, and the order of the
/// body provides every operand. Returns the first fault, or nothing.
std::string expandSchedule(const Problem &problem, const Schedule &schedule);

} // namespace tileir::schedule::testing

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_EXPAND_H
