// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lower bounds of initiation intervals.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_BOUNDS_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_BOUNDS_H

#include "passes/tileas_schedule/solver/Problem.h"

namespace tileir::schedule {

struct Bounds {
  /// No interval satisfies the edges.
  bool isInfinite = false;
  Cycles resource = 1, fine = 1, recurrence = 1, dependence = 1;
  /// Rows and pools that give `resource` and `fine`; the pool by its place.
  int resourceRow = -1, finePool = -1;
  /// A node of the recurrence, or of the cycle without an interval.
  int recurrenceNode = -1;
  /// The node whose depth limit gives `dependence`.
  int dependenceNode = -1;

  /// The largest.
  Cycles mii() const;
  /// Returns what the largest comes from: `tc_and_mma`, `smem_port`,
  /// `recurrence of 'M'`, `depth of 'S'`.
  std::string binding(const Problem &problem) const;
};

/// Lower bounds. `work` counts the steps that were taken, when it is given.
Bounds computeBounds(const Problem &problem, uint64_t *work = nullptr);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_BOUNDS_H
