// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimal interval of a small problem by exhaustive search.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_EXHAUSTIVE_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_EXHAUSTIVE_H

#include "passes/tileas_schedule/solver/Problem.h"

namespace tileir::schedule::testing {

struct Optimum {
  /// The search ended within its steps.
  bool isKnown = false;
  /// 0: there is no interval up to `limit`.
  Cycles ii = 0;
  uint64_t steps = 0;
};

/// Tries the rows of all operations, then stages, for each interval from 1 on.
Optimum findOptimum(const Problem &problem, Cycles limit, uint64_t maxSteps);

} // namespace tileir::schedule::testing

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_TESTING_EXHAUSTIVE_H
