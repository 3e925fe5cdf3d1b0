// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cost of starting an operation at a cycle at which it is legal.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_PLACEMENTCOST_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_PLACEMENTCOST_H

#include "passes/tileas_schedule/solver/Graph.h"
#include "passes/tileas_schedule/solver/search/ReservationTable.h"

#include <array>

namespace tileir::schedule {

class PlacementCost {
public:
  /// Compared lexicographically: evicted successors, overflowing storage,
  /// growth of live ranges, windows that fill up, surcharge, inversions of
  /// program order, the start itself.
  using Vector = std::array<int64_t, 7>;

  PlacementCost(const Problem &problem, const Graph &graph,
                const ReservationTable &table);

  void reset(Cycles ii, const std::vector<Cycles> &start);
  /// Updates the cost after `node` was placed or unplaced.
  void update(int node);
  Vector evaluate(int node, Cycles at) const;

private:
  struct LiveRange {
    Cycles acquire = 0, release = 0;
    bool isKnown = false;
    Cycles length() const { return isKnown ? release - acquire : 0; }
  };

  LiveRange liveRangeOf(const Value &value, int node, Cycles at) const;
  /// Returns the bytes, or columns, of the value over this live range.
  int64_t shareOf(const Value &value, const LiveRange &range) const;
  int64_t overflowWith(int node, Cycles at) const;
  int64_t inversionsOf(int node, Cycles at) const;

  const Problem &problem;
  const Graph &graph;
  const ReservationTable &table;
  const std::vector<Cycles> *start = nullptr;
  Cycles ii = 1;
  /// Values that a node produces or reads.
  std::vector<std::vector<int>> valuesOf;
  std::vector<int64_t> shares;
  int64_t used[3] = {};
};

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_PLACEMENTCOST_H
