// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search strategies beside plain iterative modulo scheduling.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_STRATEGIES_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_STRATEGIES_H

#include "passes/tileas_schedule/solver/search/Placement.h"

#include <memory>

namespace tileir::schedule {

/// A problem whose groups of one stage are fused into one node each.
class FusedProblem {
public:
  /// Fuses nothing if there are no groups, or if the members of a group cannot
  /// keep their distances.
  explicit FusedProblem(const Problem &problem);

  bool isUseful() const { return useful; }
  /// Places the fused nodes. On success, sets the start cycles of all nodes.
  bool run(const PlacementSettings &settings, Attempt &attempt,
           std::vector<Cycles> &start);
  uint64_t work() const { return placement ? placement->work() : 0; }

private:
  void build(const Problem &problem, const std::vector<int> &group);

  Problem fused;
  /// For each node, its fused node and the cycles after the start of the fused
  /// node.
  std::vector<int> macro;
  std::vector<Cycles> offset;
  std::vector<Cycles> spans;
  bool useful = false;
  std::unique_ptr<Placement> placement;
};

/// Returns whether a complete search is affordable.
bool isExactlySolvable(const Problem &problem, Cycles ii);

/// Enumerates the schedules at one interval until one is legal or `budget`
/// steps are spent. Sets `exhausted` if none exists.
bool searchExactly(const Problem &problem, Cycles ii, uint64_t budget,
                   std::vector<Cycles> &start, bool &exhausted, uint64_t &work);

/// Schedules iterations one after the other, operations in program order.
/// Returns false if their order has a cycle. The interval satisfies every edge
/// except for capacity edges.
bool scheduleList(const Problem &problem, std::vector<Cycles> &start,
                  Cycles &length, uint64_t &work);

/// Moves producers towards their readers.
void sinkProducers(const Problem &problem, Schedule &schedule, uint64_t &work);

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_STRATEGIES_H
