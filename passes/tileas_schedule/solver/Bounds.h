// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lower bounds of the initiation interval.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_BOUNDS_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_BOUNDS_H

#include "passes/tileas_schedule/solver/Problem.h"

namespace tileir::schedule {

struct Bounds {
  /// No interval satisfies the edges.
  bool isInfinite = false;
  Cycles resource = 1, fine = 1, recurrence = 1, dependence = 1;
  /// The row that gives `resource`, and the index of the pool that gives
  /// `fine`.
  int resourceRow = -1, finePool = -1;
  /// A node of the recurrence, or of the cycle without an interval.
  int recurrenceNode = -1;
  /// The node whose depth limit gives `dependence`.
  int dependenceNode = -1;

  /// Returns the largest bound.
  Cycles mii() const;
  /// Returns the cause of the largest bound: `tc_and_mma`, `smem_port`,
  /// `recurrence of 'M'`, `depth of 'S'`.
  std::string binding(const Problem &problem) const;
};

/// Computes the lower bounds. Adds the steps taken to `work`, if given.
Bounds computeBounds(const Problem &problem, uint64_t *work = nullptr);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_BOUNDS_H
