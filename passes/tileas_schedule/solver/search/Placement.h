// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterative modulo scheduling at one interval, after Rau.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_PLACEMENT_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_PLACEMENT_H

#include "passes/tileas_schedule/solver/Graph.h"
#include "passes/tileas_schedule/solver/Solver.h"
#include "passes/tileas_schedule/solver/search/PlacementCost.h"
#include "passes/tileas_schedule/solver/search/RankSet.h"
#include "passes/tileas_schedule/solver/search/ReservationTable.h"

namespace tileir::schedule {

/// Priority of unplaced nodes. By default the node with the longest outgoing
/// path comes next.
enum class Priority : uint8_t {
  Height,
  /// Of equal heights the last node.
  HeightLastFirst,
  LongestReservation,
  LastFirst,
  /// The operations that an earlier attempt evicted most.
  Overlay
};

struct PlacementSettings {
  Priority priority = Priority::Height;
  bool isTight = true;
  /// Takes the cheapest start instead of the first.
  bool byCost = false;
  unsigned budgetRatio = 6;
  std::optional<uint64_t> tieSeed;
  /// Perturbs priorities with this seed, by up to 1 / 2^`noiseShift` of their
  /// range.
  std::optional<uint64_t> noiseSeed;
  unsigned noiseShift = 3;
};

class Placement {
public:
  /// `spans`: cycles from a node's start to the start of its last fused member,
  /// which must be in the same stage; empty means 0 for all.
  Placement(const Problem &problem, std::vector<Cycles> spans = {});

  const Graph &getGraph() const { return graph; }

  /// Places all nodes at `attempt.ii`. Records its counters in `attempt`.
  bool run(const PlacementSettings &settings, Attempt &attempt);
  /// Returns the starts of the last run, which must have succeeded.
  const std::vector<Cycles> &starts() const { return start; }
  /// Returns the steps of all runs.
  uint64_t work() const { return steps + table.steps(); }

private:
  static constexpr Cycles kUnplaced = -1;

  struct Window {
    Cycles low = 0;
    /// Latest start that the stage limits allow.
    Cycles limit = INT64_MAX;
    /// The range to search.
    Cycles from = 0, to = 0;
  };

  bool isPlaced(int v) const { return start[v] != kUnplaced; }
  bool begin(const PlacementSettings &settings, Cycles ii);
  void rank(const PlacementSettings &settings);
  /// Returns the primary sort keys; heights and program order break ties.
  std::vector<Cycles> keysOf(const PlacementSettings &settings) const;
  Window windowOf(int v) const;
  Cycles findSlot(int v, const Window &window,
                  const PlacementSettings &settings, Attempt &attempt);
  Cycles findCheapest(int v, const Window &window);
  /// Returns the first start from `t` on with all fused members in one stage.
  Cycles alignToStage(int v, Cycles t) const;
  void unplace(int v, Attempt &attempt);
  void place(int v, Cycles t, Attempt &attempt);

  const Problem &problem;
  Graph graph;
  ReservationTable table;
  PlacementCost cost;
  std::vector<Cycles> spans;
  /// Representative and members of the nodes in one stage.
  std::vector<int> group;
  std::vector<std::vector<int>> members;

  Cycles ii = 0;
  bool byCost = false;
  std::vector<Cycles> start, previous, heights;
  std::vector<int> order, rankOf, scratch;
  std::vector<uint32_t> timesEvicted;
  std::vector<Cycles> candidates;
  RankSet unplaced;
  size_t numUnplaced = 0;
  uint64_t steps = 0;
};

} // namespace tileir::schedule

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_SEARCH_PLACEMENT_H
