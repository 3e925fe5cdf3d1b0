// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways to find a schedule beside iterative modulo scheduling as it is.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_ARMS_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_ARMS_H

#include "passes/tileas_schedule/solver/Placement.h"

#include <memory>

namespace tileir::schedule {

/// Groups of one stage as one node each.
class FusedProblem {
public:
  /// Without groups, or when the parts of one cannot keep their distances,
  /// there is nothing to fuse.
  explicit FusedProblem(const Problem &problem);

  bool isUseful() const { return useful; }
  /// Places the fused nodes and, on success, gives the starts of all.
  bool run(const PlacementSettings &settings, Attempt &attempt,
           std::vector<Cycles> &start);
  uint64_t work() const { return placement ? placement->work() : 0; }

private:
  void build(const Problem &problem, const std::vector<int> &group);

  Problem fused;
  /// Fused node, and cycles behind its start, by node.
  std::vector<int> macro;
  std::vector<Cycles> offset;
  std::vector<Cycles> spans;
  bool useful = false;
  std::unique_ptr<Placement> placement;
};

/// Problems that a complete search may take on.
bool isExactlySolvable(const Problem &problem, Cycles ii);

/// All schedules at one interval, until one fits or `budget` steps are used up.
/// `exhausted` says that there is none.
bool searchExactly(const Problem &problem, Cycles ii, uint64_t budget,
                   std::vector<Cycles> &start, bool &exhausted, uint64_t &work);

/// One iteration behind the other, operations in program order; false when
/// their order has a cycle. The interval is large enough for every edge but
/// those of capacities.
bool scheduleList(const Problem &problem, std::vector<Cycles> &start,
                  Cycles &length, uint64_t &work);

/// Moves producers towards their readers.
void sinkProducers(const Problem &problem, Schedule &schedule, uint64_t &work);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_ARMS_H
