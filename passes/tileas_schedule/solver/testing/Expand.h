// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A check of schedules that shares nothing with the solver.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_EXPAND_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_EXPAND_H

#include "passes/tileas_schedule/solver/Solver.h"

namespace tileir::schedule::testing {

/// Runs three times as many iterations as there are stages, cycle by cycle: one
/// user of a row at a time, what an operation waits for is over, no ring holds
/// more than its depth, stage limits and groups hold, and the body in its order
/// gives every operation what it needs. The first fault, or nothing.
std::string expandSchedule(const Problem &problem, const Schedule &schedule);

} // namespace tileir::schedule::testing

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_EXPAND_H
