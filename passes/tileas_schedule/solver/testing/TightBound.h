// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lower bound of the interval that is tighter than the solver's.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_TIGHTBOUND_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_TIGHTBOUND_H

#include "passes/tileas_schedule/solver/Bounds.h"

namespace tileir::schedule::testing {

/// Returns the largest of four bounds. First, the solver's bounds. Second, for
/// each row: its users follow each other around the interval, and two users
/// that share further rows keep the distance of the longest reservation; the
/// cheapest assignment of successors is a bound. Third and fourth: stage limits
/// and groups as limits of start times, without resources.
Cycles computeTightBound(const Problem &problem);

} // namespace tileir::schedule::testing

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_TIGHTBOUND_H
