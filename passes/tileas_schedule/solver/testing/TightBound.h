// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lower bound of the interval that sees more than the solver's.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_TIGHTBOUND_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_TIGHTBOUND_H

#include "passes/tileas_schedule/solver/Bounds.h"

namespace tileir::schedule::testing {

/// The largest of four. The solver's bounds. Of each row: its users follow
/// each other around the interval, and two that share further rows must keep
/// the longest reservation's distance, so the cheapest way to give each a
/// successor is a bound. Of stages: limits and groups as limits of times,
/// without resources.
Cycles computeTightBound(const Problem &problem);

} // namespace tileir::schedule::testing

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_TIGHTBOUND_H
