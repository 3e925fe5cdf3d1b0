// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterative modulo scheduling at one interval, after Rau.
#ifndef PASSES_TILEAS_SCHEDULE_SOLVER_PLACEMENT_H
#define PASSES_TILEAS_SCHEDULE_SOLVER_PLACEMENT_H

#include "passes/tileas_schedule/solver/Graph.h"
#include "passes/tileas_schedule/solver/PlacementCost.h"
#include "passes/tileas_schedule/solver/RankSet.h"
#include "passes/tileas_schedule/solver/ReservationTable.h"
#include "passes/tileas_schedule/solver/Solver.h"

namespace tileir::schedule {

/// Which unplaced node comes next. The longest path that leaves a node decides
/// where nothing else is said.
enum class Priority : uint8_t {
  Height,
  /// Of equals the last one.
  HeightLastFirst,
  LongestReservation,
  LastFirst,
  /// Operations first that an earlier attempt evicted most.
  Overlay
};

struct PlacementSettings {
  Priority priority = Priority::Height;
  bool snug = true;
  /// Takes the start of the least cost instead of the first.
  bool byCost = false;
  unsigned budgetRatio = 6;
  std::optional<uint64_t> tieSeed;
  /// Moves priorities by this seed, up to 1 / 2^`noiseShift` of what they span.
  std::optional<uint64_t> noiseSeed;
  unsigned noiseShift = 3;
};

class Placement {
public:
  /// `spans`: cycles from a node's start to the start of its last part, which
  /// must be in the same stage; empty: all 0.
  Placement(const Problem &problem, std::vector<Cycles> spans = {});

  const Graph &getGraph() const { return graph; }

  /// Places all nodes at `attempt.ii`. What it counts goes into `attempt`.
  bool run(const PlacementSettings &settings, Attempt &attempt);
  /// Of the last run, which succeeded.
  const std::vector<Cycles> &starts() const { return start; }
  /// Steps that were taken by all runs.
  uint64_t work() const { return steps + table.steps(); }

private:
  static constexpr Cycles kUnplaced = -1;

  struct Window {
    Cycles low = 0;
    /// The end of what the stage limits allow.
    Cycles limit = INT64_MAX;
    /// The part to search.
    Cycles from = 0, to = 0;
  };

  bool isPlaced(int v) const { return start[v] != kUnplaced; }
  bool begin(const PlacementSettings &settings, Cycles ii);
  void rank(const PlacementSettings &settings);
  /// Returns what sorts the nodes before their heights and places do.
  std::vector<Cycles> keysOf(const PlacementSettings &settings) const;
  Window windowOf(int v) const;
  Cycles findSlot(int v, const Window &window,
                  const PlacementSettings &settings, Attempt &attempt);
  Cycles findCheapest(int v, const Window &window);
  /// The first start from `t` on with all parts in one stage.
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

#endif // PASSES_TILEAS_SCHEDULE_SOLVER_PLACEMENT_H
